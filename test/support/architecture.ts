/** The rules of ARCHITECTURE.md as a pure function: sources and the map go in, a sentence per broken rule comes out. */
import { posix } from "node:path";
import { findCircles } from "./circles.ts";
import { readModuleFacts } from "./module-facts.ts";

/** The rooms, lowest first. An import points to a lower row; rooms of one row do not know each other. */
export const ranks: readonly (readonly string[])[] = [
  ["vocabulary"],
  ["kit"],
  ["config/settings"],
  ["storage", "mail", "blobs", "outbound", "worker"],
  ["events", "queues"],
  ["operation"],
  ["http"],
  ["tenancy"],
  ["webhooks"],
  ["crm", "marketplace"],
  ["agents", "audit"],
  ["pages"],
  ["setup", "backup"],
  ["metrics"],
  ["doctor"],
  ["operations", "routes", "entities", "duties"],
  ["service"],
  ["server"],
  ["terminal"],
  ["config/mikro-orm.config", "commands"],
  ["bin"],
];

/** The parts of src/crm, lowest first, by the name of the folder, or of the record that a file beside the folders is about. The same rule holds among them. */
export const crmRanks: readonly (readonly string[])[] = [
  // The files beside the folders: references.ts, contact.entity.ts, contact-activity.ts.
  ["references", "text-index"],
  ["contact"],
  // workflow.entity.ts, workflow-run.entity.ts, workflow-goals.ts, workflow-replies.ts.
  ["workflow"],
  ["tags", "custom-fields", "pipelines", "channels"],
  ["notes", "tasks", "opportunities", "conversations", "workflow-runs"],
  ["contacts"],
  ["event-log", "search"],
  ["workflows", "erasure", "dossier"],
];

/** The parts of src/marketplace, lowest first. */
export const marketplaceRanks: readonly (readonly string[])[] = [["apps"], ["oauth"], ["billing"], ["installs"]];

/** Packages that name a database: only storage knows which one runs. */
const drivers = ["better-sqlite3", "node:sqlite", "pg", "kysely", "@mikro-orm/sqlite", "@mikro-orm/postgresql"];

/** As many files lie in one folder at the most; what is more is a heap, and gets rooms within the room. */
const mostFiles = 15;

/** Words that say nothing about what a file holds: as a name, as a role (contact.helpers.ts) or as an ending (text-utils.ts). */
const emptyWords = new Set(["util", "utils", "helper", "helpers", "common", "manager"]);
/** The same, as a whole name alone: `contact.index.ts` and `database-base.ts` do say something. */
const emptyNames = new Set(["base", "index"]);

/** The room a file belongs to, as `ranks` names it; undefined for a file that lies in none. */
export function roomOf(path: string): string | undefined {
  if (/^config\/settings(\.[\w-]+)*\.ts$/.test(path)) return "config/settings";
  const top = /^(bin|commands|terminal)\//.exec(path)?.[1];
  if (top) return top;
  const [, name] = /^src\/([^/]+?)(?:\/|\.ts$)/.exec(path) ?? /^(config\/.+)\.ts$/.exec(path) ?? [];
  return ranks.flat().find((room) => room === name);
}

/** What `files` (path from the repository's root → source) break, sorted; `map` is the text of ARCHITECTURE.md. */
export function findViolations(files: Readonly<Record<string, string>>, map: string): string[] {
  const violations: string[] = [];
  const fileGraph = new Map<string, Set<string>>();
  const crmGraph = new Map<string, Set<string>>();
  const owners = ownersOfTables(files);

  for (const [path, source] of Object.entries(files)) {
    const facts = readModuleFacts(path, source);
    const room = roomOf(path);
    if (room === undefined) violations.push(`${path} lies in no room: ARCHITECTURE.md ("The direction") ranks them.`);

    const part = crmPartOf(path);
    if (part !== undefined && crmRankOf(part) === -1)
      violations.push(`${path} lies in no part of crm: ARCHITECTURE.md ("The direction") ranks them.`);
    const marketplacePart = marketplacePartOf(path);
    if (marketplacePart !== undefined && !marketplaceRanks.flat().includes(marketplacePart))
      violations.push(`${path} lies in no part of marketplace: ARCHITECTURE.md ("The direction") ranks them.`);
    for (const table of facts.tables) {
      const owner = owners.get(table);
      // A migration speaks of every room's tables: it is how they come about.
      if (owner !== undefined && !path.includes("/migrations/")) violations.push(...judgeTable(path, table, owner));
    }

    for (const specifier of facts.imports) {
      const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined;
      if (target === undefined) {
        violations.push(...judgePackage(path, specifier));
        if (facts.valueImports.includes(specifier)) violations.push(...judgeParsing(path, specifier));
        continue;
      }
      violations.push(...judgeImport(path, room, target));
      if (facts.valueImports.includes(specifier)) violations.push(...judgeParsing(path, target));
      link(fileGraph, path, target);
      const [from, to] = [crmNode(path), crmNode(target)];
      // A circle inside one folder is a circle of files already.
      if (from && to && from !== to) link(crmGraph, from, to);
    }

    if (room !== "config/settings" && room !== "bin")
      for (const read of facts.environmentReads)
        violations.push(`${path} reads the environment (${read}): only config/settings.ts does.`);
    if (path.startsWith("src/") && path !== "src/kit/time/clock.ts")
      for (const read of facts.clockReads)
        violations.push(`${path} asks the globe for the time (${read}): use the Clock.`);
    violations.push(...judgeDialects(path, facts.dialectNames));
    violations.push(...judgeNames(path));
  }

  for (const circle of findCircles(fileGraph)) violations.push(`Files import in a circle: ${circle.join(" → ")}.`);
  for (const circle of findCircles(crmGraph))
    violations.push(`Parts of src/crm import in a circle: ${circle.join(" → ")}.`);
  for (const [folder, count] of countFiles(Object.keys(files))) {
    if (count > mostFiles)
      violations.push(`${folder}/ holds ${count} files in one heap: give it rooms, with ${mostFiles} at the most.`);
    if (/^(src|terminal)\/./.test(folder) && !draws(map, posix.basename(folder)))
      violations.push(`${folder}/ is a folder that the drawing of ARCHITECTURE.md does not show.`);
  }
  return [...new Set(violations)].toSorted();
}

function judgeImport(path: string, room: string | undefined, target: string): string[] {
  if (room === "commands" && target.startsWith("src/storage/"))
    return [`${path} imports ${target}: a command calls a function of the domain, not the database.`];
  if (!path.startsWith("src/storage/") && /^src\/storage\/(?:sqlite|postgres)\//.test(target))
    return [`${path} imports ${target}: only storage names a driver or a dialect.`];
  const targetRoom = roomOf(target);
  if (targetRoom === undefined && /\.[jt]s$/.test(target)) return [`${path} imports ${target}, which lies in no room.`];
  if (room === undefined || targetRoom === undefined) return [];
  const relation = relationOf(path, target);
  return relation === undefined ? [] : [`${path} imports ${target}: ${relation}.`];
}

/** A service takes input that is judged already: of a schema it knows the types alone. */
function judgeParsing(path: string, target: string): string[] {
  const parses = target === "zod" || target === "src/kit/input/read-input.ts" || target.endsWith(".schema.ts");
  return path.endsWith(".service.ts") && parses
    ? [`${path} imports ${target}: input is read at the edge, by endpoints, commands and importers.`]
    : [];
}

/** SQL names only tables of its own folder or of lower ranks. The owner of a table is the file with its entity. */
function judgeTable(path: string, table: string, owner: string): string[] {
  const relation = relationOf(path, owner);
  return relation === undefined ? [] : [`${path} names the table ${table} of ${owner}: ${relation}.`];
}

/** Why `path` may not know `target`, as "kit lies below crm"; undefined when it may. */
function relationOf(path: string, target: string): string | undefined {
  const [room, targetRoom] = [roomOf(path), roomOf(target)];
  if (room === undefined || targetRoom === undefined) return undefined;
  if (room !== targetRoom) return compare(room, rankOf(room), targetRoom, rankOf(targetRoom));
  for (const { name, partOf, rankOf: rankOfPart } of partedRooms) {
    const [part, targetPart] = [partOf(path), partOf(target)];
    if (part === undefined || targetPart === undefined || part === targetPart) continue;
    return compare(`${name}/${part}`, rankOfPart(part), `${name}/${targetPart}`, rankOfPart(targetPart));
  }
  return undefined;
}

function compare(name: string, rank: number, targetName: string, targetRank: number): string | undefined {
  if (targetRank < rank) return undefined;
  return `${name} ${targetRank === rank ? "lies beside" : "lies below"} ${targetName}`;
}

/** Table → the file of the entity that has it. */
function ownersOfTables(files: Readonly<Record<string, string>>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [path, source] of Object.entries(files)) {
    if (!path.endsWith(".entity.ts")) continue;
    for (const [, table = ""] of source.matchAll(/tableName: "(\w+)"/g)) owners.set(table, path);
  }
  return owners;
}

function judgePackage(path: string, specifier: string): string[] {
  const isPackage = (name: string) => specifier === name || specifier.startsWith(`${name}/`);
  if (!path.startsWith("src/storage/") && drivers.some(isPackage))
    return [`${path} imports ${specifier}: only storage names a driver or a dialect.`];
  if (path.startsWith("commands/") && specifier.startsWith("@mikro-orm/"))
    return [`${path} imports ${specifier}: a command calls a function of the domain, not the database.`];
  return [];
}

/**
 * Only storage knows which databases there are. What users write is no dialect: the address of a database (CRM_DATABASE_URL), which
 * config/settings*.ts reads, and the texts of commands, which show one.
 */
function judgeDialects(path: string, names: readonly string[]): string[] {
  if (path.startsWith("src/storage/") || roomOf(path) === "config/settings") return [];
  const judged = path.startsWith("commands/") ? names.filter((name) => /^\w+$/.test(name)) : names;
  return judged.map((name) => `${path} names a database (${name}): only storage names a driver or a dialect.`);
}

function judgeNames(path: string): string[] {
  return path.split("/").flatMap((step) => {
    const [name = "", ...roles] = step.split(".");
    const isEmpty = emptyNames.has(name) || [name, ...roles].some((word) => emptyWords.has(lastWord(word)));
    return isEmpty ? [`${path}: the name "${step}" does not say what it holds.`] : [];
  });
}

function lastWord(name: string): string {
  return name.split("-").at(-1) ?? name;
}

function rankOf(room: string): number {
  return ranks.findIndex((row) => row.includes(room));
}

function crmRankOf(part: string): number {
  return crmRanks.findIndex((row) => row.includes(part));
}

/** Rooms whose parts have ranks too. */
const partedRooms = [
  { name: "crm", partOf: crmPartOf, rankOf: crmRankOf },
  {
    name: "marketplace",
    partOf: marketplacePartOf,
    rankOf: (part: string) => marketplaceRanks.findIndex((row) => row.includes(part)),
  },
];

/** `apps` for a file of src/marketplace/apps/. */
export function marketplacePartOf(path: string): string | undefined {
  return /^src\/marketplace\/([^/]+)\//.exec(path)?.[1];
}

/** `notes` for a file of src/crm/notes/, `contact` for src/crm/contact-activity.ts; undefined outside of crm. */
export function crmPartOf(path: string): string | undefined {
  return /^src\/crm\/([^/]+)\//.exec(path)?.[1] ?? /^src\/crm\/(\w+)/.exec(path)?.[1];
}

/** A folder of src/crm, or a file that lies beside the folders. */
function crmNode(path: string): string | undefined {
  return /^src\/crm\/[^/]+/.exec(path)?.[0];
}

/** Folder → how many files lie in it, not counting those in folders within it; folders that hold folders alone included. */
function countFiles(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const own = posix.dirname(path);
    // Migrations are a list in time, one after the other: nothing would be found sooner in rooms.
    if (own.includes("/migrations/")) continue;
    // The path of a command is its name: a room would rename it.
    if (own.startsWith("commands/")) continue;
    for (let folder = own; folder !== "."; folder = posix.dirname(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + (folder === own ? 1 : 0));
  }
  return counts;
}

/** Whether a drawing of the map, which stands between ``` and ```, shows `folder/`. */
function draws(map: string, folder: string): boolean {
  const drawings = [...map.matchAll(/^```[^]*?^```/gm)].join("\n");
  return new RegExp(`(?<![\\w-])${folder}/`).test(drawings);
}

function link(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}
