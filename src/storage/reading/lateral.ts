/** Lateral joins: a subquery that runs once for each given row. PostgreSQL spells them out; SQLite has none, and is asked for the same rows in other words. */
import { listed, listedAsGiven } from "../json.ts";
import { skipLocked, forUpdate } from "../locks.ts";
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

interface LookUp {
  readonly columns: string;
  /** The tables, joined. */
  readonly from: string;
  /** The column, qualified, that an index finds. */
  readonly column: string;
  /** What must hold as well. */
  readonly where?: string;
  /** The most rows that one id may have: PostgreSQL plans for few. */
  readonly most?: number;
  /** A table whose rows are locked until the change ends, in the order of the ids, which is ascending. */
  readonly locks?: string;
}

/**
 * SQL that looks up the rows of each id in the JSON list that a `?` binds, id by id: a plan for all of them at once would be one for the size
 * that the table had when PostgreSQL last analyzed it.
 */
export function lookUpEach({ columns, from, column, where, most, locks }: LookUp): SqlText {
  const condition = where === undefined ? "" : ` and ${where}`;
  const limit = most === undefined ? "" : ` limit ${most}`;
  const lock = locks === undefined ? "" : forUpdate(locks).postgres;
  return {
    sqlite: `select ${columns} from ${from} where ${column} in ${listed.sqlite}${condition}${locks === undefined ? "" : ` order by ${column}`}`,
    postgres: `select found.* from ${listedAsGiven.postgres} cross join lateral
    (select ${columns} from ${from} where ${column} = given.value${condition}${limit}${lock}) as found`,
  };
}

interface RowOf {
  /** Tables, to stand behind `from`. */
  readonly given: SqlText;
  readonly table: string;
  /** The id of the row, in terms of `given`. */
  readonly key: string;
  /** Whether rows of `given` without one stay. */
  readonly isOptional?: boolean;
}

/**
 * SQL for use after `from`: the rows of `given`, in their order, each with its row of `table`, which is looked up by its id. PostgreSQL would plan
 * a join for the number of rows that it guesses of a limit it does not know, and read the whole table.
 */
export function withRowOf({ given, table, key, isOptional = false }: RowOf): SqlText {
  return {
    sqlite: `${given.sqlite} ${isOptional ? "left" : "cross"} join ${table} on ${table}.id = ${key}`,
    postgres: `${given.postgres} ${isOptional ? "left" : "inner"} join lateral
      (select * from ${table} where ${table}.id = ${key} offset 0) as ${table} on true`,
  };
}

interface FirstOfEach {
  /** A table named `given`, to stand behind `from`. */
  readonly given: SqlText;
  readonly table: string;
  readonly columns: readonly string[];
  /** Further columns by name, in terms of `found`. */
  readonly computed?: Readonly<Record<string, string>>;
  /** The column that identifies a row; `id` if not given. */
  readonly key?: string;
  /** In terms of `given` and the table. */
  readonly where: string | SqlText;
  readonly order: string | SqlText;
  /** How many of each given row. */
  readonly limit: number;
  /** Skips rows of which `table`, joined `on`, is locked by another change, and locks the others. */
  readonly skipsLocked?: { readonly table: string; readonly on: string };
}

/** SQL for the first rows of `table` of each given row (top N per group), as the table `found`. */
export function firstOfEach({
  given,
  table,
  columns,
  computed = {},
  key = "id",
  where,
  order,
  limit,
  skipsLocked,
}: FirstOfEach): SqlText {
  const select = (what: string, from: string): SqlText =>
    sql`select ${what} from ${from} where ${where} order by ${order} limit ${limit}`;
  const own = columns.map((column) => `${table}.${column}`).join(", ");
  const joined = skipsLocked === undefined ? table : `${table} join ${skipsLocked.table} on ${skipsLocked.on}`;
  const lock = skipsLocked === undefined ? "" : skipLocked(skipsLocked.table).postgres;
  const found = [
    ...columns.map((column) => `found.${column}`),
    ...Object.entries(computed).map(([name, expression]) => `${expression} as ${name}`),
  ].join(", ");
  return {
    sqlite: `select ${found} from ${given.sqlite} cross join ${table} as found on found.${key} in (${select(`${table}.${key}`, table).sqlite})`,
    postgres: `select ${found} from ${given.postgres} cross join lateral (${select(own, joined).postgres}${lock}) as found`,
  };
}

interface ShareOfEach {
  /** A table named `wanted` with a column `take`: how many of each row may be taken. */
  readonly wanted: SqlText;
  readonly table: string;
  /** The column that both tables have. */
  readonly column: string;
  readonly where: string;
  /** Columns of the table. */
  readonly order: readonly string[];
  /** The most that `take` is. */
  readonly most: number;
}

/** SQL for a table of the ids of the first `take` rows of each wanted row. Rows that another change has locked are skipped, the others locked. */
export function shareOfEach({ wanted, table, column, where, order, most }: ShareOfEach): SqlText {
  const by = (name: string): string => order.map((each) => `${name}.${each}`).join(", ");
  const first = (limit: string | number): string => `select ${table}.id from ${table}
    where ${table}.${column} = wanted.${column} and ${where} order by ${by(table)} limit ${limit}`;
  return {
    // SQLite takes no column as a limit.
    sqlite: `(select id from
      (select found.id, wanted.take, row_number() over (partition by wanted.${column} order by ${by("found")}) as place
       from ${wanted.sqlite} cross join ${table} as found on found.id in (${first(most)}))
      where place <= take)`,
    postgres: `(select due.id from ${wanted.postgres} cross join lateral
      (${first("wanted.take")}${skipLocked().postgres}) as due)`,
  };
}
