/** Estimates what the pending migrations will do: how many rows they read or write, for how long, and who waits meanwhile. */
import type { Database } from "../database.ts";
import { schemaOfTables } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import { indexesAhead } from "./indexes-ahead.ts";
import { migrateUp, schemaState } from "./migrate.ts";
import { breaksOlderVersions } from "./older-versions.ts";
import { statementName as table } from "./statement-names.ts";

export interface MigrationStep {
  /** Such as "builds an index on". */
  readonly what: string;
  readonly table: string;
  readonly rows: number;
  readonly seconds: number;
  /** Whether it is done ahead, while writes go on. */
  readonly isAhead: boolean;
}

export interface MigrationEstimate {
  readonly name: string;
  /** Those that grow with the table; the others take no time. */
  readonly steps: readonly MigrationStep[];
  readonly seconds: number;
  /** Of them, those in which writes wait. */
  readonly blockedSeconds: number;
  /** Why processes of the older version must be stopped first; empty if they may go on. */
  readonly breaks: readonly string[];
}

export interface UpgradeEstimate {
  readonly migrations: readonly MigrationEstimate[];
  readonly seconds: number;
  /** Of them, those in which writes wait. */
  readonly blockedSeconds: number;
  /** Whose writes wait then. */
  readonly blocks: "everything" | readonly string[];
}

interface Cost {
  readonly what: string;
  /** The first group is the table. */
  readonly form: RegExp;
  /** Per row, in microseconds: the slower of both databases on one core, rounded up. */
  readonly perRow: number;
}

/** The first form that fits a statement decides. */
const costs: readonly Cost[] = [
  { what: "builds an index on", form: new RegExp(`^create (?:unique )?index [^]*? on ${table}`, "i"), perRow: 6 },
  { what: "copies", form: new RegExp(`^insert into [^]*? from ${table}`, "i"), perRow: 30 },
  { what: "updates", form: new RegExp(`^update ${table}`, "i"), perRow: 30 },
  { what: "deletes from", form: new RegExp(`^delete from ${table}`, "i"), perRow: 30 },
  { what: "rewrites", form: new RegExp(`^alter table ${table} (?:[^]* type |drop column)`, "i"), perRow: 30 },
  { what: "checks", form: new RegExp(`^alter table ${table} [^]*(?:foreign key|set not null|unique)`, "i"), perRow: 5 },
];

const touched = new RegExp(`^(?:alter table|create (?:unique )?index [^]*? on|insert into|update|delete from) ${table}`, "i");
/** Rows that the program fills, of tables that the statements touch. */
const filledPerRow = 60;

/** Reads the migrations without running them. Nothing pending: an empty list. Throws for a schema that is newer than this program. */
export async function estimateUpgrade(database: Database): Promise<UpgradeEstimate> {
  const { applied } = await schemaState(database);
  const runs = applied.length === 0 ? [] : await migrateUp(database, { dryRun: true });
  const names = new Set(runs.flatMap(({ statements }) => statements.flatMap((text) => touched.exec(text)?.[1] ?? [])));
  const counts = await countRows(database, names);
  const ahead = database.buildIndex === undefined ? new Set<string>() : indexesAhead(runs);
  const migrations = runs.map(({ name, statements, isPrepared, breaks }): MigrationEstimate => {
    const isFilled = statements.some((statement) => statement.startsWith("--"));
    const filled = isFilled ? new Set(statements.flatMap((text) => touched.exec(text)?.[1] ?? [])) : [];
    const steps = [
      ...statements.flatMap((text) => stepOf(text, counts, ahead.has(text) || (isPrepared && isCopy(text))) ?? []),
      ...[...filled].map((filledTable) => step({ what: "fills", perRow: filledPerRow }, filledTable, counts)),
    ].filter(({ rows }) => rows > 0);
    const blocking = steps.filter(({ isAhead }) => !isAhead);
    return {
      name,
      steps,
      seconds: secondsOf(steps),
      blockedSeconds: secondsOf(blocking),
      breaks: [...(breaks === undefined ? [] : [breaks]), ...breaksOlderVersions(statements)],
    };
  });
  const existing = [...counts].flatMap(([name, rows]) => (rows > 0 ? name : []));
  return {
    migrations,
    seconds: sum(migrations.map(({ seconds }) => seconds)),
    blockedSeconds: sum(migrations.map(({ blockedSeconds }) => blockedSeconds)),
    blocks: database.isInProcess ? "everything" : existing,
  };
}

function isCopy(statement: string): boolean {
  return /^insert into/i.test(statement);
}

function stepOf(statement: string, counts: ReadonlyMap<string, number>, isAhead: boolean): MigrationStep | undefined {
  for (const cost of costs) {
    const name = cost.form.exec(statement)?.[1];
    if (name !== undefined) return step(cost, name, counts, isAhead);
  }
  return undefined;
}

function step(
  { what, perRow }: Pick<Cost, "what" | "perRow">,
  name: string,
  counts: ReadonlyMap<string, number>,
  isAhead = false,
): MigrationStep {
  const rows = counts.get(name) ?? 0;
  return { what, table: name, rows, seconds: (rows * perRow) / 1_000_000, isAhead };
}

const secondsOf = (steps: readonly MigrationStep[]): number => sum(steps.map(({ seconds }) => seconds));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** PostgreSQL knows about how many rows a table has, unless it was never analyzed. */
const estimatesText: SqlText = {
  sqlite: "select name, -1 as rows from sqlite_master where type = 'table'",
  postgres: `select relname as name, cast(reltuples as bigint) as rows from pg_class
    where relkind = 'r' and relnamespace = ${schemaOfTables}`,
};

/** Of those that exist. */
async function countRows(database: Database, names: ReadonlySet<string>): Promise<Map<string, number>> {
  const known = await database.rowsOnce<{ name: string; rows: number }>(estimatesText);
  const counts = new Map<string, number>();
  for (const { name, rows } of known) {
    if (!names.has(name)) continue;
    const [exact] =
      Number(rows) > 0 ? [] : await database.rowsOnce<{ count: number }>(`select count(*) as count from "${name}"`);
    counts.set(name, exact === undefined ? Number(rows) : Number(exact.count));
  }
  return counts;
}
