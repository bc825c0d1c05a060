/** Looks for damage of the stored data: pages of SQLite, checksums of PostgreSQL, and rows that violate a foreign key. */
import type { Rows } from "../rows.ts";
import { schemaOfTables } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

/** Of each list, as many findings as an operator reads. */
const mostFindings = 10;

const tablesText: SqlText = {
  sqlite: "select name from pragma_table_list where schema = 'main' and type = 'table' order by name",
  postgres: "",
};

/** One table at a time, so that no read lasts as long as the database is large. */
const pagesText: SqlText = {
  sqlite: `select quick_check as found from pragma_quick_check(?) where quick_check <> 'ok' limit ${mostFindings}`,
  postgres: "",
};

const checksumsText: SqlText = {
  sqlite: "",
  postgres: `select checksum_failures || ' pages failed their checksum, the last at ' || checksum_last_failure as found
    from pg_stat_database where datname = current_database() and checksum_failures > 0`,
};

interface DamageRow {
  readonly found: string;
}

/** What is damaged, in the words of the database; at most ten per table. */
export async function findDamage(rows: Rows): Promise<string[]> {
  const damage = (await rows.rowsOnce<DamageRow>(checksumsText)).map(({ found }) => found);
  for (const { name } of await rows.rowsOnce<{ name: string }>(tablesText))
    damage.push(...(await findDamagedPages(rows, name)).map((found) => `${name}: ${found}`));
  return damage;
}

/** A table whose root is damaged ends the check with an error. */
async function findDamagedPages(rows: Rows, table: string): Promise<string[]> {
  try {
    return (await rows.rowsOnce<DamageRow>(pagesText, [table])).map(({ found }) => found);
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    if (!code.startsWith("SQLITE_CORRUPT")) throw error;
    return [message];
  }
}

/** PostgreSQL checks each row as it is written, unless a constraint was added as not valid. */
const violatedText: SqlText = {
  sqlite: `select "table" || ' ' || rowid || ' refers to a missing row of ' || parent as found
    from pragma_foreign_key_check(?) limit ${mostFindings}`,
  postgres: "",
};
const uncheckedText: SqlText = {
  sqlite: "",
  postgres: `select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' was never checked' as found
    from pg_constraint where contype = 'f' and not convalidated and connamespace = ${schemaOfTables}
    order by conname limit ${mostFindings}`,
};

/** A column with the id of a row of `parent`, which no foreign key of PostgreSQL checks. */
export interface UncheckedReference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
}

const danglingText = ({ table, column, parent }: UncheckedReference): SqlText => ({
  sqlite: "",
  postgres: `select '${table} ' || id || ' refers to a missing row of ${parent}' as found from ${table}
    where not exists (select from ${parent} where ${parent}.id = ${table}.${column}) limit ${mostFindings}`,
});

/** Rows that violate a foreign key or have one of `references` to a missing row, at most ten per table, and foreign keys that do not hold. */
export async function findBrokenForeignKeys(rows: Rows, references: readonly UncheckedReference[]): Promise<string[]> {
  const broken = (await rows.rowsOnce<DamageRow>(uncheckedText)).map(({ found }) => found);
  for (const reference of references)
    broken.push(...(await rows.rowsOnce<DamageRow>(danglingText(reference))).map(({ found }) => found));
  for (const { name } of await rows.rowsOnce<{ name: string }>(tablesText))
    broken.push(...(await rows.rowsOnce<DamageRow>(violatedText, [name])).map(({ found }) => found));
  return broken;
}
