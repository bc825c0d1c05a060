/** Keyset pagination: a list that an index orders by a time and an id, the latest first, and ranges of it. */
import { joinSql, sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import type { Value } from "../value.ts";

/** A position in the list: the time in milliseconds, and the id. */
export type Position = [time: number, id: number];

export interface Range<Place = Position> {
  /** It begins behind this position; undefined: at the beginning of the list. */
  readonly after?: Place | undefined;
  /** It ends with this position; undefined: at the end of the list. */
  readonly until?: Place | undefined;
}

/** Conditions that must all hold, with their parameters in order. */
export interface RangeConditions {
  readonly texts: readonly SqlText[];
  readonly params: readonly Value[];
}

interface Columns {
  readonly time: string;
  readonly id: string;
  /**
   * Whether a range also has a combined condition of both ends. PostgreSQL estimates each end separately, and with two
   * would rather scan a table with many columns; SQLite must not use it to find rows.
   */
  readonly estimates?: boolean;
}

export interface Keyset {
  /** The `order by` expressions. */
  readonly order: string;
  /** The conditions of a range: row values, which use the index wherever the range begins. */
  within(range: Range): RangeConditions;
  /** SQL for the position of a row of `table` that matches `conditions`; binds the number of rows before it. */
  positionText(table: string, conditions: readonly SqlText[]): SqlText;
}

export function defineKeyset({ time, id, estimates = false }: Columns): Keyset {
  const order = `${time} desc, ${id} desc`;
  const after = sql`(${time}, ${id}) < (?, ?)`;
  const until = sql`(${time}, ${id}) >= (?, ?)`;
  const between: SqlText = { sqlite: `+${time} between ? and ?`, postgres: `${time} between ? and ?` };
  return {
    order,
    within(range) {
      const texts: SqlText[] = [];
      const params: Value[] = [];
      const narrow = (text: SqlText, ...values: readonly Value[]) => {
        texts.push(text);
        params.push(...values);
      };
      const [begins, ends] = [range.after, range.until];
      if (begins !== undefined) narrow(after, new Date(begins[0]), begins[1]);
      if (ends !== undefined) narrow(until, new Date(ends[0]), ends[1]);
      if (estimates && begins !== undefined && ends !== undefined)
        narrow(between, new Date(ends[0]), new Date(begins[0]));
      return { texts, params };
    },
    positionText: (table, conditions) =>
      sql`select ${time}, ${id} from ${table} where ${joinSql(conditions, " and ")} order by ${order} limit 1 offset ?`,
  };
}
