// Keeps oclif's list of the commands of a clone, so that a start opens no command but its own. A package has its list built in (scripts/build.ts).
import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Plugin } from "@oclif/core";
import { toPlugin } from "./listed-plugin.js";

/**
 * What a list was made from, by its path from the root, each with what a change of it changes.
 * @typedef {Record<string, string | undefined>} Sources
 */

/** Some file systems tell times apart only where they lie so far from each other: what is younger may change again and look the same. */
const unsureMilliseconds = 2000;

/**
 * What oclif has to know of the commands below `root`: by the list that is kept where all that it was made from is as it was then; else every file
 * is opened, and the list kept if that can be. A list that can neither be read nor written costs time and nothing else.
 */
export async function loadPlugins(/** @type {string} */ root) {
  const path = join(root, "node_modules/.cache/crm/commands.json");
  const manifest = readList(path, root);
  // By itself oclif believes whatever manifest lies beside package.json, however old that is.
  const plugin = manifest === undefined ? await openAll(path, root) : toPlugin(root, manifest);
  return new Map([[plugin.name, plugin]]);
}

/** The plugin as oclif makes it of every command; its manifest is kept. */
async function openAll(/** @type {string} */ path, /** @type {string} */ root) {
  const plugin = new Plugin({ root, isRoot: true, ignoreManifest: true });
  const sources = await loadNoting(plugin, root);
  if (sources !== undefined) keepList(path, { sources, manifest: plugin.manifest });
  return plugin;
}

/** Opens every command. Gives what they are made from; undefined if the list must not be kept. */
async function loadNoting(/** @type {Plugin} */ plugin, /** @type {string} */ root) {
  /** @type {Sources} */
  const sources = {};
  const youngest = Date.now() - unsureMilliseconds;
  let isSure = true;
  // Before the file is read: what changes meanwhile is seen by the next start.
  const note = (/** @type {string} */ path) => {
    const { state, changedAt } = look(path);
    sources[relative(root, path)] = state;
    isSure &&= changedAt < youngest;
  };
  // A command that is added or taken away changes its folder.
  for (const path of ["package.json", "commands", ...globSync("commands/**/", { cwd: root })]) note(join(root, path));
  note(import.meta.filename);
  const hooks = registerHooks({
    load(url, context, next) {
      if (url.startsWith("file:")) note(fileURLToPath(url));
      return next(url, context);
    },
  });
  try {
    await plugin.load();
  } finally {
    hooks.deregister();
  }
  // oclif leaves out a command that cannot be loaded, and warns: so it does at each start, until that is mended.
  return isSure && plugin.commands.length === plugin.commandIDs.length ? sources : undefined;
}

/** The time of the change itself is what no copy, checkout or tool sets back. */
function look(/** @type {string} */ path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return {
    state: found && `${found.ctimeNs} ${found.size} ${found.ino}`,
    changedAt: Number(found?.ctimeMs ?? 0),
  };
}

/** Undefined where none is kept, or something that it was made from has changed. */
function readList(/** @type {string} */ path, /** @type {string} */ root) {
  try {
    /** @type {{ sources: Sources, manifest: Plugin["manifest"] }} */
    const { sources, manifest } = JSON.parse(readFileSync(path, "utf8"));
    const isCurrent = Object.entries(sources).every(([source, state]) => look(resolve(root, source)).state === state);
    return isCurrent ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, however many starts keep theirs at once. */
function keepList(/** @type {string} */ path, /** @type {object} */ list) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const own = `${path}.${process.pid}`;
    writeFileSync(own, JSON.stringify(list));
    renameSync(own, path);
  } catch {
    // A clone that cannot be written, a full disk: the next start opens every file again.
  }
}
