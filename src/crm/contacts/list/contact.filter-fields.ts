/** What of a contact can be asked for: of which kind it is, and where `contacts` has it. */
import { fold } from "../../../kit/text.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { folded } from "../../../storage/text-matching.ts";
import { contactFieldNames, contactFields } from "../contact.fields.ts";
import type { ContactField } from "../contact.fields.ts";

export type Kind = "text" | "number" | "boolean" | "timestamp" | "tag";

const settable = Object.fromEntries(contactFieldNames.map((field) => [field, contactFields[field].kind])) as {
  [Field in ContactField]: (typeof contactFields)[Field]["kind"];
};

/** The scalars of both shapes, and what makes lists worth keeping. */
export const filterKinds = {
  id: "number",
  name: "text",
  ...settable,
  /** The name under which answers show the phone. */
  phone_display: "text",
  value_cents: "number",
  stage_id: "number",
  stage_kind: "text",
  has_open_task: "boolean",
  created_at: "timestamp",
  updated_at: "timestamp",
  last_activity_at: "timestamp",
  tag: "tag",
} as const satisfies Readonly<Record<string, Kind>>;

export type FilterField = keyof typeof filterKinds;

/** How a text is compared: with what, what stands for it in the statement, and what is sent. */
export interface TextForm {
  readonly column: SqlText;
  readonly placeholder: SqlText;
  readonly toParam: (text: string) => string;
}

/** Where a field is found; a text is also compared as a whole, and for a part of it. */
export interface FilterColumn {
  readonly column: string;
  readonly whole?: TextForm;
  readonly part?: TextForm;
  /** Whether "" is nothing: a name that is not known. */
  readonly mayBeBlank?: boolean;
}

/** Finds a field; tags are rows of their own. */
export type ColumnOf = (field: Exclude<FilterField, "tag">) => FilterColumn;

/** The columns of `contacts`; a phone number without a country is one of `country`. */
export function contactColumns(country: string): ColumnOf {
  return (field) => {
    if (field === "phone_display") return columnOf("phone", country);
    return isSettable(field) ? columnOf(field, country) : derived[field];
  };
}

const derived: Readonly<Record<Exclude<FilterField, ContactField | "phone_display" | "tag">, FilterColumn>> = {
  id: { column: "contacts.id" },
  name: keyed("contacts.name_key", fold),
  created_at: { column: "contacts.created_at" },
  updated_at: { column: "contacts.updated_at" },
  last_activity_at: { column: "contacts.last_activity_at" },
  // What pipelines and tasks will say of a contact: constants until they do.
  stage_id: { column: "cast(null as bigint)" },
  stage_kind: compared("cast(null as text)"),
  value_cents: { column: "cast(0 as bigint)" },
  has_open_task: { column: "(1 = 0)" },
};

function columnOf(field: ContactField, country: string): FilterColumn {
  const row = contactFields[field];
  const [shown, { blank }] = Object.entries(row.columns)[0]!;
  const column = `contacts.${shown}`;
  if (row.kind !== "text") return { column };
  const form = { ...compared(column), mayBeBlank: blank === "" };
  if (!("key" in row)) return form;
  const key = keyed(`contacts.${row.key.column}`, (text) => row.key.of(text, country));
  // A part of a number is no number: it is looked for in what people see.
  return field === "phone" ? { ...key, part: form.part } : key;
}

function isSettable(field: string): field is ContactField {
  return Object.hasOwn(contactFields, field);
}

function keyed(column: string, toParam: (text: string) => string): FilterColumn {
  const form = { column: sql`${column}`, placeholder: sql`?`, toParam };
  return { column, whole: form, part: form };
}

function compared(column: string): Required<Omit<FilterColumn, "mayBeBlank">> {
  const form = { column: folded(column), placeholder: folded("?"), toParam: (text: string) => text };
  return { column, whole: form, part: form };
}
