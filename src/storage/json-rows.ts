/** Binds rows as one JSON parameter: a constant, prepared statement writes, finds or reads any number of them. */
import type { SqlText } from "./sql-text.ts";

/** `time`: milliseconds since 1970. */
type ColumnKind = "integer" | "text" | "boolean" | "time";

const postgresTypes = { integer: "bigint", text: "text", boolean: "boolean", time: "double precision" };

type ColumnKinds = Readonly<Record<string, ColumnKind>>;

/** SQL for use after `from`: the rows with these columns, to be inserted; the caller adds the alias. A missing member is null. */
export function jsonRows(columns: ColumnKinds): SqlText {
  return rowsOf(columns, (declared) => `json_to_recordset(cast(? as json)) as given(${declared})`);
}

/**
 * The same for rows by which those of a table are found. Of the function that gives all at once, PostgreSQL expects a hundred, for which it would read a
 * whole table of some thousand rows; of an array it expects ten. Taking them out one by one costs a microsecond a row.
 */
export function jsonKeys(columns: ColumnKinds): SqlText {
  const each = "unnest(array(select json_array_elements(cast(? as json)))) as one";
  return rowsOf(columns, (declared) => `${each} cross join lateral json_to_record(one) as given(${declared})`);
}

function rowsOf(columns: ColumnKinds, postgresFrom: (declared: string) => string): SqlText {
  const names = Object.keys(columns);
  const sqlite = names.map((name) => `value ->> '${name}' as ${name}`);
  const postgres = names.map((name) => (columns[name] === "time" ? `to_timestamp(${name} / 1000) as ${name}` : name));
  const declared = names.map((name) => `${name} ${postgresTypes[columns[name]!]}`);
  return {
    sqlite: `(select ${sqlite.join(", ")} from json_each(?))`,
    postgres: `(select ${postgres.join(", ")} from ${postgresFrom(declared.join(", "))})`,
  };
}
