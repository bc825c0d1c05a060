/**
 * The two text indexes of contacts, which follow the event log (contact-texts.follower.ts): one of names, e-mail address and phone number, by which people
 * are looked for, and one of all other texts. So the name of a city that many live in is rare among names.
 */
import { defineTrigramIndex } from "../storage/reading/trigram-index.ts";
import type { TrigramIndex } from "../storage/reading/trigram-index.ts";
import { byIndex } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import { mostCandidates } from "./text-index/text-index.ts";
import { beginning } from "./text-index/words.ts";
import type { TextIndexName } from "./text-index/text-index.ts";

/** The contacts of a location with texts longer than their keys, as `long`, by the partial index that lists the few. Binds the location. */
export const fromLongTexts = sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")}
  where long.location_id = ? and long.deleted_at is null and long.long_keys is not null`;

export interface ContactTextIndex {
  readonly name: Extract<TextIndexName, "contact_names" | "contact_others">;
  readonly index: TrigramIndex;
}

/** Of the columns in `nameColumns`, and of both names with a space between them. */
export const contactNameTexts: ContactTextIndex = {
  name: "contact_names",
  index: defineTrigramIndex("contact_name_texts", mostCandidates),
};
/** Of all other texts; rows of earlier versions contain the names as well. */
export const contactOtherTexts: ContactTextIndex = {
  name: "contact_others",
  index: defineTrigramIndex("contact_other_texts", mostCandidates),
};
/** Together they contain all. */
export const contactTextIndexes: readonly ContactTextIndex[] = [contactNameTexts, contactOtherTexts];

const nameColumns: ReadonlySet<string> = new Set([
  "name_key",
  "first_name_key",
  "last_name_key",
  "email_key",
  "phone_key",
  "phone_display_key",
]);

/** The index that contains a column. */
export const indexOf = (column: string): ContactTextIndex =>
  nameColumns.has(column) ? contactNameTexts : contactOtherTexts;

/** What the index contains where the column begins with a folded text. A last name follows the first one and a space. */
export const beginningOf = (column: string, text: string): string =>
  column === "last_name_key" ? ` ${text}` : beginning(text);

/** A folded text, and the column that contains it. */
export interface ContactText {
  readonly column: string;
  readonly text: string;
}

/** Texts of which a contact contains at least one. */
export type AnyContactText = readonly ContactText[];
