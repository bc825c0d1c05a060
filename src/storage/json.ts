/** Related rows as a JSON list in a column: one statement reads a whole record, in the same shape on both databases. */
import { joinSql, sql } from "./sql-text.ts";
import type { SqlText } from "./sql-text.ts";

export interface JsonList {
  /** Member of each element → its SQL expression. Members in `times` become milliseconds. */
  readonly members: Readonly<Record<string, string>>;
  readonly times?: readonly string[];
  /** The `from` clause: tables and their join to the outer row. */
  readonly from: string;
  /** With `limit`, order by `members`, since the limited rows are ordered again. */
  readonly order: string;
  readonly limit?: number;
}

/** SQL for a column with the list; readJson parses its value. */
export function jsonList({ members, times = [], from, order, limit }: JsonList): SqlText {
  const expressions = Object.entries(members).map(([name, expression]): Member => [
    name,
    times.includes(name) ? milliseconds(expression) : sql`${expression}`,
  ]);
  if (limit === undefined) return sql`(select ${aggregate(expressions, order)} from ${from})`;
  const columns = joinSql(
    expressions.map(([name, expression]) => sql`${expression} as ${name}`),
    ", ",
  );
  const listed = expressions.map(([name]): Member => [name, sql`listed.${name}`]);
  // PostgreSQL writes a row as JSON in two thirds of the time that an object of the same members takes.
  const elements: SqlText = {
    sqlite: aggregate(listed, order).sqlite,
    postgres: `coalesce(json_agg(listed order by ${order}), '[]')`,
  };
  // A limit does not apply inside an aggregate, so the rows are limited first.
  return sql`(select ${elements} from (select ${columns} from ${from} order by ${order} limit ${limit}) as listed)`;
}

type Member = readonly [name: string, expression: SqlText];

function aggregate(members: readonly Member[], order: string): SqlText {
  const pairs = joinSql(
    members.map(([name, expression]) => sql`'${name}', ${expression}`),
    ", ",
  );
  return {
    sqlite: `json_group_array(json_object(${pairs.sqlite}) order by ${order})`,
    postgres: `coalesce(json_agg(json_build_object(${pairs.postgres}) order by ${order}), '[]')`,
  };
}

/** Drivers convert times of columns to milliseconds, but not those inside JSON. `extract` computes decimals, in twice the time. */
function milliseconds(expression: string): SqlText {
  return { sqlite: expression, postgres: `cast(date_part('epoch', ${expression}) * 1000 as bigint)` };
}

/**
 * SQL for the integers of a JSON list bound by `?`, for use after `in`: one statement for lists of any length. PostgreSQL expects ten rows of an array,
 * and looks each up; of the function it expects a hundred, for which it would read a whole table of some thousand rows.
 */
export const listed: SqlText = {
  sqlite: "(select value from json_each(?))",
  postgres:
    "(select unnest(array(select cast(value as bigint) from json_array_elements_text(cast(? as json)))) as value)",
};

/** The same as a table `given` of one column `value`, for use after `from`. */
export const listedAsGiven: SqlText = {
  sqlite: "json_each(?) as given",
  postgres: `${listed.postgres} as given(value)`,
};

/**
 * SQL for the integers that a select gives, for use after `in`: looked up like those of `listed`. PostgreSQL would plan for as many as the select might
 * have.
 */
export const fewOf = (select: SqlText): SqlText => ({
  sqlite: `(${select.sqlite})`,
  postgres: `(select unnest(array(${select.postgres})))`,
});

/** SQL for the texts of a JSON list bound by `?`, for use after `in`. */
export const listedTexts: SqlText = {
  sqlite: "(select value from json_each(?))",
  postgres: "(select value from json_array_elements_text(cast(? as json)) as listed(value))",
};

/** A select of the pairs of a whole number and a text in a JSON list that a `?` binds. */
export const listedPairs: SqlText = {
  sqlite: "select value ->> 0, value ->> 1 from json_each(?)",
  postgres: "select cast(value ->> 0 as bigint), value ->> 1 from json_array_elements(cast(? as json))",
};

/** Parses a column made by jsonList; a parsed list passes unchanged. */
export function readJson<Element>(value: readonly Element[] | string): Element[] {
  if (value === "[]") return [];
  return (typeof value === "string" ? JSON.parse(value) : value) as Element[];
}

/** SQL that holds where the JSON list of whole numbers in a text column includes the one that a `?` binds. */
export function jsonIncludes(column: string): SqlText {
  return {
    sqlite: `exists (select 1 from json_each(${column}) as element where element.value = ?)`,
    postgres: `exists (select 1 from json_array_elements_text(cast(${column} as json)) as element(id)
    where element.id = cast(? as text))`,
  };
}

/** SQL that holds where the JSON list of whole numbers in a text column has an element outside of the JSON list that a `?` binds. */
export function jsonExceeds(column: string): SqlText {
  return {
    sqlite: `exists (select 1 from json_each(${column}) as element where element.value not in (select value from json_each(?)))`,
    postgres: `exists (select 1 from json_array_elements_text(cast(${column} as json)) as element(id)
    where element.id not in (select id from json_array_elements_text(cast(? as json)) as seen(id)))`,
  };
}

/** SQL for the first element of the JSON list of whole numbers in a text column. */
export function jsonFirst(column: string): SqlText {
  return { sqlite: `json_extract(${column}, '$[0]')`, postgres: `cast(cast(${column} as json) ->> 0 as bigint)` };
}

/** SQL for a text member of a JSON object in a text column; null if missing. */
export function jsonText(column: string, member: string): SqlText {
  return { sqlite: `(${column} ->> '${member}')`, postgres: `(cast(${column} as json) ->> '${member}')` };
}

/** SQL for all members of a JSON object of texts in a text column, one a line; null if it has none. */
export function jsonTexts(column: string): SqlText {
  return {
    sqlite: `(select group_concat(value, '\n') from json_each(${column}))`,
    postgres: `(select string_agg(value, '\n') from json_each_text(cast(${column} as json)))`,
  };
}
