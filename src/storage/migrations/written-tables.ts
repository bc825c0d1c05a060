/** The tables whose rows migrations write, drop or rename: only what they refer to, and what refers to them, can violate a foreign key afterwards. */

const form = /^(?:insert into|update|delete from|drop table(?: if exists)?|alter table(?= \S+ rename to ))\s+["`]?(\w+)/i;
const renamed = /^alter table \S+ rename to ["`]?(\w+)/i;

/** Null if the program fills rows as well: then it may be any table. */
export function writtenTables(runs: readonly { readonly statements: readonly string[]; readonly fill?: unknown }[]): string[] | null {
  if (runs.some(({ fill }) => fill !== undefined)) return null;
  const names = runs.flatMap(({ statements }) =>
    statements.flatMap((text) => [form.exec(text)?.[1], renamed.exec(text)?.[1]]),
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}
