// The commands of a clone as oclif's public interface of a plugin (Interfaces.Plugin), made from a manifest: no file of a command is opened.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** @import { Command, Interfaces, Plugin } from "@oclif/core" */

/** @returns {Interfaces.Plugin["hooks"][string][number]} */
const toHook = (/** @type {string | Interfaces.Plugin["hooks"][string][number]} */ hook) =>
  typeof hook === "string" ? { identifier: "default", target: hook } : hook;

/**
 * The root plugin that lies in `root`, with the commands of `manifest`.
 * @returns {Interfaces.Plugin}
 */
export function toPlugin(/** @type {string} */ root, /** @type {Plugin["manifest"]} */ { commands }) {
  /** @type {Interfaces.PJSON} */
  const pjson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name, version, oclif } = pjson;
  const [type, alias] = ["core", name];

  /** The one file that is opened: that of the command which runs. */
  async function load(/** @type {string} */ id) {
    const file = pathToFileURL(join(root, ...(commands[id]?.relativePath ?? [])));
    /** @type {{ default: Command.Class }} */
    const { default: command } = await import(file.href);
    return Object.assign(command, { id, plugin });
  }

  /** @type {Interfaces.Plugin} */
  const plugin = {
    _base: "",
    name,
    alias,
    version,
    root,
    pjson,
    type,
    isRoot: true,
    options: { root, isRoot: true },
    moduleType: "module",
    valid: true,
    hasManifest: true,
    commandsDir: undefined,
    commandIDs: Object.keys(commands),
    commands: Object.entries(commands)
      .map(([id, command]) => ({ ...command, pluginAlias: alias, pluginType: type, load: () => load(id) }))
      .toSorted((one, other) => one.id.localeCompare(other.id)),
    topics: Object.entries(oclif.topics ?? {}).map(([topic, about]) => ({ ...about, name: topic })),
    hooks: Object.fromEntries(
      Object.entries(oclif.hooks ?? {}).map(([event, hook]) => [event, [hook].flat().map(toHook)]),
    ),
    findCommand: load,
    load: async () => {},
  };
  return plugin;
}
