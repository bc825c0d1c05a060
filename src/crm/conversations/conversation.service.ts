/** Changes conversations: starts one or goes on with one, and says what becomes of it. */
import type { Change, Place } from "../../events/caller.ts";
import { changesBetween } from "../../events/field-changes.ts";
import { toNullableTimestamp } from "../../kit/time/timestamp.ts";
import { defineInsert, defineUpdate, insertRows, updateRow } from "../../storage/inserting/insert.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { ChannelKind } from "../../vocabulary/states.ts";
import { channelOfLocation } from "../channels/channel.queries.ts";
import { holdIfLiving, livingContact } from "../contact-activity.ts";
import { personWithAccess, readReferences } from "../references.ts";
import { holdConversation, holdOf, recordOn } from "./conversation-activity.ts";
import type { HeldConversation } from "./conversation-activity.ts";
import { conversationCreated, conversationUpdated } from "./conversation.events.ts";
import { findUnclosed, getConversation } from "./conversation.queries.ts";
import type { ConversationPatch, StartInput } from "./conversation.schema.ts";
import { copyContactKey } from "./conversation.search.ts";
import type { ConversationView } from "./conversation.view.ts";
import { recordSent, writeText } from "./messages/message.service.ts";
import type { MessageView } from "./messages/message.view.ts";

export interface Started {
  readonly isNew: boolean;
  readonly conversation: ConversationView;
  readonly message: MessageView | null;
}

/**
 * Goes on with the newest conversation with the contact on the channel that is not closed, or starts one, and sends `body` there.
 * Refuses with 422 a contact and a channel that the location does not have, and a channel that is to send and is paused.
 */
export async function startConversation(
  change: Change<Place>,
  { contact_id, channel_id, body = null, subject = null }: StartInput,
): Promise<Started> {
  const found = await readReferences(
    change,
    { contact_id, channel_id },
    { contact_id: livingContact, channel_id: channelOfLocation },
  );
  const channel = found.channel_id!;
  if (body !== null && channel.status === "paused") {
    throw new Invalid({ channel_id: ["The channel id field must name a channel that is not paused."] });
  }
  // Whoever starts one with this contact waits here for who did before.
  const contact = await holdIfLiving(change, contact_id);
  if (contact === undefined) throw new Invalid({ contact_id: [`The contact id field ${livingContact.predicate}`] });
  const known = await findUnclosed(change, contact_id, channel_id);
  const id = known ?? (await insertConversation(change, { contactId: contact_id, channel, subject }));
  const sent = body === null ? null : await writeText(change, await holdOf(change, contact, id), { body, subject });
  const conversation = await getConversation(change, id);
  if (known === undefined) recordOn(change, contact, conversationCreated.of(conversation));
  if (sent !== null) await recordSent(change, contact, sent);
  return { isNew: known === undefined, conversation, message: sent };
}

const conversationInsert = defineInsert(
  "conversations",
  [
    "location_id",
    "contact_id",
    "channel_id",
    "kind",
    "status",
    "subject",
    "last_message_at",
    "sender_key",
    "possible_match_id",
    "created_at",
  ],
  {
    leaves: ["contact_key", "snoozed_until", "assignee_id", "preview", "last_inbound_at", "unread_count"],
  },
);

/** No message has come or gone yet. */
const never = new Date(0);

interface NewConversation {
  readonly contactId: number | null;
  readonly channel: { readonly id: number; readonly kind: ChannelKind };
  readonly subject: string | null;
  /** Of a sender who is no contact. */
  readonly senderKey?: string;
  readonly possibleMatchId?: number | null;
}

/** Inserts an open conversation; its contact is held. Nothing is told yet. */
export async function insertConversation(
  change: Change<Place>,
  { contactId, channel, subject, senderKey, possibleMatchId = null }: NewConversation,
): Promise<number> {
  const [id] = await insertRows(change, conversationInsert, [
    {
      location_id: change.location.id,
      contact_id: contactId,
      channel_id: channel.id,
      kind: channel.kind,
      status: "open",
      subject,
      last_message_at: never,
      sender_key: senderKey ?? null,
      possible_match_id: possibleMatchId,
      created_at: change.now,
    },
  ]);
  if (contactId !== null) await copyContactKey(change, id!);
  return id!;
}

const conversationUpdate = defineUpdate("conversations", [
  "contact_id",
  "possible_match_id",
  "status",
  "snoozed_until",
  "assignee_id",
  "unread_count",
]);

const shownFields = (["contact_id", "status", "snoozed_until", "assignee_user_id", "unread"] as const).map(
  (field) => [field, field] as const,
);

/** Changes what is given and raises conversation.updated, unless nothing changes. Refuses foreign ids with 422. */
export async function updateConversation(
  change: Change<Place>,
  id: number,
  input: ConversationPatch,
): Promise<ConversationView> {
  const found = await readReferences(
    change,
    { assignee_user_id: input.assignee_user_id, contact_id: input.contact_id },
    { assignee_user_id: personWithAccess, contact_id: livingContact },
  );
  const held = await holdConversation(change, id, found.contact_id?.id);
  if (input.contact_id !== undefined && held.other === null) {
    throw new Invalid({ contact_id: [`The contact id field ${livingContact.predicate}`] });
  }
  const before = toState(held);
  const after = { ...before, ...given(input), ...snoozeOf(before, input) };
  const changes = changesBetween(before, after, shownFields);
  if (changes.length === 0) return getConversation(change, id);

  updateRow(change, conversationUpdate, id, {
    contact_id: after.contact_id,
    // Once it is said who it is, nobody else may be meant.
    possible_match_id: input.contact_id === undefined ? held.possible_match_id : null,
    status: after.status,
    snoozed_until: after.snoozed_until === null ? null : new Date(after.snoozed_until),
    assignee_id: after.assignee_user_id,
    unread_count: after.unread ? held.unread_count : 0,
  });
  if (after.contact_id !== before.contact_id) await copyContactKey(change, id);
  const conversation = await getConversation(change, id);
  const updated = conversationUpdated.of(conversation, { changes });
  // To read what somebody wrote is no activity of theirs.
  const isRead = changes.every(({ field }) => field === "unread");
  recordOn(change, isRead ? null : (held.other ?? held.contact), updated);
  return conversation;
}

function toState({ contact_id, status, snoozed_until, assignee_id, unread_count }: HeldConversation) {
  return {
    contact_id,
    status,
    snoozed_until: toNullableTimestamp(snoozed_until),
    assignee_user_id: assignee_id,
    unread: unread_count > 0,
  };
}

type State = ReturnType<typeof toState>;

function given({ contact_id, status, assignee_user_id, unread }: ConversationPatch): Partial<State> {
  const fields = { contact_id, status, assignee_user_id, unread };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The end of a snooze is kept as long as the snooze. */
function snoozeOf(before: State, { status = before.status, snoozed_until }: ConversationPatch): Partial<State> {
  if (status !== "snoozed") return { snoozed_until: null };
  if (snoozed_until !== undefined) return { snoozed_until: snoozed_until?.toISOString() ?? null };
  return { snoozed_until: before.status === "snoozed" ? before.snoozed_until : null };
}
