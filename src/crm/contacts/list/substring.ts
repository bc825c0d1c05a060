/** Substring search in texts: in their keys, which an index covers, and in the few texts that are longer than their keys. */
import type { LocationContext } from "../../../events/caller.ts";
import { isWithinKeys } from "../../../kit/text-key.ts";
import { jsonText } from "../../../storage/json.ts";
import type { Value } from "../../../storage/value.ts";
import { byIndex } from "../../../storage/query-plans.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contains, startsWith } from "../../../storage/reading/text-matching.ts";
import { beginning } from "../../text-index/words.ts";
import type { ContactText } from "../../contact-texts.ts";

/** Binds a value and returns its placeholder. */
export type Bind = (value: Value) => SqlText;

export interface SubstringColumn {
  /** The key column. */
  readonly key: SqlText;
  /** The folding of both sides. */
  readonly fold: (text: string) => string;
  /** SQL that applies `holds` to the full text of contacts with long texts; omitted if there are none. */
  readonly inLong?: (holds: (text: SqlText) => SqlText, bind: Bind) => SqlText;
}

/** That of a text of contacts, which a text index contains. */
export interface TextColumn extends SubstringColumn {
  /** The name of the key column. */
  readonly column: string;
}

/** How many contacts of a location have texts longer than their keys. Only affects speed, except that `none` skips them. */
export type LongTexts = "none" | "few" | "many";

/** The search of a text field of the contacts of a location, by key column. */
export function substringColumn(
  column: string,
  fold: (text: string) => string,
  { id }: LocationContext,
  longTexts: LongTexts = "few",
): TextColumn {
  const part = { column, key: sql`contacts.${column}`, fold };
  if (longTexts === "none") return part;
  if (longTexts === "many") {
    // Searched row by row during the scan, since searching all of them at once would take longer than a slice may.
    const inOwn = jsonText("contacts.long_keys", column);
    return { ...part, inLong: (holds) => sql`(contacts.long_keys is not null and ${holds(inOwn)})` };
  }
  const long = (bind: Bind) =>
    sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")} where long.location_id = ${bind(id)} and long.deleted_at is null and long.long_keys is not null`;
  return {
    ...part,
    // Searched once, by a partial index; if that is empty, only the keys are searched.
    inLong: (holds, bind) =>
      sql`(exists (select 1 ${long(bind)}) and contacts.id in (select long.id ${long(bind)} and ${holds(jsonText("long.long_keys", column))}))`,
  };
}

/** What an index of texts has of a contact whose text contains `text` or begins with it. */
export function toContactText(op: "contains" | "starts_with", { column, fold }: TextColumn, text: string): ContactText {
  return op === "contains" ? { column, text: fold(text) } : { column, text: beginning(fold(text)), beginsLine: true };
}

/** SQL for "contains" or "starts with" `text`. */
export function matchesSubstring(
  op: "contains" | "starts_with",
  { key, fold, inLong }: SubstringColumn,
  text: string,
  bind: Bind,
): SqlText {
  const folded = fold(text);
  const holds = (column: SqlText) => (op === "contains" ? contains : startsWith)(column, bind(folded));
  if (inLong === undefined || (op === "starts_with" && isWithinKeys(folded))) return holds(key);
  return sql`(${holds(key)} or ${inLong(holds, bind)})`;
}
