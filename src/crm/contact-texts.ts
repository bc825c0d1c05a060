/**
 * The two text indexes of contacts, which follow the event log (contact-texts.follower.ts): one of names, e-mail address and phone number, by which people
 * are looked for, and one of all other texts. So the name of a city that many live in is rare among names.
 */
import { defineLineIndex } from "../storage/reading/trigram-lines.ts";
import type { LineIndex } from "../storage/reading/trigram-lines.ts";
import { byIndex } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import type { Value } from "../storage/value.ts";
import { textKeys } from "./contact.entity.ts";
import { mostCandidates } from "./text-index/text-index.ts";
import type { TextIndexName } from "./text-index/text-index.ts";

/** The contacts of a location with texts longer than their keys, as `long`, by the partial index that lists the few. Binds the location. */
export const fromLongTexts = sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")}
  where long.location_id = ? and long.deleted_at is null and long.long_keys is not null`;

export interface ContactTextIndex {
  readonly name: Extract<TextIndexName, "contact_names" | "contact_others">;
  readonly index: LineIndex;
}

const nameColumns: readonly string[] = [
  "phone_key",
  "name_key",
  "first_name_key",
  "last_name_key",
  "email_key",
  "phone_display_key",
];
const otherColumns = textKeys.filter((column) => !nameColumns.includes(column));

/** Of both names with a space between them, too. */
export const contactNameTexts: ContactTextIndex = {
  name: "contact_names",
  index: defineLineIndex("contact_name_texts", mostCandidates, {
    table: "contacts",
    columns: nameColumns,
    // The fields of a search.
    together: ["name_key", "email_key", "phone_key", "phone_display_key"],
  }),
};
/** Of all other texts. */
export const contactOtherTexts: ContactTextIndex = {
  name: "contact_others",
  index: defineLineIndex("contact_other_texts", mostCandidates, {
    table: "contacts",
    columns: otherColumns,
    together: [],
  }),
};
/** Together they contain all. */
export const contactTextIndexes: readonly ContactTextIndex[] = [contactNameTexts, contactOtherTexts];

/** The index that contains a column. */
export const indexOf = (column: string): ContactTextIndex =>
  nameColumns.includes(column) ? contactNameTexts : contactOtherTexts;

/** A condition in terms of `contacts`, and what it binds. */
export interface TextCondition {
  readonly text: SqlText;
  readonly params: readonly Value[];
}

/** A folded text, and the column that contains it. */
export interface ContactText {
  readonly column: string;
  readonly text: string;
  /** Whether the column begins with it, but for its first character (words.ts). */
  readonly beginsLine?: boolean;
}

/** Texts of which a contact contains at least one, and the condition on its columns that decides so, if no others do. */
export interface AnyContactText {
  readonly texts: readonly ContactText[];
  readonly condition?: TextCondition;
}
