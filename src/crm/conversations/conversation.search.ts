/**
 * The search key of conversations: the names and the e-mail address of the contact, folded and copied onto each conversation, so that an
 * index in list order can cover it.
 */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import { fold } from "../../kit/text.ts";
import { jsonText, listedAsGiven } from "../../storage/json.ts";
import { placeholders } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import { contains } from "../../storage/reading/text-matching.ts";
import { findCandidates } from "../contact-candidates.ts";
import { fromLongTexts } from "../contact-texts.ts";
import type { TextCondition } from "../contact-texts.ts";
import { textsOfWord } from "../text-index/words.ts";

/** SQL for the search key of a contact; empty without one. Folded texts contain no line breaks, so a match cannot span two fields. */
export function searchKeyOfContact(id: string): string {
  return `coalesce((select '\n' || first_name_key || ' ' || last_name_key || '\n' || coalesce(email_key, '') from contacts
    where contacts.id = ${id} and contacts.deleted_at is null), '')`;
}

const copy = `update conversations set contact_key = ${searchKeyOfContact("conversations.contact_id")}`;

/** Updates the key on every conversation of locked contacts whose names or addresses changed, or that were deleted. */
export async function updateSearchKeys(change: Change, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length === 1) await change.rows(`${copy} where contact_id = ?`, contactIds);
  else await change.rowsOnce(`${copy} where contact_id in (${placeholders(contactIds.length)})`, contactIds);
}

/** Updates the key of one conversation, after its contact was set. */
export function updateSearchKey(change: Change, conversationId: number): void {
  change.send(`${copy} where id = ?`, [conversationId]);
}

/** Matches conversations whose contact has `search` in the first name, last name or e-mail address, folded. */
export function searchCondition(search: string, locationId: number): TextCondition {
  const texts = textsOfWord(fold(search));
  const last = texts.at(-1)!;
  return {
    text: texts.length === 1 ? anywhere : atBeginning,
    params: [...texts, locationId, locationId, last, last, last],
  };
}

const inKey = contains(sql`conversations.contact_key`, sql`?`);

/** For the few contacts with texts longer than their keys (src/kit/text-key.ts), which a partial index lists. A key shows how its text begins. */
const inLong = joinSql(
  ["first_name_key", "last_name_key", "email_key"].map((column) =>
    contains(jsonText("long.long_keys", column), sql`?`),
  ),
  " or ",
);
const ofLong = sql`(exists (select 1 ${fromLongTexts}) and conversations.id in (select found.id from conversations as found join (select long.id ${fromLongTexts} and (${inLong})) as long on long.id = found.contact_id))`;

const anywhere = sql`(${inKey} or ${ofLong})`;
const atBeginning = sql`(${inKey} or ${inKey} or ${ofLong})`;

/** More conversations than these take longer to judge than a slice of the ordered scan, which is used instead. */
const mostOfContacts = 5000;
const ofContacts = sql`select found.id from ${listedAsGiven} cross join conversations as found where found.contact_id = given.value
  limit ${mostOfContacts + 1}`;

/** The conversations of all contacts that may match, among others; undefined if the text index does not help, or they are too many. */
export async function findSearched(reader: Reader<LocationContext>, search: string): Promise<number[] | undefined> {
  const texts = textsOfWord(fold(search)).map((text) => ({ text, beginsLine: text.startsWith("\n") }));
  const contacts = await findCandidates(reader, [
    { texts: ["name_key", "email_key"].flatMap((column) => texts.map((text) => ({ column, ...text }))) },
  ]);
  if (contacts === undefined) return undefined;
  const found = await reader.rows<{ id: number }>(ofContacts, [JSON.stringify(contacts)]);
  return found.length > mostOfContacts ? undefined : found.map(({ id }) => id);
}
