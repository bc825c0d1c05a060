/** The filter fields of contacts: the type and the column of each. */
import type { LocationContext } from "../../../events/caller.ts";
import { textKey } from "../../../kit/text-key.ts";
import { fold } from "../../../kit/text.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { ScopeName } from "../../../vocabulary/scopes.ts";
import { isCustomFilter } from "../../custom-fields/filters/custom-condition.ts";
import type { CustomFilterField } from "../../custom-fields/filters/custom-condition.ts";
import type { CustomColumn } from "../../custom-fields/filters/custom-condition.sql.ts";
import { textKeys } from "../../contact.entity.ts";
import { contactFieldNames, contactFields } from "../contact.fields.ts";
import type { ContactField, KeyedText } from "../contact.fields.ts";
import { substringColumn } from "./substring.ts";
import type { LongTexts, SubstringColumn, TextColumn } from "./substring.ts";

export type Kind = "id" | "text" | "number" | "boolean" | "timestamp" | "tag";

const settable = Object.fromEntries(contactFieldNames.map((field) => [field, contactFields[field].kind])) as {
  [Field in ContactField]: (typeof contactFields)[Field]["kind"];
};

/** The scalar fields of both response shapes, and a few derived ones. */
export const filterKinds = {
  id: "id",
  name: "text",
  ...settable,
  owner_user_id: "id",
  /** The name of the phone in responses. */
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

export type FilterField = keyof typeof filterKinds | CustomFilterField;

/** The scope that a filter needs besides `contacts.readonly`: filtering by a redacted field would reveal its value. */
export function scopeOfFilter(field: FilterField): ScopeName | null {
  if (field === "has_open_task") return "tasks.readonly";
  return field === "stage_id" || field === "stage_kind" || field === "value_cents" ? "opportunities.readonly" : null;
}

/** The column of a field; for texts, the key column. */
export interface FilterColumn {
  readonly column: string;
  /** For texts: normalizes a value to its key. */
  readonly keyOf?: (text: string) => string;
  readonly part?: SubstringColumn | TextColumn;
  /** Whether "" means empty, as for names. */
  readonly mayBeBlank?: boolean;
  /** Whether the column is a condition. Indexes only match its exact form: `x is not null`, not `(x is not null) = true`. */
  readonly isCondition?: boolean;
  /** For custom fields, which are rows of their own. */
  readonly custom?: CustomColumn;
  /** Whether the covering index of the list lacks it: then the row must be read. */
  readonly isApart?: boolean;
}

/** Returns the column of a field. Tags have no column; they are rows of their own. */
export type ColumnOf = (field: Exclude<FilterField, "tag">) => FilterColumn;

/** The columns of the contacts of a location, whose country is the default for phone numbers. */
export function contactColumns(location: LocationContext, longTexts?: LongTexts): ColumnOf {
  return (field) => {
    if (isCustomFilter(field))
      return {
        column: "",
        custom: { subject: "contact", key: field.slice("custom.".length), locationId: location.id },
      };
    if (field === "phone_display") return settableColumn("phone", location, longTexts);
    if (field === "name") return textColumn(name, location, longTexts);
    return isSettable(field) ? settableColumn(field, location, longTexts) : derived[field];
  };
}

const name = { key: { column: "name_key", of: textKey }, part: { column: "name_key", fold } };

const derived: Readonly<
  Record<Exclude<keyof typeof filterKinds, ContactField | "name" | "phone_display" | "tag">, FilterColumn>
> = {
  id: { column: "contacts.id" },
  created_at: { column: "contacts.created_at", isApart: true },
  updated_at: { column: "contacts.updated_at", isApart: true },
  last_activity_at: { column: "contacts.last_activity_at" },
  // Denormalized from opportunities and tasks.
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
    part: substringColumn(part.column, part.fold, location, longTexts),
    isApart: !textKeys.includes(key.column),
  };
}
