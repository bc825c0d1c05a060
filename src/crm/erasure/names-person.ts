/** Judges whether records that name contacts, conversations and attachments are about the person of an erasure. */
import { unpackPayload } from "../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../events/payloads/stored-payload.ts";
import type { Rows } from "../../storage/rows.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { findMentions } from "./mentions.ts";
import type { Mentions } from "./mentions.ts";
import type { ErasureScope } from "./steps/erasure-step.ts";

const conversationsText = sql`select id,
    case when contact_id in ${listed} then 1 else 0 end as is_own
  from conversations where id in ${listed}`;

const mostRead = 1000;
const timelineText = sql`select id, data from events where contact_id in ${listed} and id > ? and event like 'conversation.%'
  and data is not null order by id limit ${mostRead}`;

/** Those of the `deleted` conversations that the person had: the timeline names them, unless its payloads were pruned. */
async function findDeletedOfPerson(
  { rows }: Pick<Rows, "rows">,
  list: string,
  deleted: ReadonlySet<number>,
): Promise<number[]> {
  const found: number[] = [];
  if (deleted.size === 0) return found;
  for (let reached: number | undefined = 0; reached !== undefined;) {
    const events: { id: number; data: StoredPayload }[] = await rows(timelineText, [list, reached]);
    const named = events.flatMap(({ data }) => [
      ...findMentions(JSON.parse(unpackPayload(data)), "conversations").conversations,
    ]);
    found.push(...named.filter((id) => deleted.has(id)));
    reached = events.length < mostRead ? undefined : events.at(-1)!.id;
  }
  return found;
}

/** Attachments that are stored and belong to no message of the person. */
const othersText = sql`select attachments.id from attachments left join messages on messages.id = attachments.message_id
    left join conversations on conversations.id = messages.conversation_id
  where attachments.id in ${listed} and (conversations.contact_id is null or conversations.contact_id not in ${listed})`;

/**
 * Asks once for the conversations of all, and once for the attachments; what names an attachment that is gone is taken for the person's. Resolves
 * to the judgement of each.
 */
export async function namesPerson(
  { rows }: Pick<Rows, "rows">,
  { contactIds, list }: Pick<ErasureScope, "contactIds" | "list">,
  all: readonly { readonly mentions: Mentions }[],
): Promise<(mentions: Mentions) => boolean> {
  const contacts = new Set(contactIds);
  const named = [...new Set(all.flatMap(({ mentions }) => [...mentions.conversations]))];
  const known =
    named.length === 0
      ? []
      : await rows<{ id: number; is_own: number }>(conversationsText, [list, JSON.stringify(named)]);
  const own = known.filter((conversation) => conversation.is_own === 1).map(({ id }) => id);
  const deleted = new Set(named).difference(new Set(known.map(({ id }) => id)));
  const conversations = new Set([...own, ...(await findDeletedOfPerson({ rows }, list, deleted))]);
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
