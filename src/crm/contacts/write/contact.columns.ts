/** What people and programs set on a contact, as columns: input and keys in, the columns that differ out. */
import { isCut, textKey } from "../../../kit/text-key.ts";
import { fold } from "../../../kit/text.ts";
import { contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";
import type { ContactInput } from "../contact.schema.ts";

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type FieldColumns = Both<(typeof contactFields)[ContactField]["columns"]>;

interface Derived {
  name: string;
  name_key: string;
  /** A JSON object: for each key that was cut, by the name of its column, the whole of the folded text. */
  long_keys: string | null;
}

/** The columns that input reaches, with what is derived from them. */
export type ContactColumns = Derived & {
  -readonly [Name in keyof FieldColumns]: FieldColumns[Name]["blank"];
};

export type ColumnName = keyof ContactColumns;

const columns = Object.values(contactFields).flatMap((field) => Object.entries(field.columns));

/** A contact of which nothing is known. */
export const blankColumns = {
  name: "",
  name_key: "",
  long_keys: null,
  ...Object.fromEntries(columns.map(([name, { blank }]) => [name, blank])),
} as Readonly<ContactColumns>;

/** The columns as each database casts them, where a statement has to say so. */
export const columnCasts = {
  name: "text",
  name_key: "text",
  long_keys: "text",
  ...Object.fromEntries(columns.map(([name, { cast }]) => [name, cast])),
} as Readonly<Record<ColumnName, string>>;

export const columnNames = Object.keys(columnCasts) as readonly ColumnName[];

/** The fields, and the columns that show them. */
export const shownColumns = Object.entries(contactFields).map(
  ([field, { columns: own }]) => [field as ContactField, Object.keys(own)[0] as ColumnName] as const,
);

/** The columns that `input` sets; a phone number without a country is one of `country`. */
export function toColumns(input: ContactInput, country: string): Partial<ContactColumns> {
  const set: Record<string, unknown> = {};
  for (const [field, column] of shownColumns) {
    const value = input[field];
    if (value === undefined) continue;
    const row = contactFields[field];
    if ("store" in row) Object.assign(set, row.store(value as never, country));
    else set[column] = value;
  }
  return set;
}

/** Of each text: its column, the column of its key, and how it is folded. */
const keyedTexts = Object.values(contactFields).flatMap((field) =>
  "part" in field ? [{ text: Object.keys(field.columns)[0] as ColumnName, ...field.part }] : [],
);

/** What the columns give together: the name that people see (the names, else the e-mail address, else the phone number) and keys. */
export function derive(given: ContactColumns): Derived {
  const { first_name, last_name, email, phone_display } = given;
  const name = `${first_name} ${last_name}`.trim() || email || phone_display || "Unnamed contact";
  const name_key = textKey(name);
  const long: Record<string, string> = isCut(name_key) ? { name_key: fold(name) } : {};
  for (const { text, column, fold: foldText } of keyedTexts) {
    const key = given[column as ColumnName];
    if (typeof key === "string" && isCut(key)) long[column] = foldText(given[text] as string);
  }
  return { name, name_key, long_keys: Object.keys(long).length === 0 ? null : JSON.stringify(long) };
}
