/** The database program: its version, its clock, and the known defects of a version. */
import { compareVersions } from "./versions.ts";
import type { Database } from "../database.ts";
import type { Dialect, SqlText } from "../sql-text.ts";

export interface Engine {
  /** Such as "SQLite 3.53.4". */
  readonly name: string;
  /** Known defects of this version that concern crm. */
  readonly defects: readonly string[];
}

const versionText: SqlText = {
  sqlite: "select sqlite_version() as version",
  postgres: "select current_setting('server_version') as version",
};

export async function readEngine(database: Database): Promise<Engine> {
  const [found] = await database.rowsOnce<{ version: string }>(versionText);
  const version = /^[\d.]+/.exec(found!.version)?.[0] ?? "0";
  return { name: `${names[database.dialect]} ${version}`, defects: findDefects(database.dialect, version) };
}

const names: Readonly<Record<Dialect, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

interface Defect {
  /** The first and the last version that has it. */
  readonly from: string;
  readonly to: string;
  readonly sentence: string;
}

/** From the release notes of both. */
const defects: Readonly<Record<Dialect, readonly Defect[]>> = {
  sqlite: [
    // https://sqlite.org/wal.html#walresetbug
    {
      from: "3.7.0",
      to: "3.51.2",
      sentence: "two checkpoints at the same time may corrupt the database; fixed in 3.51.3",
    },
  ],
  postgres: [
    { from: "0", to: "13.999", sentence: "its major version no longer gets fixes" },
    {
      from: "14.0",
      to: "14.3",
      sentence: "an index created or rebuilt concurrently may lack rows; fixed in 14.4, rebuild such indexes",
    },
    // The update of 12 February 2026; its correction is of 26 February 2026.
    ...["14.21", "15.16", "16.12", "17.8", "18.2"].map((version) => ({
      from: version,
      to: version,
      sentence: "substring may fail on long texts with an invalid byte sequence; fixed in the next minor version",
    })),
  ],
};

export function findDefects(dialect: Dialect, version: string): string[] {
  return defects[dialect].flatMap(({ from, to, sentence }) =>
    compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0 ? [sentence] : [],
  );
}

const clockText: SqlText = { sqlite: "", postgres: "select clock_timestamp() as now" };

/** The time of a database server; null for an embedded database, which has the clock of this machine. */
export async function readServerClock(database: Database): Promise<Date | null> {
  const [found] = await database.rowsOnce<{ now: number }>(clockText);
  return found === undefined ? null : new Date(found.now);
}
