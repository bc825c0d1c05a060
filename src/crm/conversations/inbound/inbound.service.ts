/** Receives inbound messages: finds the contact of the sender and the conversation. */
import type { Actor } from "../../../events/actor.ts";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { FieldChange } from "../../../events/event-record.ts";
import { toTimestamp } from "../../../kit/time/timestamp.ts";
import { toMessageId } from "../../../mail/message-id.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { lockKeys } from "../../../storage/locks.ts";
import type { ContactReference } from "../../contact-activity.ts";
import {
  conversationKey,
  lockNewestConversation,
  lockConversationUnderKey,
  recordOnTimeline,
} from "../conversation-activity.ts";
import { markReply } from "../../workflow-replies.ts";
import type { LockedConversation } from "../conversation-activity.ts";
import { conversationCreated, conversationUpdated } from "../conversation.events.ts";
import { findNewestOfSender } from "../conversation.queries.ts";
import { insertConversation } from "../conversation.service.ts";
import type { ConversationChannel, NewConversation } from "../conversation.service.ts";
import { toConversation } from "../conversation.view.ts";
import { messageReceived, toMessageData } from "../messages/message.events.ts";
import { insertMessage, previewOf } from "../messages/message.service.ts";
import { toMessage } from "../messages/message.view.ts";
import type { InboundInput } from "./inbound.schema.ts";
import { noFiles, withDropped } from "../attachments/received-attachments.ts";
import type { StoredFiles } from "../attachments/received-attachments.ts";
import { findThread } from "./thread.ts";
import { findPossibleMatch, lockSender, readSender } from "./sender.ts";
import type { Sender } from "./sender.ts";

export interface ReceivedMessage {
  /** False for a duplicate. */
  readonly isNew: boolean;
  readonly id: number;
  readonly conversation_id: number;
}

/** A message, from a gateway or as a mail. */
export interface ReceivedInput extends Omit<InboundInput, "attachments"> {
  readonly mail?: ReceivedHeaders;
  readonly stored?: StoredFiles;
}

/** What threads and deduplicates a mail. */
interface ReceivedHeaders {
  readonly messageId: string | null;
  /** The Message-IDs that it replies to, the closest first. */
  readonly references: readonly string[];
  readonly isShortened: boolean;
}

/** A gateway names the Message-ID of a mail as the external id. */
function mailOf({ kind }: ConversationChannel, externalId: string | null): ReceivedHeaders {
  const messageId = kind === "email" && externalId !== null ? (toMessageId(externalId) ?? null) : null;
  return { messageId, references: [], isShortened: false };
}

interface StoredMessage {
  readonly id: number;
  readonly conversation_id: number;
}

const earlierText = `select id, conversation_id from messages where channel_id = ? and external_id = ?
  union all select id, conversation_id from messages where channel_id = ? and message_id = ? limit 1`;

/** The same message, received before; or, by its Message-ID, a mail of ours that came back. */
async function findEarlier(
  change: Change<LocationContext>,
  channelId: number,
  externalId: string | null,
  messageId: string | null,
): Promise<StoredMessage | undefined> {
  if (externalId === null && messageId === null) return undefined;
  const [earlier] = await change.rows<StoredMessage>(earlierText, [channelId, externalId, channelId, messageId]);
  return earlier;
}

/**
 * Receives a message and raises message.received; also conversation.created for the first message of a conversation, and conversation.updated
 * if it reopens one. Idempotent by `external_id`. An `automatic` message reopens nothing, does not update `last_inbound_at`, and is marked
 * in its events.
 */
export async function receiveMessage(
  change: Change<LocationContext>,
  channel: ConversationChannel,
  {
    from,
    external_id = null,
    automatic = false,
    mail = mailOf(channel, external_id),
    stored = noFiles,
    ...input
  }: ReceivedInput,
): Promise<ReceivedMessage> {
  const sender = readSender(from, change.location.country);
  const { messageId, references, isShortened } = mail;
  const threadId = await findThread(change, channel.id, references);
  const candidate =
    threadId === undefined ? await findNewestOfSender(change, channel.id, sender.key) : { id: threadId };
  lockKeys(change, [
    ...(candidate === undefined ? [] : [conversationKey(candidate.id)]),
    `inbound ${channel.id} from ${sender.key}`,
    ...[...new Set([external_id, messageId])].flatMap((id) => (id === null ? [] : `inbound ${channel.id} id ${id}`)),
  ]);
  // In one round trip.
  const [earlier, contactOfSender] = await Promise.all([
    findEarlier(change, channel.id, external_id, messageId),
    threadId === undefined ? lockSender(change, sender) : undefined,
  ]);
  if (earlier !== undefined) return { isNew: false, ...earlier };

  const now = change.now.getTime();
  const { subject = null } = input;
  const body = withDropped(input.body ?? null, stored.dropped);
  const last = {
    preview: previewOf({ body, subject }),
    last_message_at: now,
    last_inbound_at: automatic ? null : now,
  };
  const found = { sender, contact: contactOfSender, threadId };
  const { conversation, isNew } = await findOrOpenConversation(change, channel, found, {
    subject,
    last: { ...last, unread_count: 1 },
  });
  const row = await insertMessage(change, conversation, {
    attachments: stored.attachments,
    direction: "inbound",
    kind: "text",
    body,
    html: input.html ?? null,
    subject,
    from_address: from,
    to_address: input.to ?? null,
    status: "received",
    author: null,
    external_id,
    message_id: messageId,
    is_shortened: isShortened,
    sent_at: null,
  });
  const unread_count = conversation.unread_count + 1;
  const after = automatic
    ? { status: conversation.status, snoozed_until: conversation.snoozed_until, unread_count }
    : { status: "open" as const, snoozed_until: null, unread_count };
  const last_inbound_at = automatic ? conversation.last_inbound_at : now;
  const shown = isNew ? conversation : { ...conversation, ...last, ...after, last_inbound_at };
  if (!isNew) {
    const seen = { preview: last.preview, last_message_at: change.now, unread_count };
    if (automatic) updateRow(change, automaticUpdate, conversation.id, seen);
    else updateRow(change, inboundUpdate, conversation.id, { ...seen, ...after, last_inbound_at: change.now });
  }

  const { contact } = conversation;
  if (contact !== null && !automatic) markReply(change, contact.id);
  const by = actorOf(change, contact);
  const view = toConversation(shown);
  const mark = automatic ? ({ automatic } as const) : {};
  const reopening = isNew || automatic ? [] : changesOfReopening(conversation);
  recordOnTimeline(
    change,
    contact,
    ...(isNew ? [conversationCreated.of({ ...view, ...mark }, by)] : []),
    ...(reopening.length > 0 ? [conversationUpdated.of(view, { ...by, changes: reopening })] : []),
    messageReceived.of({ ...toMessageData(conversation, toMessage(row, change.tools)), ...mark }, by),
  );
  return { isNew: true, id: row.id, conversation_id: conversation.id };
}

const shownColumns = ["preview", "last_message_at", "unread_count"] as const;
const automaticUpdate = defineUpdate("conversations", shownColumns);
const inboundUpdate = defineUpdate("conversations", [...shownColumns, "status", "snoozed_until", "last_inbound_at"]);

interface SenderAndThread {
  readonly sender: Sender;
  /** Locked, unless there is a thread. */
  readonly contact: ContactReference | undefined;
  readonly threadId: number | undefined;
}

/** Locks the conversation to continue: that of the thread, the contact's, or else the unknown sender's; inserts one if there is none, or it was just deleted. */
async function findOrOpenConversation(
  change: Change<LocationContext>,
  channel: ConversationChannel,
  { sender, contact: lockedContact, threadId }: SenderAndThread,
  first: Pick<NewConversation, "subject" | "last">,
): Promise<{ conversation: LockedConversation; isNew: boolean }> {
  const thread = threadId === undefined ? undefined : await lockConversationUnderKey(change, threadId, {});
  if (thread !== undefined) return { conversation: thread, isNew: false };
  const contact = lockedContact ?? (threadId === undefined ? undefined : await lockSender(change, sender));
  if (contact !== undefined) {
    const known = await lockNewestConversation(change, contact, channel.id, { orClosed: true });
    const conversation = known ?? (await insertConversation(change, { contact, channel, ...first }));
    return { conversation, isNew: known === undefined };
  }
  const known = await findNewestOfSender(change, channel.id, sender.key);
  const locked = known && (await lockConversationUnderKey(change, known.id, { known }));
  if (locked !== undefined) return { conversation: locked, isNew: false };
  const possibleMatch = await findPossibleMatch(change, sender);
  const unknown = { contact: null, channel, ...first, senderKey: sender.key, possibleMatch };
  return { conversation: await insertConversation(change, unknown), isNew: true };
}

/** The actor of the event is the contact, if known. */
function actorOf({ actor }: Change, contact: ContactReference | null): { actor: Actor } {
  return { actor: contact === null ? actor : { type: "contact", id: contact.id, name: contact.name } };
}

function changesOfReopening({ status, snoozed_until }: LockedConversation): FieldChange[] {
  if (status === "open") return [];
  const changes: FieldChange[] = [{ field: "status", old: status, new: "open" }];
  if (snoozed_until !== null) changes.push({ field: "snoozed_until", old: toTimestamp(snoozed_until), new: null });
  return changes;
}
