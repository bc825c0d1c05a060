/** Judges by the statements of migrations whether processes of the version before may go on beside the new schema. */

import { statementName as table } from "./statement-names.ts";

/** An older version does not notice these. */
const additive: readonly RegExp[] = [
  /^create (?:virtual )?table /i,
  /^create index /i,
  /^do \$\$[^]*\bcreate index if not exists /i,
  /^(?:insert into|update|delete from) /i,
  /^pragma /i,
  // What the program fills.
  /^--/,
  // Not a foreign key: an older version leaves it to the database to delete what refers to a row.
  /^alter table \S+ drop constraint (?!"\w+_foreign")/i,
  /^alter table \S+ alter column \S+ (?:drop not null|set default)/i,
];

/** What it does notice, with the table and more as groups. */
const breaking: readonly (readonly [form: RegExp, tell: (...groups: string[]) => string])[] = [
  // SQLite's statements name indexes, and an upsert needs a unique one.
  [new RegExp(`^drop index (?:if exists )?${table}`, "i"), (name) => `drops the index ${name}`],
  [
    new RegExp(`^create unique index (?:if not exists )?${table} on ${table}`, "i"),
    (name, indexed) => `adds the unique index ${name} to ${indexed}`,
  ],
  [new RegExp(`^drop table (?:if exists )?${table}`, "i"), (name) => `drops the table ${name}`],
  [new RegExp(`^alter table ${table} rename to ${table}`, "i"), (name, to) => `renames the table ${name} to ${to}`],
  [new RegExp(`^alter index (?:if exists )?${table} rename to ${table}`, "i"), (name, to) => `renames the index ${name} to ${to}`],
  [
    new RegExp(`^alter table ${table} rename column ${table}`, "i"),
    (name, column) => `renames the column ${column} of ${name}`,
  ],
  [new RegExp(`^alter table ${table} drop column ${table}`, "i"), (name, column) => `drops the column ${column} of ${name}`],
  [new RegExp(`^alter table ${table} alter column ${table}`, "i"), (name, column) => `changes the column ${column} of ${name}`],
  [
    new RegExp(`^alter table ${table} drop constraint ${table}`, "i"),
    (name, dropped) => `drops the foreign key ${dropped} of ${name}`,
  ],
  [new RegExp(`^alter table ${table} add constraint ${table}`, "i"), (name, added) => `adds the constraint ${added} to ${name}`],
];

const addsColumns = new RegExp(`^alter table ${table} add (?:column )?["\`]`, "i");
const madeTable = new RegExp(`^create (?:virtual )?table ${table}`, "i");
const uniqueIndex = new RegExp(`^create unique index [^]*? on ${table}`, "i");
const changedTable = new RegExp(`^(?:drop|alter) table (?:if exists )?${table}`, "i");

/** Why processes of the older version must be stopped first, such as "drops the table x"; empty if the statements only add. */
export function breaksOlderVersions(statements: readonly string[]): string[] {
  const own = new Set(statements.map((text) => madeTable.exec(text)?.[1]));
  // A check that is dropped and added again takes more texts than before.
  const widened = new Set(statements.map((text) => /^alter table \S+ drop constraint "(\w+)"/i.exec(text)?.[1]));
  return statements.flatMap((text) => {
    const changed = changedTable.exec(text)?.[1];
    const added = /^alter table \S+ add constraint "(\w+)"/i.exec(text)?.[1];
    const indexed = uniqueIndex.exec(text)?.[1];
    if (indexed !== undefined && own.has(indexed)) return [];
    if ((changed !== undefined && own.has(changed)) || (added !== undefined && widened.has(added))) return [];
    return breakOf(text) ?? [];
  });
}

function breakOf(text: string): string | undefined {
  const added = addsColumns.exec(text)?.[1];
  if (added !== undefined)
    return text.split(/\badd (?:column )?(?=["`])/i).slice(1).every(isOptional) ? undefined : `adds a required column to ${added}`;
  if (additive.some((form) => form.test(text))) return undefined;
  for (const [form, tell] of breaking) {
    const found = form.exec(text);
    if (found !== null) return tell(...found.slice(1));
  }
  return `runs ${text.slice(0, 60)}`;
}

/** Whether rows may be inserted without this column. */
function isOptional(column: string): boolean {
  return !/\bnot null\b/i.test(column) || /\bdefault\b/i.test(column);
}
