/** Which locks of PostgreSQL a statement takes, read off its text: of rows by their table, of keys, and of what it refers to. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * How a row is locked. `reference`: a foreign key points at it (for key share); `share`: for share; `write`: an update that leaves its key
 * alone; `exclusive`: for update; `delete`: the same, to delete it; `insert`: it is new; `upsert`: it is new, or waits for a transaction that inserts the same.
 */
export type LockMode = "reference" | "share" | "write" | "exclusive" | "delete" | "insert" | "upsert";

export interface TakenLock {
  /** A table, or `keys` for what lockKeys locks. */
  readonly kind: string;
  readonly mode: LockMode;
  /** Whether it waits for a transaction that holds the row: not where it skips what is locked, nor for a row that is new. */
  readonly waits: boolean;
}

const selectModes: Readonly<Record<string, LockMode>> = {
  "no key update": "write",
  update: "exclusive",
  share: "share",
};
const selected = /\bfor (no key update|update|share)(?: of (\w+))?( skip locked)?/g;
const changed = /\b(update|delete from|insert into) "?(\w+)"?/g;

/** In the order in which PostgreSQL takes them: what is selected for it, then what is changed, then what that refers to. */
export function locksOf(text: string): TakenLock[] {
  const sql = text.toLowerCase().replaceAll(/\s+/g, " ");
  const locks: TakenLock[] = [];
  if (sql.includes("pg_advisory_xact_lock")) locks.push({ kind: "keys", mode: "exclusive", waits: true });
  for (const { 1: mode, 2: table, 3: skips, index } of sql.matchAll(selected)) {
    const kind = table === undefined ? tableOfSelect(sql.slice(0, index)) : tableOf(table, sql);
    locks.push({ kind, mode: selectModes[mode!]!, waits: skips === undefined });
  }
  const references: TakenLock[] = [];
  for (const { 0: verb, 1: action, 2: kind = "", index } of sql.matchAll(changed)) {
    const before = sql.slice(0, index);
    // `for update` and `for no key update` are no updates, and `do update set` is part of an insert.
    if (/\b(for|for no key|do) $/.test(before)) continue;
    const rest = sql.slice(index + verb.length);
    const mode = modeOf(action!, rest);
    locks.push({ kind, mode, waits: mode !== "insert" });
    // An update locks what it refers to only where it refers to something else than before, which its text does not say.
    if (mode === "insert" || mode === "upsert") references.push(...referencesOf(kind, rest));
  }
  return [...locks, ...references];
}

function modeOf(action: string, rest: string): LockMode {
  if (action === "update") return "write";
  if (action === "delete from") return "delete";
  // Another insert of the same statement has its own.
  const [own = ""] = rest.split("insert into");
  return own.includes(" on conflict") ? "upsert" : "insert";
}

function referencesOf(table: string, columns: string): TakenLock[] {
  return (foreignKeys.get(table) ?? [])
    .filter(({ column }) => new RegExp(`\\b${column}\\b`).test(columns))
    .map(({ parent }) => ({ kind: parent, mode: "reference", waits: true }));
}

/** The table that a name stands for, which may be an alias of it. */
function tableOf(name: string, sql: string): string {
  return new RegExp(`\\b(?:from|join) "?(\\w+)"? (?:as )?${name}\\b`).exec(sql)?.[1] ?? name;
}

/** The table of the select, at whose end `before` ends: that of its own FROM, and of none of those within its parentheses. */
function tableOfSelect(before: string): string {
  let rest = before;
  for (let inner = ""; inner !== rest;) [inner, rest] = [rest, rest.replaceAll(/\([^()]*\)/g, "")];
  const tables = [...rest.slice(rest.lastIndexOf("(") + 1).matchAll(/\bfrom "?(\w+)"?/g)];
  return tables[0]?.[1] ?? "an unknown table";
}

interface ForeignKey {
  readonly column: string;
  readonly parent: string;
}

const foreignKeys = readForeignKeys();

function readForeignKeys(): ReadonlyMap<string, readonly ForeignKey[]> {
  const folder = fileURLToPath(new URL("../../../src/storage/migrations/postgres/", import.meta.url));
  const constraint = /alter table "(\w+)" add constraint "\w+" foreign key \("(\w+)"\) references "(\w+)"/g;
  const texts = readdirSync(folder).map((name) => readFileSync(folder + name, "utf8"));
  const keys = [...texts.join("\n").matchAll(constraint)];
  return new Map(
    [...Map.groupBy(keys, ([, table]) => table!)].map(([table, ofTable]) => [
      table,
      ofTable.map(([, , column, parent]) => ({ column: column!, parent: parent! })),
    ]),
  );
}
