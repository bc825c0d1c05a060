/** Which columns name a record of one workspace, read off the snapshot of the schema. */
import { readFileSync } from "node:fs";

/** Of people and of the installation: rows of several workspaces name the same one. */
const shared: ReadonlySet<string> = new Set(["installation", "sessions", "users"]);

/** Names an app that a workspace has installed, which another workspace may have made. */
const installed = "app_id";

/** References without a foreign key, whose column is not named like one that has a foreign key. */
const unnamed: Readonly<Record<string, string>> = {
  awaited_channel_id: "channels",
  cause_run_id: "workflow_runs",
  event_id: "events",
  field_id: "custom_fields",
  next_task_id: "tasks",
  origin_run_id: "workflow_runs",
  owner_app_id: "apps",
  paying_location_id: "locations",
  paying_workspace_id: "workspaces",
  pending_install_id: "pending_installs",
};

interface SnapshotTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, { readonly type: string }>>;
  readonly indexes: readonly {
    readonly columnNames: readonly string[];
    readonly unique: boolean;
    readonly expression?: string;
  }[];
  readonly foreignKeys: Readonly<
    Record<string, { readonly columnNames: readonly string[]; readonly referencedTableName: string }>
  >;
}

export interface KeyedTable {
  readonly columns: ReadonlySet<string>;
  /** Column → the table whose record it names. */
  readonly keys: ReadonlyMap<string, string>;
  /** Columns of which each value is in the rows of one workspace at most, mostly in a single one. */
  readonly unique: ReadonlySet<string>;
}

/** One that MikroORM does not know as such, of one column. */
const uniqueIndex = /^create unique index "\w+" on "\w+" \("(\w+)"\)/;

/** The hash of a secret: all rows that have the same belong together. */
const hashed = /^(\w+_)?hash$/;

/** Columns with a list of ids, as JSON. */
const lists: Readonly<Record<string, string>> = { contact_ids: "contacts", location_ids: "locations" };

const snapshot = new URL("../../../src/storage/migrations/postgres/.snapshot.json", import.meta.url);

/** Every table; those without `keys` belong to no workspace. */
export const keyedTables: ReadonlyMap<string, KeyedTable> = readTables();

function readTables(): ReadonlyMap<string, KeyedTable> {
  const { tables } = JSON.parse(readFileSync(snapshot, "utf8")) as { tables: readonly SnapshotTable[] };
  const references = new Map(Object.entries(unnamed));
  for (const { foreignKeys } of tables)
    for (const { columnNames, referencedTableName } of Object.values(foreignKeys))
      references.set(columnNames[0]!, referencedTableName.replace("public.", ""));
  references.delete(installed);
  return new Map(
    tables.map(({ name, columns, indexes }) => {
      const named = Object.entries(columns).flatMap(([column, { type }]) => {
        const record = references.get(column);
        // The `message_id` of a message is the header of its mail.
        if (lists[column] !== undefined) return [[column, lists[column]] as const];
        return record === undefined || shared.has(record) || type !== "bigint" ? [] : [[column, record] as const];
      });
      const isOfWorkspaces = !shared.has(name) && (named.length > 0 || name === "workspaces");
      const unique = indexes.flatMap(({ unique: isUnique, columnNames, expression = "" }) =>
        isUnique && columnNames.length === 1 ? columnNames : (uniqueIndex.exec(expression)?.slice(1) ?? []),
      );
      return [
        name,
        {
          columns: new Set(Object.keys(columns)),
          keys: new Map(isOfWorkspaces ? [["id", name], ...named] : []),
          unique: new Set([...unique, ...Object.keys(columns).filter((column) => hashed.test(column))]),
        },
      ];
    }),
  );
}
