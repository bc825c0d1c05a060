/** SQL for both databases: where their words differ, a text carries both, and whoever runs it takes its own. */
export interface SqlText {
  readonly sqlite: string;
  readonly postgres: string;
}

/** A database by the name of its member. */
export type Dialect = keyof SqlText;

type Part = string | number | SqlText;

/** A text put together of parts; it differs between the databases where one of them does. Values travel as parameters alone. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): SqlText {
  const write = (dialect: Dialect): string =>
    String.raw({ raw: strings }, ...parts.map((part) => (typeof part === "object" ? part[dialect] : part)));
  return { sqlite: write("sqlite"), postgres: write("postgres") };
}

/**
 * A statement that pays only where the database is embedded in the process, and a query costs no round trip: any other database is not
 * asked, and gives no rows.
 */
export function embeddedOnly(text: string): SqlText {
  return { sqlite: text, postgres: "" };
}

/** The texts one after the other, `separator` between them. */
export function joinSql(texts: readonly SqlText[], separator: string): SqlText {
  return {
    sqlite: texts.map(({ sqlite }) => sqlite).join(separator),
    postgres: texts.map(({ postgres }) => postgres).join(separator),
  };
}
