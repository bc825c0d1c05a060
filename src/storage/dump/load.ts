/** Loads dumped tables into an empty schema: without indexes and foreign keys, which are made again, and so checked, at the end. */
import type { Database, Transaction } from "../database.ts";
import type { Writer } from "../rows.ts";
import { schemaOfTables, serverOnly, sql } from "../sql-text.ts";
import type { Dialect, SqlText } from "../sql-text.ts";
import { toBound } from "./table-lines.ts";
import type { DumpedValue } from "./table-lines.ts";
import type { DumpedColumn } from "./tables.ts";

/** Foreign keys come off before the unique indexes that they need, and back after them. */
const rebuiltText: SqlText = {
  sqlite: `select 'drop index "' || name || '"' as remove, sql as restore from sqlite_master
    where type = 'index' and sql is not null order by name`,
  postgres: `select remove, restore from (
      select 0 as place, format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
      from pg_constraint where contype = 'f' and connamespace = ${schemaOfTables}
      union all
      select 1, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = ${schemaOfTables}
        and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    ) as rebuilt order by place, remove`,
};

/** Removes the indexes and foreign keys of all tables; the returned function makes them again, and throws if rows violate one. */
export async function removeIndexes(transaction: Transaction): Promise<() => Promise<void>> {
  const rebuilt = await transaction.rowsOnce<{ remove: string; restore: string }>(rebuiltText);
  // Through the EntityManager, which sends texts without values unchanged.
  for (const { remove } of rebuilt) await transaction.em.execute(remove);
  return async () => {
    for (const { restore } of rebuilt.toReversed()) await transaction.em.execute(restore);
  };
}

const noIdleTimeoutText: SqlText = {
  sqlite: "",
  postgres: "select set_config('idle_in_transaction_session_timeout', '0', true)",
};

/** Turns off the timeout for idle transactions: the input may be slow. */
export async function allowIdleInTransaction(writer: Writer): Promise<void> {
  await writer.rowsOnce(noIdleTimeoutText);
}

/** Inserts rows of a table, given as lines of JSON with the values in the order of `columns`. */
export type Load = (lines: readonly string[]) => Promise<void>;

export function createLoad(
  { dialect }: Pick<Database, "dialect">,
  writer: Writer,
  table: string,
  columns: readonly DumpedColumn[],
): Load {
  return loads[dialect](writer, table, columns);
}

const loads: Readonly<Record<Dialect, (writer: Writer, table: string, columns: readonly DumpedColumn[]) => Load>> = {
  /** A prepared statement a row: binding is cheaper than JSON. */
  sqlite(writer, table, columns) {
    const text = `insert into "${table}" (${namesOf(columns)}) values (${columns.map(() => "?").join(", ")})`;
    return async (lines) => {
      for (const line of lines) {
        const row = JSON.parse(line) as DumpedValue[];
        writer.send(
          text,
          columns.map(({ kind }, place) => toBound(row[place]!, kind)),
        );
      }
    };
  },
  /** One statement a batch; its lines travel as they are, as one parameter. */
  postgres(writer, table, columns) {
    const values = columns.map(({ kind }, place) => postgresValues[kind](`(line ->> ${place})`)).join(", ");
    const text = `insert into "${table}" (${namesOf(columns)}) select ${values} from jsonb_array_elements(cast(? as jsonb)) as line`;
    return async (lines) => {
      await writer.rowsOnce(text, [`[${lines.join(",")}]`]);
    };
  },
};

const postgresValues: Readonly<Record<DumpedColumn["kind"], (text: string) => string>> = {
  integer: (text) => `cast(${text} as bigint)`,
  boolean: (text) => `cast(${text} as bigint) <> 0`,
  time: (text) => `timestamptz 'epoch' + cast(${text} as bigint) * interval '1 millisecond'`,
  text: (text) => text,
};

function namesOf(columns: readonly DumpedColumn[]): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

const raiseTexts: readonly SqlText[] = [
  { sqlite: "delete from sqlite_sequence where name = ?", postgres: "" },
  {
    sqlite: "insert into sqlite_sequence (name, seq) values (?, ?)",
    postgres: "select setval(pg_get_serial_sequence(?, 'id'), ?)",
  },
];

/** Continues the ids of a table after `last`, so that ids of deleted rows are never assigned again. */
export async function continueIds(writer: Writer, table: string, last: number): Promise<void> {
  const [forget, raise] = raiseTexts;
  await writer.rowsOnce(forget!, [table]);
  await writer.rowsOnce(raise!, [table, last]);
}

/**
 * Lets PostgreSQL look at the values in these tables: before it does so by itself, a minute or more later, it would sort a location for each part of an
 * export. SQLite is planned for without (query-plans.ts).
 */
export async function analyzeTables(writer: Writer, tables: readonly string[]): Promise<void> {
  await writer.rowsOnce(serverOnly(sql`analyze ${tables.map((table) => `"${table}"`).join(", ")}`));
}
