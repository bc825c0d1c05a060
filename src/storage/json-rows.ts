/** Binds rows as one JSON parameter: a constant, prepared statement writes or reads any number of them. */
import type { SqlText } from "./sql-text.ts";

/** `time`: milliseconds since 1970. */
type ColumnKind = "integer" | "text" | "boolean" | "time";

const postgresTypes = { integer: "bigint", text: "text", boolean: "boolean", time: "double precision" };

/** SQL for use after `from`: the rows with these columns; the caller adds the alias. A missing member is null. */
export function jsonRows(columns: Readonly<Record<string, ColumnKind>>): SqlText {
  const names = Object.keys(columns);
  const sqlite = names.map((name) => `value ->> '${name}' as ${name}`);
  const postgres = names.map((name) => (columns[name] === "time" ? `to_timestamp(${name} / 1000) as ${name}` : name));
  const declared = names.map((name) => `${name} ${postgresTypes[columns[name]!]}`);
  return {
    sqlite: `(select ${sqlite.join(", ")} from json_each(?))`,
    postgres: `(select ${postgres.join(", ")} from json_to_recordset(cast(? as json)) as given(${declared.join(", ")}))`,
  };
}
