/** Related rows inside one row, as a JSON list: one statement reads a record whole, in the same shape on both databases. */
import type { Rows } from "./rows.ts";

type Dialect = Rows["dialect"];

export interface JsonList {
  /** Member of each element → the SQL expression it is read from. Times become milliseconds only if `times` names them. */
  readonly members: Readonly<Record<string, string>>;
  readonly times?: readonly string[];
  /** What follows `from`: the tables, and how they hang on the outer row. */
  readonly from: string;
  /** With `limit`, in terms of `members`, since it orders the limited rows once more. */
  readonly order: string;
  readonly limit?: number;
}

/** SQL for a column that holds the list; readJson turns its value into objects. */
export function jsonList(dialect: Dialect, { members, times = [], from, order, limit }: JsonList): string {
  const expressions = Object.entries(members).map(
    ([name, expression]) => [name, times.includes(name) ? milliseconds(dialect, expression) : expression] as const,
  );
  if (limit === undefined) return `(select ${aggregate(dialect, expressions, order)} from ${from})`;
  const columns = expressions.map(([name, expression]) => `${expression} as ${name}`).join(", ");
  const listed = expressions.map(([name]) => [name, `listed.${name}`] as const);
  // No limit reaches into an aggregate, so the rows are limited first.
  return `(select ${aggregate(dialect, listed, order)} from (select ${columns} from ${from} order by ${order} limit ${limit}) as listed)`;
}

function aggregate(dialect: Dialect, members: readonly (readonly [string, string])[], order: string): string {
  const pairs = members.map(([name, expression]) => `'${name}', ${expression}`).join(", ");
  return dialect === "sqlite"
    ? `json_group_array(json_object(${pairs}) order by ${order})`
    : `coalesce(json_agg(json_build_object(${pairs}) order by ${order}), '[]')`;
}

/** Inside JSON no driver turns a time into milliseconds, as it does for a column. */
function milliseconds(dialect: Dialect, expression: string): string {
  return dialect === "sqlite" ? expression : `cast(extract(epoch from ${expression}) * 1000 as bigint)`;
}

/** The list in a column that jsonList made: text on SQLite, already read by the driver on PostgreSQL. */
export function readJson<Element>(value: unknown): Element[] {
  if (value === "[]") return [];
  return (typeof value === "string" ? JSON.parse(value) : value) as Element[];
}
