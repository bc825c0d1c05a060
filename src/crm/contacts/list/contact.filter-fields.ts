/** What of a contact can be asked for: of which kind it is, and where `contacts` has it. */
import type { LocationContext } from "../../../events/caller.ts";
import { textKey } from "../../../kit/text-key.ts";
import { fold } from "../../../kit/text.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { textKeys } from "../../contact.entity.ts";
import { contactFieldNames, contactFields } from "../contact.fields.ts";
import type { ContactField, KeyedText } from "../contact.fields.ts";
import { partOfContact } from "./text-part.ts";
import type { LongTexts, TextPart } from "./text-part.ts";

export type Kind = "id" | "text" | "number" | "boolean" | "timestamp" | "tag";

const settable = Object.fromEntries(contactFieldNames.map((field) => [field, contactFields[field].kind])) as {
  [Field in ContactField]: (typeof contactFields)[Field]["kind"];
};

/** The scalars of both shapes, and what makes lists worth keeping. */
export const filterKinds = {
  id: "id",
  name: "text",
  ...settable,
  owner_user_id: "id",
  /** The name under which answers show the phone. */
  phone_display: "text",
  value_cents: "number",
  stage_id: "id",
  stage_kind: "text",
  has_open_task: "boolean",
  created_at: "timestamp",
  updated_at: "timestamp",
  last_activity_at: "timestamp",
  tag: "tag",
} as const satisfies Readonly<Record<string, Kind>>;

export type FilterField = keyof typeof filterKinds;

/** What a filter needs beside `contacts.readonly`: whoever could ask for a member that is not shown would know it. */
export function scopeOfFilter(field: FilterField): ScopeName | null {
  if (field === "has_open_task") return "tasks.readonly";
  return field === "stage_id" || field === "stage_kind" || field === "value_cents" ? "opportunities.readonly" : null;
}

/** Where a field is found. That of a text is its key. */
export interface FilterColumn {
  readonly column: string;
  /** Texts alone: the key of a value. */
  readonly keyOf?: (text: string) => string;
  readonly part?: TextPart;
  /** Whether "" is nothing: a name that is not known. */
  readonly mayBeBlank?: boolean;
  /** Whether the column is a condition, which an index answers only as it stands: `x is not null`, not `(x is not null) = true`. */
  readonly isCondition?: boolean;
  /** Whether the index of the list does not carry it: then the contact itself is read. */
  readonly isApart?: boolean;
}

/** Finds a field; tags are rows of their own. */
export type ColumnOf = (field: Exclude<FilterField, "tag">) => FilterColumn;

/** The columns of `contacts`, where only those of `location` are asked for; a phone number without a country is one of its. */
export function contactColumns(location: LocationContext, longTexts?: LongTexts): ColumnOf {
  return (field) => {
    if (field === "phone_display") return settableColumn("phone", location, longTexts);
    if (field === "name") return textColumn(name, location, longTexts);
    return isSettable(field) ? settableColumn(field, location, longTexts) : derived[field];
  };
}

const name = { key: { column: "name_key", of: textKey }, part: { column: "name_key", fold } };

const derived: Readonly<Record<Exclude<FilterField, ContactField | "name" | "phone_display" | "tag">, FilterColumn>> = {
  id: { column: "contacts.id" },
  created_at: { column: "contacts.created_at", isApart: true },
  updated_at: { column: "contacts.updated_at", isApart: true },
  last_activity_at: { column: "contacts.last_activity_at" },
  // What opportunities and tasks keep on the contact.
  stage_id: { column: "contacts.stage_id", isApart: true },
  stage_kind: {
    column: "contacts.stage_kind",
    keyOf: textKey,
    part: { key: sql`contacts.stage_kind`, fold, inLong: () => sql`(1 = 0)` },
    isApart: true,
  },
  value_cents: { column: "contacts.value_cents", isApart: true },
  has_open_task: { column: "(contacts.next_task_id is not null)", isCondition: true, isApart: true },
};

function settableColumn(
  field: ContactField,
  location: LocationContext,
  longTexts: LongTexts | undefined,
): FilterColumn {
  const row = contactFields[field];
  const [shown, { blank }] = Object.entries(row.columns)[0]!;
  if (!("key" in row)) return { column: `contacts.${shown}`, isApart: true };
  return { ...textColumn(row, location, longTexts), mayBeBlank: blank === "" };
}

function isSettable(field: string): field is ContactField {
  return Object.hasOwn(contactFields, field);
}

function textColumn(
  { key, part }: KeyedText,
  location: LocationContext,
  longTexts: LongTexts | undefined,
): FilterColumn {
  return {
    column: `contacts.${key.column}`,
    keyOf: (text) => key.of(text, location.country),
    part: partOfContact(part.column, part.fold, location, longTexts),
    isApart: !textKeys.includes(key.column),
  };
}
