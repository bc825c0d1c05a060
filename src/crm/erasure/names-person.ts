/** Judges whether records that name contacts and conversations are about the person of an erasure. */
import type { Rows } from "../../storage/rows.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import type { Mentions } from "./mentions.ts";
import type { ErasureScope } from "./steps/erasure-step.ts";

const ownText = sql`select id from conversations where id in ${listed} and contact_id in ${listed}`;

/** Asks once for the conversations of all; resolves to the judgement of each. */
export async function namesPerson(
  { rows }: Pick<Rows, "rows">,
  { contactIds, list }: Pick<ErasureScope, "contactIds" | "list">,
  all: readonly { readonly mentions: Mentions }[],
): Promise<(mentions: Mentions) => boolean> {
  const contacts = new Set(contactIds);
  const named = [...new Set(all.flatMap(({ mentions }) => [...mentions.conversations]))];
  const own = named.length === 0 ? [] : await rows<{ id: number }>(ownText, [JSON.stringify(named), list]);
  const conversations = new Set(own.map(({ id }) => id));
  return (mentions) =>
    !mentions.contacts.isDisjointFrom(contacts) || !mentions.conversations.isDisjointFrom(conversations);
}
