/** Where a part of a text is looked for: in keys, which an index carries, and in the few texts that their keys only begin. */
import type { LocationContext } from "../../../events/caller.ts";
import { isWithinKeys } from "../../../kit/text-key.ts";
import { jsonText } from "../../../storage/json.ts";
import type { Value } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { contains, startsWith } from "../../../storage/reading/text-matching.ts";

/** Puts a value into a statement, and gives the question mark that stands for it there. */
export type Bind = (value: Value) => SqlText;

export interface TextPart {
  /** The column of the key. */
  readonly key: SqlText;
  /** How both sides are folded. */
  readonly fold: (text: string) => string;
  /** SQL that holds where `holds` does for the whole of a text that its key only begins; left out where there is none. */
  readonly inLong?: (holds: (text: SqlText) => SqlText, bind: Bind) => SqlText;
}

/** How many contacts of a location have texts that their keys only begin. Few or many: the same rows are found either way. */
export type LongTexts = "none" | "few" | "many";

/** A text of the contacts of a location, by the column of its key. */
export function partOfContact(
  column: string,
  fold: (text: string) => string,
  { id }: LocationContext,
  longTexts: LongTexts = "few",
): TextPart {
  const part = { key: sql`contacts.${column}`, fold };
  if (longTexts === "none") return part;
  if (longTexts === "many") {
    // Each contact is looked into as it is passed, since all of them at once would take longer than a piece may.
    const inOwn = jsonText("contacts.long_keys", column);
    return { ...part, inLong: (holds) => sql`(contacts.long_keys is not null and ${holds(inOwn)})` };
  }
  const long = (bind: Bind) =>
    sql`from contacts as long where long.location_id = ${bind(id)} and long.deleted_at is null and long.long_keys is not null`;
  return {
    ...part,
    // Read once, from an index of their own, and not at all where there are none: the keys answer from theirs.
    inLong: (holds, bind) =>
      sql`(exists (select 1 ${long(bind)}) and contacts.id in (select long.id ${long(bind)} and ${holds(jsonText("long.long_keys", column))}))`,
  };
}

/** SQL that holds where the text contains `text`, or begins with it. */
export function holdsPart(
  op: "contains" | "starts_with",
  { key, fold, inLong }: TextPart,
  text: string,
  bind: Bind,
): SqlText {
  const sought = fold(text);
  const holds = (column: SqlText) => (op === "contains" ? contains : startsWith)(column, bind(sought));
  if (inLong === undefined || (op === "starts_with" && isWithinKeys(sought))) return holds(key);
  return sql`(${holds(key)} or ${inLong(holds, bind)})`;
}
