/** SQL for both databases: where their syntax differs, a text holds both variants, and the database picks its own. */
export interface SqlText {
  readonly sqlite: string;
  readonly postgres: string;
}

/** On PostgreSQL: the schema of the tables, for columns of the catalog such as `relnamespace`. Its name may need quotes. */
export const schemaOfTables = "quote_ident(current_schema())::regnamespace";

/** The key of a database in a SqlText. */
export type Dialect = keyof SqlText;

type Part = string | number | SqlText;

/** Template tag: combines parts, per database where a part differs. Values are parameters, never part of the text. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): SqlText {
  const write = (dialect: Dialect): string =>
    String.raw({ raw: strings }, ...parts.map((part) => (typeof part === "object" ? part[dialect] : part)));
  return { sqlite: write("sqlite"), postgres: write("postgres") };
}

/**
 * A statement that is worthwhile only for an embedded database, where a query costs no round trip; on other databases
 * it is skipped and gives no rows.
 */
export function embeddedOnly(text: string | SqlText): SqlText {
  return { sqlite: sql`${text}`.sqlite, postgres: "" };
}

/** The opposite: what saves round trips, and what an embedded database does in several statements. */
export function serverOnly(text: SqlText): SqlText {
  return { sqlite: "", postgres: text.postgres };
}

/** Joins texts with `separator`. */
export function joinSql(texts: readonly SqlText[], separator: string): SqlText {
  return {
    sqlite: texts.map(({ sqlite }) => sqlite).join(separator),
    postgres: texts.map(({ postgres }) => postgres).join(separator),
  };
}
