/** Rows that a `?` binds as a JSON list of objects: one constant text, prepared once, writes or reads any number of them. */
import type { SqlText } from "./sql-text.ts";

/** `time`: milliseconds since 1970. */
type ColumnKind = "integer" | "text" | "boolean" | "time";

const postgresTypes = { integer: "bigint", text: "text", boolean: "boolean", time: "double precision" };

/** SQL to stand behind `from`: the rows under these columns, named by whoever writes `as` behind it. What a row leaves out is null. */
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
