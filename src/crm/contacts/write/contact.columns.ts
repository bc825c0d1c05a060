/** What people and programs set on a contact, as columns: input and keys in, the columns that differ out. */
import { fold } from "../../../kit/text.ts";
import { contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";
import type { ContactInput } from "../contact.schema.ts";

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type FieldColumns = Both<(typeof contactFields)[ContactField]["columns"]>;

/** The columns that input reaches, with the keys that are derived from them. */
export type ContactColumns = { name: string; name_key: string } & {
  -readonly [Name in keyof FieldColumns]: FieldColumns[Name]["blank"];
};

type ColumnName = keyof ContactColumns;

const columns = Object.values(contactFields).flatMap((field) => Object.entries(field.columns));

/** A contact of which nothing is known. */
export const blankColumns = {
  name: "",
  name_key: "",
  ...Object.fromEntries(columns.map(([name, { blank }]) => [name, blank])),
} as Readonly<ContactColumns>;

/** The columns as each database casts them, where a statement has to say so. */
export const columnCasts = {
  name: "text",
  name_key: "text",
  ...Object.fromEntries(columns.map(([name, { cast }]) => [name, cast])),
} as Readonly<Record<ColumnName, string>>;

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

/** What people see: the names, else the e-mail address, else the phone number. */
export function toName({ first_name, last_name, email, phone_display }: ContactColumns): {
  name: string;
  name_key: string;
} {
  const name = `${first_name} ${last_name}`.trim() || email || phone_display || "Unnamed contact";
  return { name, name_key: fold(name) };
}
