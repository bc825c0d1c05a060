/** Takes messages in: finds out whose they are, and the conversation in which they belong. */
import type { Actor } from "../../../events/actor.ts";
import type { Change, Place } from "../../../events/caller.ts";
import type { FieldChange } from "../../../events/event-record.ts";
import { toTimestamp } from "../../../kit/time/timestamp.ts";
import { defineUpdate, updateRow } from "../../../storage/inserting/insert.ts";
import { lockKeys } from "../../../storage/locks.ts";
import type { ChannelKind } from "../../../vocabulary/states.ts";
import { holdIfLiving } from "../../contact-activity.ts";
import type { ContactReference } from "../../contact-activity.ts";
import { conversationKey, holdOf, holdUnderKey, recordOn } from "../conversation-activity.ts";
import type { HeldConversation } from "../conversation-activity.ts";
import { conversationCreated, conversationUpdated } from "../conversation.events.ts";
import { findNewest, findNewestOfSender, getConversation } from "../conversation.queries.ts";
import { insertConversation } from "../conversation.service.ts";
import { messageReceived } from "../messages/message.events.ts";
import { insertMessage, previewOf } from "../messages/message.service.ts";
import { toMessage } from "../messages/message.view.ts";
import type { InboundInput } from "./inbound.schema.ts";
import { findPossibleMatch, findSender, readSender } from "./sender.ts";
import type { Sender } from "./sender.ts";

export interface TakenIn {
  /** Whether it came for the first time. */
  readonly isNew: boolean;
  readonly id: number;
  readonly conversation_id: number;
}

const earlierText = "select id, conversation_id from messages where channel_id = ? and external_id = ?";

/**
 * Takes a message in and raises message.received, with conversation.created for the first one of a conversation and
 * conversation.updated for one that it opens again. The same `external_id` twice is one message.
 */
export async function takeIn(
  change: Change<Place>,
  channel: { readonly id: number; readonly kind: ChannelKind },
  { from, external_id = null, ...input }: InboundInput,
): Promise<TakenIn> {
  const sender = readSender(from, change.location.country);
  const candidate = await findNewestOfSender(change, channel.id, sender.key);
  lockKeys(change, [
    ...(candidate === undefined ? [] : [conversationKey(candidate)]),
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

  const { conversation, isNew } = await openFor(change, channel, sender, input.subject ?? null);
  const row = await insertMessage(change, conversation, {
    direction: "inbound",
    kind: "text",
    body: input.body ?? null,
    html: input.html ?? null,
    subject: input.subject ?? null,
    from_address: from,
    to_address: input.to ?? null,
    status: "received",
    author: null,
    external_id,
    sent_at: null,
  });
  updateRow(change, inboundUpdate, conversation.id, {
    status: "open",
    snoozed_until: null,
    preview: previewOf(row),
    last_message_at: change.now,
    last_inbound_at: change.now,
    unread_count: conversation.unread_count + 1,
  });

  const { contact } = conversation;
  const by = actorOf(change, contact);
  const reopening = isNew ? [] : changesOfReopening(conversation);
  if (isNew || reopening.length > 0) {
    const view = await getConversation(change, conversation.id);
    const told = isNew ? conversationCreated.of(view, by) : conversationUpdated.of(view, { ...by, changes: reopening });
    recordOn(change, contact, told);
  }
  recordOn(change, contact, messageReceived.of({ ...toMessage(row), contact }, by));
  return { isNew: true, id: row.id, conversation_id: conversation.id };
}

const inboundUpdate = defineUpdate("conversations", [
  "status",
  "snoozed_until",
  "preview",
  "last_message_at",
  "last_inbound_at",
  "unread_count",
]);

/** The conversation that goes on, held: that of the contact whose address it is, or else of the same unknown sender; a new one where there is none. */
async function openFor(
  change: Change<Place>,
  channel: { readonly id: number; readonly kind: ChannelKind },
  sender: Sender,
  subject: string | null,
): Promise<{ conversation: HeldConversation; isNew: boolean }> {
  const contactId = await findSender(change, sender);
  // Who was deleted a moment ago is nobody.
  const contact = contactId === undefined ? undefined : await holdIfLiving(change, contactId);
  if (contact === undefined) {
    const known = await findNewestOfSender(change, channel.id, sender.key);
    if (known !== undefined) return { conversation: await holdUnderKey(change, known), isNew: false };
    const possibleMatchId = await findPossibleMatch(change, sender);
    const unknown = { contactId: null, channel, subject, senderKey: sender.key, possibleMatchId };
    return { conversation: await holdUnderKey(change, await insertConversation(change, unknown)), isNew: true };
  }
  const known = await findNewest(change, contact.id, channel.id);
  const id = known ?? (await insertConversation(change, { contactId: contact.id, channel, subject }));
  return { conversation: await holdOf(change, contact, id), isNew: known === undefined };
}

/** It is the contact who wrote, where it is known who that is. */
function actorOf({ actor }: Change, contact: ContactReference | null): { actor: Actor } {
  return { actor: contact === null ? actor : { type: "contact", id: contact.id, name: contact.name } };
}

function changesOfReopening({ status, snoozed_until }: HeldConversation): FieldChange[] {
  if (status === "open") return [];
  const changes: FieldChange[] = [{ field: "status", old: status, new: "open" }];
  if (snoozed_until !== null) changes.push({ field: "snoozed_until", old: toTimestamp(snoozed_until), new: null });
  return changes;
}
