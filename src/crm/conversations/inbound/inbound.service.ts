/** Receives inbound messages: finds the contact of the sender and the conversation. */
import type { Actor } from "../../../events/actor.ts";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { FieldChange } from "../../../events/event-record.ts";
import { toTimestamp } from "../../../kit/time/timestamp.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { lockKeys } from "../../../storage/locks.ts";
import type { ContactReference } from "../../contact-activity.ts";
import {
  conversationKey,
  lockNewestConversation,
  lockConversationUnderKey,
  recordOnTimeline,
} from "../conversation-activity.ts";
import type { LockedConversation } from "../conversation-activity.ts";
import { conversationCreated, conversationUpdated } from "../conversation.events.ts";
import { findNewestOfSender } from "../conversation.queries.ts";
import { insertConversation } from "../conversation.service.ts";
import type { ConversationChannel, NewConversation } from "../conversation.service.ts";
import { toConversation } from "../conversation.view.ts";
import { messageReceived } from "../messages/message.events.ts";
import { insertMessage, previewOf } from "../messages/message.service.ts";
import { toMessage } from "../messages/message.view.ts";
import type { InboundInput } from "./inbound.schema.ts";
import { findPossibleMatch, lockSender, readSender } from "./sender.ts";
import type { Sender } from "./sender.ts";

export interface ReceivedMessage {
  /** False for a duplicate. */
  readonly isNew: boolean;
  readonly id: number;
  readonly conversation_id: number;
}

const earlierText = "select id, conversation_id from messages where channel_id = ? and external_id = ?";

/**
 * Receives a message and raises message.received; also conversation.created for the first message of a conversation, and conversation.updated
 * if it reopens one. Idempotent by `external_id`. An `automatic` message reopens nothing, does not update `last_inbound_at`, and is marked
 * in its events.
 */
export async function receiveMessage(
  change: Change<LocationContext>,
  channel: ConversationChannel,
  { from, external_id = null, automatic = false, ...input }: InboundInput,
): Promise<ReceivedMessage> {
  const sender = readSender(from, change.location.country);
  const candidate = await findNewestOfSender(change, channel.id, sender.key);
  lockKeys(change, [
    ...(candidate === undefined ? [] : [conversationKey(candidate.id)]),
    `inbound ${channel.id} from ${sender.key}`,
    ...(external_id === null ? [] : [`inbound ${channel.id} id ${external_id}`]),
  ]);
  if (external_id !== null) {
    const [earlier] = await change.rows<{ id: number; conversation_id: number }>(earlierText, [
      channel.id,
      external_id,
    ]);
    if (earlier !== undefined) return { isNew: false, ...earlier };
  }

  const now = change.now.getTime();
  const { body = null, subject = null } = input;
  const last = {
    preview: previewOf({ body, subject }),
    last_message_at: now,
    last_inbound_at: automatic ? null : now,
  };
  const { conversation, isNew } = await findOrOpenConversation(change, channel, sender, {
    subject,
    last: { ...last, unread_count: 1 },
  });
  const row = await insertMessage(change, conversation, {
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
  const by = actorOf(change, contact);
  const view = toConversation(shown);
  const mark = automatic ? ({ automatic } as const) : {};
  const reopening = isNew || automatic ? [] : changesOfReopening(conversation);
  recordOnTimeline(
    change,
    contact,
    ...(isNew ? [conversationCreated.of({ ...view, ...mark }, by)] : []),
    ...(reopening.length > 0 ? [conversationUpdated.of(view, { ...by, changes: reopening })] : []),
    messageReceived.of({ ...toMessage(row), contact, ...mark }, by),
  );
  return { isNew: true, id: row.id, conversation_id: conversation.id };
}

const shownColumns = ["preview", "last_message_at", "unread_count"] as const;
const automaticUpdate = defineUpdate("conversations", shownColumns);
const inboundUpdate = defineUpdate("conversations", [...shownColumns, "status", "snoozed_until", "last_inbound_at"]);

/** Locks the conversation to continue: the contact's, or else the unknown sender's; inserts one if there is none. */
async function findOrOpenConversation(
  change: Change<LocationContext>,
  channel: ConversationChannel,
  sender: Sender,
  first: Pick<NewConversation, "subject" | "last">,
): Promise<{ conversation: LockedConversation; isNew: boolean }> {
  const contact = await lockSender(change, sender);
  if (contact !== undefined) {
    const known = await lockNewestConversation(change, contact, channel.id, { orClosed: true });
    const conversation = known ?? (await insertConversation(change, { contact, channel, ...first }));
    return { conversation, isNew: known === undefined };
  }
  const known = await findNewestOfSender(change, channel.id, sender.key);
  if (known !== undefined)
    return { conversation: await lockConversationUnderKey(change, known.id, { known }), isNew: false };
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
