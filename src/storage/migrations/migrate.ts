/** Migrates the schema up or down, completely in one transaction or not at all; what takes long is prepared before. */
import type { Database, Transaction } from "../database.ts";
import { buildIndexesAhead } from "./indexes-ahead.ts";
import { migrationFolder, migrationTable, readMigrationNames, readMigration } from "./migration-files.ts";
import { explainForbiddenChange, foreignDatabase } from "../open-faults.ts";
import type { MigrationPlan } from "./migration-files.ts";
import type { Rows } from "../rows.ts";
import { SchemaError } from "./schema-error.ts";
import { writtenTables } from "./written-tables.ts";
import { schemaOfTables } from "../sql-text.ts";

export interface SchemaState {
  /** In the order of application. */
  readonly applied: string[];
  /** Part of this program and not applied, oldest first. */
  readonly pending: string[];
  /** Applied by another version of the program; not part of this one. */
  readonly unknown: string[];
}

export interface MigrationRun {
  readonly name: string;
  /** Whether most of it is done ahead, in steps between which changes go on. */
  readonly isPrepared: boolean;
  /** The statements run; steps done in code are noted as a comment. */
  readonly statements: string[];
  /** Why processes of the version before must be stopped first, where the statements do not say so. */
  readonly breaks: string | undefined;
}

/** What a run applied or reverted. */
export interface SchemaChange {
  /** Whether the database was empty before. */
  readonly isNew: boolean;
  readonly migrations: readonly { readonly name: string; readonly milliseconds: number }[];
}

interface MigrateOptions {
  /** The last migration to apply or revert. */
  readonly to?: string | undefined;
  /** Dry run. */
  readonly dryRun?: boolean | undefined;
  readonly folder?: string;
  /** From how many bytes on the indexes of a table are built ahead. */
  readonly largeFrom?: number;
  /** Called after the commit, if there was something to do. */
  readonly done?: ((change: SchemaChange) => void) | undefined;
}

type Direction = "up" | "down";

/** The state of the schema. Throws a DatabaseError for a foreign database. */
export function schemaState(database: Database): Promise<SchemaState> {
  return compareSchema(database, carriedMigrations(database));
}

/**
 * The same against `names`, oldest first, for repeated checks: reads the migration names once, since an upgrade may
 * replace the files. Cheap: one select.
 */
export async function compareSchema(database: Rows, names: readonly string[]): Promise<SchemaState> {
  const applied = await readApplied(database);
  const unknown = applied.filter((name) => !names.includes(name));
  if (applied.length > 0 && unknown.length === applied.length) throw foreignDatabase();
  return { applied, unknown, pending: names.filter((name) => !applied.includes(name)) };
}

/** The names of the migrations in the program's folder now, oldest first. */
export function carriedMigrations({ dialect }: Pick<Database, "dialect">): string[] {
  return readMigrationNames(migrationFolder(dialect));
}

/** The state of the schema. Throws a SchemaError for an empty database, and for a schema that is newer than this program. */
export async function requireKnownSchema(database: Database): Promise<SchemaState> {
  const state = await schemaState(database);
  refuseNewer(state);
  if (state.applied.length === 0)
    throw new SchemaError('The database is empty: run "crm setup" (or "crm serve") first.');
  return state;
}

/** Throws a SchemaError unless the schema is exactly that of this program. */
export async function requireCurrentSchema(database: Database): Promise<void> {
  const { pending } = await requireKnownSchema(database);
  if (pending.length > 0) {
    throw new SchemaError('The schema of the database is older than this version of crm: run "crm migrate" first.');
  }
}

/** Applies pending migrations. Of two processes, one migrates, the other waits and finds nothing to do. */
export function migrateUp(database: Database, options: MigrateOptions = {}): Promise<MigrationRun[]> {
  return migrate(database, "up", options);
}

/** Reverts the last migration, or all down to and including `to`. */
export function migrateDown(database: Database, options: MigrateOptions = {}): Promise<MigrationRun[]> {
  return migrate(database, "down", options);
}

async function migrate(
  database: Database,
  direction: Direction,
  { to, dryRun = false, folder = migrationFolder(database.dialect), largeFrom, done = () => {} }: MigrateOptions,
): Promise<MigrationRun[]> {
  const plan = async (): Promise<{ readonly runs: PlannedRun[]; readonly isNew: boolean }> => {
    const state = await compareSchema(database, readMigrationNames(folder));
    const runs: PlannedRun[] = [];
    for (const name of namesToRun(state, direction, to))
      runs.push({ name, ...(await readMigration(database.orm, folder, name, direction)) });
    return { runs, isNew: state.applied.length === 0 };
  };
  const planned = await plan();
  if (dryRun || planned.runs.length === 0) return planned.runs.map(tell);
  const work = async (): Promise<MigrationRun[]> => {
    // Another process may have migrated while this one waited.
    const { runs, isNew } = await plan();
    if (runs.length === 0) return [];
    const ahead = isNew || direction === "down" ? new Set<string>() : await prepareAll(database, runs, largeFrom);
    const times = await database.changeSchema(
      (transaction) => run(transaction, direction, runs, ahead),
      writtenTables(runs),
    );
    done({ isNew, migrations: runs.map(({ name }, place) => ({ name, milliseconds: times[place]! })) });
    return runs.map(tell);
  };
  return database.exclusively("migrate", () => work().catch(explainForbiddenChange));
}

/** Does ahead of the transaction what can be done while changes go on; resolves to the statements that are left out of it. */
async function prepareAll(
  database: Database,
  runs: readonly PlannedRun[],
  largeFrom: number | undefined,
): Promise<ReadonlySet<string>> {
  for (const { prepare } of runs) await prepare?.(database);
  return buildIndexesAhead(database, runs, largeFrom);
}

type PlannedRun = MigrationPlan & Pick<MigrationRun, "name">;

function tell({ name, statements, fill, prepare, breaks }: PlannedRun): MigrationRun {
  const all = fill === undefined ? statements : [...statements, "-- then the program fills them"];
  return { name, statements: all, isPrepared: prepare !== undefined, breaks };
}

function namesToRun(state: SchemaState, direction: Direction, to: string | undefined): string[] {
  refuseNewer(state);
  const possible = direction === "up" ? state.pending : state.applied.toReversed();
  if (to === undefined) return direction === "up" ? possible : possible.slice(0, 1);
  const last = possible.indexOf(to);
  if (last >= 0) return possible.slice(0, last + 1);
  if (state.applied.includes(to) || state.pending.includes(to)) return [];
  throw new SchemaError(`There is no migration ${to}; there are ${[...state.applied, ...state.pending].join(", ")}.`);
}

/** Applies the named migrations of this program as part of `transaction`, a schema change: to restore a backup. */
export async function applyMigrations(
  transaction: Transaction,
  { orm, dialect }: Pick<Database, "orm" | "dialect">,
  names: readonly string[],
): Promise<void> {
  const runs: PlannedRun[] = [];
  for (const name of names) runs.push({ name, ...(await readMigration(orm, migrationFolder(dialect), name, "up")) });
  await run(transaction, "up", runs).catch(explainForbiddenChange);
}

function refuseNewer({ unknown }: SchemaState): void {
  if (unknown.length === 0) return;
  throw new SchemaError(
    `The schema of the database is newer than this version of crm, which does not know ${unknown.join(", ")}: run the newer version.`,
  );
}

const createTable = {
  sqlite: `create table if not exists ${migrationTable} (id integer primary key autoincrement, name text not null unique,
           executed_at datetime not null default current_timestamp)`,
  postgres: `create table if not exists ${migrationTable} (id serial primary key, name text not null unique,
             executed_at timestamptz not null default current_timestamp)`,
};

/** Resolves to the duration of each, in milliseconds. */
async function run(
  transaction: Transaction,
  direction: Direction,
  runs: readonly PlannedRun[],
  done: ReadonlySet<string> = new Set(),
): Promise<number[]> {
  await transaction.rowsOnce(createTable);
  const times: number[] = [];
  for (const { name, statements, fill } of runs) {
    const begun = performance.now();
    // Through the EntityManager, which sends texts without values unchanged, question marks included.
    for (const statement of statements) if (!done.has(statement)) await transaction.em.execute(statement);
    await fill?.(transaction);
    if (direction === "up") await transaction.rows(`insert into ${migrationTable} (name) values (?)`, [name]);
    else await transaction.rows(`delete from ${migrationTable} where name = ?`, [name]);
    times.push(performance.now() - begun);
  }
  return times;
}

const listTables = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  postgres: `select class.relname as name from pg_class as class
             where class.relkind in ('r', 'p') and class.relnamespace = ${schemaOfTables}
             and not exists (select from pg_depend where objid = class.oid and deptype = 'e')`,
};

async function readApplied(database: Rows): Promise<string[]> {
  try {
    const rows = await database.rows<{ name: string }>(`select name, executed_at from ${migrationTable} order by id`);
    return rows.map((row) => row.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const tables = await database.rows(listTables);
  if (tables.length > 0) throw foreignDatabase();
  return [];
}

/** Whether a statement referred to a missing table or column. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return (
    code === "42P01" || code === "42703" || (code === "SQLITE_ERROR" && /^no such (table|column)/.test(error.message))
  );
}
