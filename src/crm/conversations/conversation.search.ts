/**
 * What conversations are searched by: the names and the e-mail address of their contact, copied onto each in one folded key, so that
 * an index carries it in the order of the list.
 */
import type { Change } from "../../events/caller.ts";
import { codePointLength, fold } from "../../kit/text.ts";
import { jsonText } from "../../storage/json.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Value } from "../../storage/rows.ts";
import { joinSql, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { contains } from "../../storage/reading/text-matching.ts";

/** SQL for the key of the contact with this id; empty where there is none. No folded text has a line break, so none is found across two. */
export function keyOfContact(id: string): string {
  return `coalesce((select '\n' || first_name_key || ' ' || last_name_key || '\n' || coalesce(email_key, '') from contacts
    where contacts.id = ${id} and contacts.deleted_at is null), '')`;
}

const copy = `update conversations set contact_key = ${keyOfContact("conversations.contact_id")}`;

/** Copies the key anew onto every conversation of contacts, whose names or addresses moved, or which were deleted; they are held. */
export async function copyContactKeys(change: Change, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length === 1) await change.rows(`${copy} where contact_id = ?`, contactIds);
  else await change.rowsOnce(`${copy} where contact_id in (${placeholders(contactIds.length)})`, contactIds);
}

/** Copies the key onto one conversation, which was given a contact. */
export function copyContactKey(change: Change, conversationId: number): void {
  change.send(`${copy} where id = ?`, [conversationId]);
}

/** From so many characters on a text is found anywhere; a shorter one where a word begins. */
const leastAnywhere = 3;

interface SearchCondition {
  readonly text: SqlText;
  readonly params: readonly Value[];
}

/** Holds for conversations with a contact whose first name, last name or e-mail address has `search` in it, folded. */
export function searchCondition(search: string, locationId: number): SearchCondition {
  const sought = fold(search);
  if (codePointLength(sought) < leastAnywhere) {
    const column = sql`conversations.contact_key`;
    const either = [contains(column, sql`?`), contains(column, sql`?`)];
    return { text: sql`(${joinSql(either, " or ")})`, params: [`\n${sought}`, ` ${sought}`] };
  }
  return { text: anywhere, params: [sought, locationId, locationId, sought, sought, sought] };
}

const long =
  "from contacts as long where long.location_id = ? and long.deleted_at is null and long.long_keys is not null";

/** In the few contacts with a text that its key only begins (src/kit/text-key.ts); of which an index of its own tells. */
const inLong = joinSql(
  ["first_name_key", "last_name_key", "email_key"].map((column) =>
    contains(jsonText("long.long_keys", column), sql`?`),
  ),
  " or ",
);

const anywhere = sql`(${contains(sql`conversations.contact_key`, sql`?`)} or
  (exists (select 1 ${long}) and conversations.id in (select found.id from conversations as found join (select long.id ${long} and (${inLong})) as long on long.id = found.contact_id)))`;
