/** The columns of the writable fields of contacts: conversion from input, and derived columns. */
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
  /** A JSON object: key column → full folded text, for keys that were truncated. */
  long_keys: string | null;
}

/** The columns that input sets, and those derived from them. */
export type ContactColumns = Derived & {
  -readonly [Name in keyof FieldColumns]: FieldColumns[Name]["blank"];
};

export type ColumnName = keyof ContactColumns;

const columns = Object.values(contactFields).flatMap((field) => Object.entries(field.columns));

/** The defaults of all columns. */
export const blankColumns = {
  name: "",
  name_key: "",
  long_keys: null,
  ...Object.fromEntries(columns.map(([name, { blank }]) => [name, blank])),
} as Readonly<ContactColumns>;

/** The SQL types of the columns, for statements that need casts. */
export const columnCasts = {
  name: "text",
  name_key: "text",
  long_keys: "text",
  ...Object.fromEntries(columns.map(([name, { cast }]) => [name, cast])),
} as Readonly<Record<ColumnName, string>>;

export const columnNames = Object.keys(columnCasts) as readonly ColumnName[];

/** Fields and the columns that responses show. */
export const shownColumns = Object.entries(contactFields).map(
  ([field, { columns: own }]) => [field as ContactField, Object.keys(own)[0] as ColumnName] as const,
);

/** The columns that `input` sets; `country` is the default country of phone numbers. */
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

/** For each text: its column, its key column, and its folding. */
const keyedTexts = Object.values(contactFields).flatMap((field) =>
  "part" in field ? [{ text: Object.keys(field.columns)[0] as ColumnName, ...field.part }] : [],
);

/** Computes the derived columns: the display name (the names, or else the e-mail address, or else the phone number) and long keys. */
export function derive(fields: ContactColumns): Derived {
  const { first_name, last_name, email, phone_display } = fields;
  const name = `${first_name} ${last_name}`.trim() || email || phone_display || "Unnamed contact";
  const name_key = textKey(name);
  const long: Record<string, string> = isCut(name_key) ? { name_key: fold(name) } : {};
  for (const { text, column, fold: foldText } of keyedTexts) {
    const key = fields[column as ColumnName];
    if (typeof key === "string" && isCut(key)) long[column] = foldText(fields[text] as string);
  }
  return { name, name_key, long_keys: Object.keys(long).length === 0 ? null : JSON.stringify(long) };
}
