/** Builds the indexes of large tables before the transaction that migrates, while changes go on, where the database can. */
import type { Database } from "../database.ts";
import type { Rows } from "../rows.ts";
import { SchemaError } from "./schema-error.ts";
import { schemaOfTables } from "../sql-text.ts";

/** A smaller table blocks its writers for less than a second. */
const largeBytes = 32 * 1_048_576;

interface PlannedStatements {
  readonly statements: readonly string[];
  /** Whether the program writes rows after the statements. */
  readonly fill?: unknown;
}

interface Candidate {
  readonly statement: string;
  readonly index: string;
  readonly table: string;
}

const createForm = /^create index "(\w+)" on "(\w+)"/i;

/**
 * Resolves to the statements of `runs` that are done, and must be left out. An index whose columns a migration has yet to add is not built ahead, nor
 * one of a table whose rows the migrations write: the transaction builds those. `from`: the bytes of a large table. Throws a SchemaError if an
 * index can neither be built nor removed, while a transaction of others goes on for longer than a build waits.
 */
export async function buildIndexesAhead(
  database: Pick<Database, "buildIndex"> & Rows,
  runs: readonly PlannedStatements[],
  from: number = largeBytes,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  if (database.buildIndex === undefined) return done;
  for (const { statement, index, table } of candidatesOf(runs)) {
    const [found] = await database.rowsOnce<{ bytes: number; state: FoundIndex }>(stateText, [index, table]);
    if (found === undefined || found.bytes < from) continue;
    if (found.state === "whole" || (await isBuilt(database.buildIndex, statement, index))) {
      done.add(statement);
      continue;
    }
    const [left] = await database.rowsOnce<{ state: FoundIndex }>(stateText, [index, table]);
    if (left?.state === "broken")
      throw new SchemaError(
        `The index ${index} cannot be built while another transaction reads its table, such as a backup: migrate again once it has ended.`,
      );
  }
  return done;
}

/** `broken`: of a build that was interrupted. */
type FoundIndex = "whole" | "broken" | "missing";

const stateText = `select pg_relation_size(pg_class.oid) as bytes,
    coalesce((select case when indisvalid then 'whole' else 'broken' end from pg_index
      where indexrelid = to_regclass(quote_ident(?)) and indrelid = pg_class.oid), 'missing') as state
  from pg_class where relname = ? and relkind = 'r' and relnamespace = ${schemaOfTables}`;

/** False if it cannot be built now: the transaction tries again, and says why. */
async function isBuilt(build: NonNullable<Database["buildIndex"]>, statement: string, index: string): Promise<boolean> {
  try {
    await build(statement, index);
    return true;
  } catch {
    return false;
  }
}

/** The statements of indexes that may be built ahead, whatever the size of their tables. */
export function indexesAhead(runs: readonly PlannedStatements[]): ReadonlySet<string> {
  return new Set(candidatesOf(runs).map(({ statement }) => statement));
}

/** Indexes of existing columns that all migrations together leave on a table which they neither make, write nor rename. */
function candidatesOf(runs: readonly PlannedStatements[]): Candidate[] {
  const all = runs.flatMap(({ statements }) => statements);
  const filled = runs.filter(({ fill }) => fill !== undefined).flatMap(({ statements }) => statements);
  const names = (form: RegExp, statements: readonly string[]): Set<string | undefined> =>
    new Set(statements.map((text) => form.exec(text)?.[1]));
  const changed = names(
    /^(?:create table|drop table(?: if exists)?|update|insert into|delete from|alter table(?= "\w+" (?:rename|[^]* type ))) "?(\w+)/i,
    all,
  ).union(names(/^alter table "?(\w+)/i, filled));
  const dropped = names(/^drop index(?: if exists)? "(\w+)"/i, all);
  const added = all.flatMap((text) => {
    const [, table] = /^alter table "?(\w+)"? add /i.exec(text) ?? [];
    return [...text.matchAll(/ add (?:column )?"(\w+)"/gi)].map(([, column]) => ({ table, column: `"${column}"` }));
  });
  const isNew = (statement: string, table: string): boolean =>
    added.some((one) => one.table === table && statement.includes(one.column));
  return all.flatMap((statement) => {
    const [, index, table] = createForm.exec(statement) ?? [];
    if (index === undefined || table === undefined || changed.has(table) || dropped.has(index)) return [];
    if (isNew(statement, table)) return [];
    return { statement, index, table };
  });
}
