/** Settings of the database that decide whether it stays fast, and whether it survives a crash. */
import { stat } from "node:fs/promises";
import type { Database } from "../database.ts";
import { schemaOfTables } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

const pagesInFile = 1 << 30;

const settingsText: SqlText = {
  sqlite: "",
  postgres: `select name, setting from pg_settings
    where name in ('autovacuum', 'wal_level', 'fsync', 'full_page_writes', 'track_counts')`,
};

async function readSettings(database: Database): Promise<Map<string, string>> {
  const found = await database.rowsOnce<{ name: string; setting: string }>(settingsText);
  return new Map(found.map(({ name, setting }) => [name, setting]));
}

const tablesWithoutText: SqlText = {
  sqlite: "",
  postgres: `select relname as name from pg_class where relnamespace = ${schemaOfTables} and relkind = 'r'
    and reloptions::text[] && array['autovacuum_enabled=false', 'autovacuum_enabled=off'] order by relname limit 10`,
};

const ageText: SqlText = {
  sqlite: "",
  postgres: "select age(datfrozenxid) as age from pg_database where datname = current_database()",
};
/** Transactions; PostgreSQL stops writing at two billion, and vacuums by itself from 200 million on. */
const oldAge = 1_000_000_000;

const freeText: SqlText = {
  sqlite: `select cast(freelist_count as real) * page_size as free, cast(page_count as real) * page_size as size
    from pragma_freelist_count, pragma_page_count, pragma_page_size`,
  postgres: "",
};

/** A fault, and the statement or command that mends it. */
export interface ServerFault {
  readonly found: string;
  readonly remedy: string;
}

/** Why deleted rows would keep their space: autovacuum is off, or the file of SQLite consists mostly of free pages. */
export async function findVacuumFaults(database: Database): Promise<ServerFault[]> {
  const settings = await readSettings(database);
  const faults: ServerFault[] = ["autovacuum", "track_counts"]
    .filter((name) => settings.get(name) === "off")
    .map((name) => ({ found: `${name} is off`, remedy: `alter system set ${name} = on; select pg_reload_conf();` }));
  for (const { name } of await database.rowsOnce<{ name: string }>(tablesWithoutText))
    faults.push({
      found: `autovacuum is off for the table ${name}`,
      remedy: `alter table "${name}" reset (autovacuum_enabled);`,
    });
  const [age] = await database.rowsOnce<{ age: number }>(ageText);
  if (age !== undefined && age.age > oldAge)
    faults.push({ found: `the oldest transaction is ${age.age} transactions old`, remedy: "vacuum freeze;" });
  const [file] = await database.rowsOnce<{ free: number; size: number }>(freeText);
  if (file !== undefined && file.free > pagesInFile && file.free > file.size / 2)
    faults.push({
      found: `${Math.round(file.free / 2 ** 20)} MiB of the database file are free pages`,
      remedy: 'stop crm, then run sqlite3 FILE "vacuum"',
    });
  return faults;
}

/** Why committed data may be lost in a crash. */
export async function findDurabilityFaults(database: Database): Promise<ServerFault[]> {
  const settings = await readSettings(database);
  return ["fsync", "full_page_writes"]
    .filter((name) => settings.get(name) === "off")
    .map((name) => ({
      found: `${name} is off: a crash of the machine may destroy the database`,
      remedy: `alter system set ${name} = on; select pg_reload_conf();`,
    }));
}

const journalText: SqlText = {
  sqlite: `select journal_mode, (select file from pragma_database_list where name = 'main') as file from pragma_journal_mode`,
  postgres: "",
};

/** Bytes of SQLite's log. A backup lets it grow for its time, and a reader that hangs for ever. */
const longLog = 1 << 30;

export interface WriteAheadLog {
  /** `wal_level` of PostgreSQL, the journal mode of SQLite. */
  readonly mode: string;
  readonly fault: ServerFault | undefined;
}

/** The write-ahead log: on PostgreSQL, whether replicas and archives of it are possible; on SQLite, whether it is used, and its length. */
export async function readWriteAheadLog(database: Database): Promise<WriteAheadLog> {
  const level = (await readSettings(database)).get("wal_level");
  if (level === undefined) {
    const [found] = await database.rowsOnce<{ journal_mode: string; file: string }>(journalText);
    const mode = found!.journal_mode;
    return { mode, fault: await findLogFault(found!) };
  }
  const fault = {
    found: "wal_level is minimal: no replica and no archive of the write-ahead log is possible",
    remedy: "alter system set wal_level = replica; then restart PostgreSQL",
  };
  return { mode: level, fault: level === "minimal" ? fault : undefined };
}

async function findLogFault(found: { journal_mode: string; file: string }): Promise<ServerFault | undefined> {
  const { journal_mode: mode, file } = found;
  if (mode !== "wal") return { found: `the journal mode is ${mode}`, remedy: "start crm, which sets it to wal" };
  // Without a file there is no log.
  const length = await stat(`${file}-wal`).then(
    ({ size }) => size,
    () => 0,
  );
  if (length <= longLog) return undefined;
  return {
    found: `it is ${Math.round(length / 2 ** 20)} MiB long: a program that reads the file keeps it from being emptied`,
    remedy: `end other programs that have ${file} open, or restart crm`,
  };
}

const connectionsText: SqlText = {
  sqlite: "",
  postgres: `select
    (select sum(setting::int * case name when 'max_connections' then 1 else -1 end) from pg_settings
      where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')) as available,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user) as of_role,
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database()) as of_database,
    (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`,
};

export interface ConnectionUse {
  /** The least of what server, role and database allow. */
  readonly most: number;
  /** Open now, of all programs. */
  readonly used: number;
}

/** Null for an embedded database, which has no limit. */
export async function readConnections(database: Database): Promise<ConnectionUse | null> {
  const [found] =
    await database.rowsOnce<Record<"available" | "of_role" | "of_database" | "used", number | null>>(connectionsText);
  if (found === undefined) return null;
  const limits = [found.available, found.of_role, found.of_database].filter((limit) => limit !== null);
  return { most: Math.min(...limits.map(Number)), used: Number(found.used) };
}

/** Of one process: the pool, the one for health reads, and the one that listens for commits. */
const connectionsOfProcess = 18;
/** One holds a lock while a process migrates or sets up. */
const heldAside = 1;

/** The most connections that `crm serve` opens with `processes` processes, also while SIGHUP replaces one. */
export function connectionsOf(processes: number): { readonly needed: number; readonly whileReplacing: number } {
  const needed = processes * connectionsOfProcess + heldAside;
  return { needed, whileReplacing: processes > 1 ? needed + connectionsOfProcess + heldAside : needed };
}
