/** Judges whether records that name contacts, conversations and attachments are about the person of an erasure. */
import type { Rows } from "../../storage/rows.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import type { Mentions } from "./mentions.ts";
import type { ErasureScope } from "./steps/erasure-step.ts";

const ownText = sql`select id from conversations where id in ${listed} and contact_id in ${listed}`;

/** Attachments that are stored and belong to no message of the person. */
const othersText = sql`select attachments.id from attachments left join messages on messages.id = attachments.message_id
    left join conversations on conversations.id = messages.conversation_id
  where attachments.id in ${listed} and (conversations.contact_id is null or conversations.contact_id not in ${listed})`;

/** Asks once for the conversations of all, and once for the attachments; what names one that is gone is taken for the person's. Resolves to the judgement of each. */
export async function namesPerson(
  { rows }: Pick<Rows, "rows">,
  { contactIds, list }: Pick<ErasureScope, "contactIds" | "list">,
  all: readonly { readonly mentions: Mentions }[],
): Promise<(mentions: Mentions) => boolean> {
  const contacts = new Set(contactIds);
  const named = [...new Set(all.flatMap(({ mentions }) => [...mentions.conversations]))];
  const own = named.length === 0 ? [] : await rows<{ id: number }>(ownText, [JSON.stringify(named), list]);
  const conversations = new Set(own.map(({ id }) => id));
  const attachments = new Set(all.flatMap(({ mentions }) => [...mentions.attachments]));
  if (attachments.size > 0) {
    const others = await rows<{ id: number }>(othersText, [JSON.stringify([...attachments]), list]);
    for (const { id } of others) attachments.delete(id);
  }
  return (mentions) =>
    !mentions.contacts.isDisjointFrom(contacts) ||
    !mentions.conversations.isDisjointFrom(conversations) ||
    !mentions.attachments.isDisjointFrom(attachments);
}
