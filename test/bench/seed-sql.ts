/** The pieces of SQL that seeds are written in, the same for SQLite and for PostgreSQL. */
import type { Connection } from "./connection.ts";

export const day = 86_400_000;

/** How a time is written: `milliseconds` is an expression. */
export function timeOn(dialect: Connection["dialect"]): (milliseconds: string) => string {
  return (milliseconds) => (dialect === "sqlite" ? milliseconds : `to_timestamp((${milliseconds}) / 1000.0)`);
}

/** The table `numbers`, of `n` from 1 to `count`, before the statement that reads it. */
export function numbers(count: number): string {
  return `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
}

/** One text of the list after the other, by the number that `place` is. */
export function oneOf(list: readonly string[], place: string): string {
  return `case ${place} % ${list.length} ${list.map((text, index) => `when ${index} then '${text}'`).join(" ")} end`;
}
