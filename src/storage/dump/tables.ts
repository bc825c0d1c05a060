/** Lists the tables of an open database with their columns, for a backup that both databases can read. */
import type { Database } from "../database.ts";
import { migrationTable } from "../migrations/migration-files.ts";
import { preparedPositions } from "../migrations/positions-moved.ts";
import type { Rows } from "../rows.ts";
import { schemaOfTables } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

/** How a value is written in a backup: booleans as 0 and 1, times as milliseconds since 1970, texts and JSON as text. */
export type DumpedKind = "integer" | "boolean" | "time" | "text";

export interface DumpedColumn {
  readonly name: string;
  /** Of the open database: SQLite keeps booleans as integers. */
  readonly kind: DumpedKind;
}

export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly DumpedColumn[];
  /** The columns of the primary key, whole numbers all, in its order. */
  readonly key: readonly string[];
}

/**
 * Rows about running processes and the backups of an installation, the list of migrations, which a restore writes by itself, the text
 * indexes, which are built again, and what an interrupted migration has prepared.
 */
const omitted = new Set<string>([
  migrationTable,
  "workers",
  "backup_records",
  "text_indexes",
  "contact_other_texts",
  "contact_name_texts",
  "opportunity_texts",
  "task_texts",
  "unindexed_names",
  preparedPositions,
]);

const kinds: Readonly<Record<string, DumpedKind>> = {
  integer: "integer",
  bigint: "integer",
  boolean: "boolean",
  datetime: "time",
  "timestamp with time zone": "time",
  text: "text",
};

const columnsText: SqlText = {
  sqlite: `select tables.name as "table", columns.name as "column", lower(columns.type) as type, columns.pk as place
    from pragma_table_list as tables join pragma_table_info(tables.name) as columns
    where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\' order by tables.name, columns.name`,
  postgres: `select columns.table_name as "table", columns.column_name as "column", columns.data_type as type,
      coalesce((select array_position(indkey::int2[], attnum) + 1 from pg_index
        join pg_attribute on attrelid = indrelid and attname = columns.column_name
        where indrelid = format('%I.%I', table_schema, table_name)::regclass and indisprimary), 0) as place
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
    order by columns.table_name collate "C", columns.column_name collate "C"`,
};

/** The tables of this program; others may stand beside them, such as those of a tool that replicates the database. */
export function ownTables({ orm }: Pick<Database, "orm">): ReadonlySet<string> {
  return new Set([...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName));
}

/**
 * The tables that a backup holds, by name, with their columns by name: migrations order them differently on each database. `own`: no others. Throws for a
 * column of a type that has no form in a backup.
 */
export async function readTables(rows: Rows, own?: ReadonlySet<string>): Promise<DumpedTable[]> {
  const found = await rows.rowsOnce<ColumnRow>(columnsText);
  return [...Map.groupBy(found, ({ table }) => table)].flatMap(([name, columns]) =>
    omitted.has(name) || own?.has(name) === false ? [] : { name, columns: columns.map(toColumn), key: keyOf(columns) },
  );
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** In the primary key, from 1; 0 outside of it. */
  readonly place: number;
}

function keyOf(columns: readonly ColumnRow[]): string[] {
  const key = columns.filter(({ place }) => place > 0).toSorted((one, other) => one.place - other.place);
  if (key.length === 0 || key.some((column) => toColumn(column).kind !== "integer"))
    throw new Error(`${columns[0]!.table} has no primary key of whole numbers, by which a backup reads it`);
  return key.map(({ column }) => column);
}

function toColumn({ table, column: name, type }: ColumnRow): DumpedColumn {
  const kind = kinds[type];
  if (kind === undefined) throw new Error(`${table}.${name} has the type ${type}, which a backup cannot hold`);
  return { name, kind };
}

const sequencesText: SqlText = {
  sqlite: "select name, seq as last from sqlite_sequence",
  postgres: `select tables.relname as name, sequences.last_value as last
    from pg_sequences as sequences
    join pg_class as ids on ids.relname = sequences.sequencename and ids.relnamespace = ${schemaOfTables}
    join pg_depend as owners on owners.objid = ids.oid and owners.deptype in ('a', 'i')
    join pg_class as tables on tables.oid = owners.refobjid
    where sequences.schemaname = current_schema() and sequences.last_value is not null`,
};

/** The highest id that each of the tables has assigned, deleted rows included; tables without one are left out. */
export async function readLastIds(rows: Rows, tables: readonly DumpedTable[]): Promise<Record<string, number>> {
  const names = new Set(tables.map(({ name }) => name));
  const found = await rows.rowsOnce<{ name: string; last: number }>(sequencesText);
  return Object.fromEntries(
    found.filter(({ name, last }) => last > 0 && names.has(name)).map(({ name, last }) => [name, last]),
  );
}
