/** Applies a report about an undelivered mail: the message fails, or the report is kept in the conversation with the recipient. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { emailKey } from "../../../kit/text-key.ts";
import type { DeliveryReport, ParsedMail } from "../../../mail/parsing/parsed-mail.ts";
import { lockConversation } from "../conversation-activity.ts";
import type { ConversationChannel } from "../conversation.service.ts";
import { moveMessage } from "../messages/message-status.ts";
import { insertMessage } from "../messages/message.service.ts";
import type { ReceivedMessage } from "./inbound.service.ts";
import { findOutboundMail } from "./thread.ts";

/** A permanent failure raises message.failed. Undefined: the report names neither a known mail nor a known recipient, and is dropped. */
export async function receiveDeliveryReport(
  change: Change<LocationContext>,
  channel: ConversationChannel,
  mail: ParsedMail,
  report: DeliveryReport,
): Promise<ReceivedMessage | undefined> {
  const reported = await findOutboundMail(change, channel.id, report.messageIds);
  if (reported !== undefined && report.isFinal) {
    const { id, conversation_id } = reported;
    await moveMessage(change, id, { conversationId: conversation_id, status: "failed", error: report.reason });
    return { isNew: false, id, conversation_id };
  }
  const conversationId =
    reported?.conversation_id ?? (await findConversationWith(change, channel.id, report.recipient));
  return conversationId === undefined ? undefined : keepReport(change, conversationId, mail);
}

const newest = "order by conversations.last_message_at desc, conversations.id desc limit 1";
const ofContactText = `select conversations.id from contacts join conversations on conversations.contact_id = contacts.id
  where contacts.location_id = ? and contacts.email_key = ? and contacts.deleted_at is null and conversations.channel_id = ? ${newest}`;
const ofSenderText = `select id from conversations where channel_id = ? and sender_key = ? ${newest}`;

/** The newest conversation with an address on the channel. */
async function findConversationWith(
  change: Change<LocationContext>,
  channelId: number,
  recipient: string | null,
): Promise<number | undefined> {
  if (recipient === null) return undefined;
  const key = emailKey(recipient);
  const [ofContact] = await change.rows<{ id: number }>(ofContactText, [change.location.id, key, channelId]);
  if (ofContact !== undefined) return ofContact.id;
  const [ofSender] = await change.rows<{ id: number }>(ofSenderText, [channelId, key]);
  return ofSender?.id;
}

/** The channel and the id of the mail find it: a conversation may have any number of messages. */
const earlierText = "select id from messages where channel_id = ? and message_id = ? and conversation_id = ?";

/** Keeps a report as a system message, once. */
async function keepReport(
  change: Change<LocationContext>,
  conversationId: number,
  { messageId, sender, to, subject, body }: ParsedMail,
): Promise<ReceivedMessage> {
  const conversation = await lockConversation(change, conversationId);
  const earlier =
    messageId === null
      ? []
      : await change.rows<{ id: number }>(earlierText, [conversation.channel_id, messageId, conversationId]);
  if (earlier.length > 0) return { isNew: false, id: earlier[0]!.id, conversation_id: conversationId };
  const { id } = await insertMessage(change, conversation, {
    direction: "inbound",
    kind: "system",
    body,
    html: null,
    subject,
    from_address: sender.address,
    to_address: to,
    status: "received",
    author: null,
    external_id: null,
    message_id: messageId,
    sent_at: null,
  });
  return { isNew: true, id, conversation_id: conversationId };
}
