/** Finds messages of a channel by their Message-IDs: the thread that a mail continues, and the mail that a report is about. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { placeholders } from "../../../storage/rows.ts";

interface NamedMessage {
  readonly id: number;
  readonly conversation_id: number;
  readonly message_id: string;
}

/** A conversation of a deleted contact is not continued. */
const threadText = (count: number): string => `select messages.id, messages.conversation_id, messages.message_id
  from messages join conversations on conversations.id = messages.conversation_id
    left join contacts on contacts.id = conversations.contact_id
  where messages.channel_id = ? and messages.message_id in (${placeholders(count)}) and contacts.deleted_at is null`;

/** The conversation of the first known Message-ID in the given order. */
export async function findThread(
  reader: Reader<LocationContext>,
  channelId: number,
  messageIds: readonly string[],
): Promise<number | undefined> {
  const found = await findFirst(reader, threadText(messageIds.length), channelId, messageIds);
  return found?.conversation_id;
}

const outboundText = (count: number): string => `select id, conversation_id, message_id from messages
  where channel_id = ? and message_id in (${placeholders(count)}) and direction = 'outbound'`;

/** The mail of ours with the first known Message-ID in the given order. */
export function findOutboundMail(
  reader: Reader<LocationContext>,
  channelId: number,
  messageIds: readonly string[],
): Promise<NamedMessage | undefined> {
  return findFirst(reader, outboundText(messageIds.length), channelId, messageIds);
}

async function findFirst(
  reader: Reader<LocationContext>,
  text: string,
  channelId: number,
  messageIds: readonly string[],
): Promise<NamedMessage | undefined> {
  if (messageIds.length === 0) return undefined;
  const rows = await reader.rowsOnce<NamedMessage>(text, [channelId, ...messageIds]);
  return rows.toSorted((one, other) => messageIds.indexOf(one.message_id) - messageIds.indexOf(other.message_id))[0];
}
