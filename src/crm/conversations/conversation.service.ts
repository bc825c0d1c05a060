/** Starts, continues and updates conversations. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { changesBetween } from "../../events/field-changes.ts";
import { toNullableTimestamp } from "../../kit/time/timestamp.ts";
import { defineUpdate, updateRow } from "../../storage/inserting/insert.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { channelTransports } from "../channels/transports/all.ts";
import { channelOfLocation } from "../channels/channel.queries.ts";
import type { ChannelRow } from "../channels/channel.view.ts";
import { lockedContactOfLocation, contactOfLocation } from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";
import { personWithAccess, readReferences } from "../references.ts";
import { readAttachments } from "./attachments/attachment.service.ts";
import { lockConversation, lockNewestConversation, recordOnTimeline } from "./conversation-activity.ts";
import type { LockedConversation } from "./conversation-activity.ts";
import { conversationCreated, conversationUpdated } from "./conversation.events.ts";
import type { ConversationPatch, StartInput } from "./conversation.schema.ts";
import { updateSearchKey, searchKeyOfContact } from "./conversation.search.ts";
import { toConversation } from "./conversation.view.ts";
import type { ConversationRow, ConversationView } from "./conversation.view.ts";
import { fieldsAfterSending, sentEvents, writeText } from "./messages/message.service.ts";
import type { MessageView } from "./messages/message.view.ts";

export interface StartedConversation {
  readonly isNew: boolean;
  readonly conversation: ConversationView;
  readonly message: MessageView | null;
}

/**
 * Continues the newest conversation with the contact on the channel that is not closed, or starts one, and sends `body` in it. Refuses with
 * 422 a contact or channel of another location, and sending on a paused channel. `takeAttachments` finds the files of `attachment_ids`.
 */
export async function startConversation(
  change: Change<LocationContext>,
  { contact_id, channel_id, body = null, subject = null, attachment_ids = null }: StartInput,
  takeAttachments = readAttachments,
): Promise<StartedConversation> {
  if (body === null && (attachment_ids ?? []).length > 0)
    throw new Invalid({ body: ["The body field is required with attachments."] });
  // The contact is locked first, which serializes concurrent starts with the same contact.
  const found = await readReferences(
    change,
    { contact_id, channel_id },
    { contact_id: lockedContactOfLocation, channel_id: channelOfLocation },
  );
  const [contact, channel] = [found.contact_id!, found.channel_id!];
  if (body !== null && channel.status === "paused") {
    throw new Invalid({ channel_id: ["The channel id field must name a channel that is not paused."] });
  }
  const known = await lockNewestConversation(change, contact, channel.id, { orClosed: false });
  const locked = known ?? (await insertConversation(change, { contact, channel, subject }));
  const text = { body: body ?? "", subject, attachment_ids };
  const message = body === null ? null : await writeText(change, locked, text, channelTransports, takeAttachments);
  const conversation = toConversation({ ...locked, ...(message === null ? {} : fieldsAfterSending(change, message)) });
  const records = [
    ...(known === undefined ? [conversationCreated.of(conversation)] : []),
    ...(message === null ? [] : sentEvents(locked, message)),
  ];
  if (records.length > 0) recordOnTimeline(change, contact, ...records);
  return { isNew: known === undefined, conversation, message };
}

const insertText = sql`insert into conversations (location_id, contact_id, channel_id, kind, status, subject, sender_key,
    possible_match_id, preview, last_message_at, last_inbound_at, unread_count, created_at, contact_key)
  values (?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ${searchKeyOfContact("?")}) returning id`;

/** A conversation without messages. Times in milliseconds. */
const noMessage = { preview: null, last_message_at: 0, last_inbound_at: null, unread_count: 0 };

/** The fields of its channel that a conversation shows and sends with. */
export type ConversationChannel = Pick<
  ChannelRow,
  "id" | "kind" | "name" | "status" | "transport" | "address" | "outbound_address"
>;

export interface NewConversation {
  /** Locked; null for a sender without a contact. */
  readonly contact: ContactReference | null;
  readonly channel: ConversationChannel;
  readonly subject: string | null;
  /** The normalized address of a sender without a contact. */
  readonly senderKey?: string;
  /** The contact that matches that sender. */
  readonly possibleMatch?: { readonly id: number; readonly name: string } | null;
  /** The fields of its first message, if the same change writes one. */
  readonly last?: Pick<ConversationRow, keyof typeof noMessage>;
}

/** Inserts an open conversation and returns it as a locked one. Raises no event. */
export async function insertConversation(
  change: Change<LocationContext>,
  { contact, channel, subject, senderKey, possibleMatch = null, last = noMessage }: NewConversation,
): Promise<LockedConversation> {
  const contactId = contact?.id ?? null;
  const [inserted] = await change.rows<{ id: number }>(insertText, [
    change.location.id,
    contactId,
    channel.id,
    channel.kind,
    subject,
    senderKey ?? null,
    possibleMatch?.id ?? null,
    last.preview,
    new Date(last.last_message_at),
    last.last_inbound_at === null ? null : new Date(last.last_inbound_at),
    last.unread_count,
    change.now,
    contactId,
  ]);
  return {
    id: inserted!.id,
    kind: channel.kind,
    channel_id: channel.id,
    channel_name: channel.name,
    channel_status: channel.status,
    channel_address: channel.outbound_address ?? channel.address,
    transport: channel.transport,
    status: "open",
    snoozed_until: null,
    assignee_id: null,
    assignee_name: null,
    ...last,
    subject,
    match_id: possibleMatch?.id ?? null,
    match_name: possibleMatch?.name ?? null,
    possible_match_id: possibleMatch?.id ?? null,
    own_contact_id: contactId,
    ...contactColumnsOf(contact),
    contact,
    other: null,
  };
}

function contactColumnsOf(contact: ContactReference | null) {
  return {
    contact_id: contact?.id ?? null,
    contact_name: contact?.name ?? null,
    contact_phone_display: contact?.phone_display ?? null,
    contact_email: contact?.email ?? null,
  };
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

/** Updates the given fields and raises conversation.updated if a value changed. Refuses ids of other locations with 422. */
export async function updateConversation(
  change: Change<LocationContext>,
  id: number,
  input: ConversationPatch,
): Promise<ConversationView> {
  const found = await readReferences(
    change,
    { assignee_user_id: input.assignee_user_id, contact_id: input.contact_id },
    { assignee_user_id: personWithAccess, contact_id: contactOfLocation },
  );
  const locked = await lockConversation(change, id, found.contact_id?.id);
  if (input.contact_id !== undefined && locked.other === null) {
    throw new Invalid({ contact_id: [`The contact id field ${contactOfLocation.predicate}`] });
  }
  const before = toState(locked);
  const named = locked.other === null ? input : { ...input, contact_id: locked.other.id };
  const after = { ...before, ...definedFields(named), ...snoozeOf(before, input) };
  const changes = changesBetween(before, after, shownFields);
  if (changes.length === 0) return toConversation(locked);

  // Setting the contact settles the possible match.
  const isNamed = input.contact_id !== undefined;
  const unread_count = after.unread ? locked.unread_count : 0;
  updateRow(change, conversationUpdate, id, {
    contact_id: after.contact_id,
    possible_match_id: isNamed ? null : locked.possible_match_id,
    status: after.status,
    snoozed_until: after.snoozed_until === null ? null : new Date(after.snoozed_until),
    assignee_id: after.assignee_user_id,
    unread_count,
  });
  if (after.contact_id !== before.contact_id) updateSearchKey(change, id);
  const conversation = toConversation({
    ...locked,
    ...(isNamed ? { ...contactColumnsOf(locked.other), match_id: null, match_name: null } : {}),
    ...(input.assignee_user_id === undefined
      ? {}
      : { assignee_id: after.assignee_user_id, assignee_name: found.assignee_user_id?.name ?? null }),
    status: after.status,
    snoozed_until: after.snoozed_until === null ? null : Date.parse(after.snoozed_until),
    unread_count,
  });
  const updated = conversationUpdated.of(conversation, { changes });
  // Marking as read is not an activity of the contact.
  const isRead = changes.every(({ field }) => field === "unread");
  recordOnTimeline(change, isRead ? null : (locked.other ?? locked.contact), updated);
  return conversation;
}

function toState({ own_contact_id, status, snoozed_until, assignee_id, unread_count }: LockedConversation) {
  return {
    contact_id: own_contact_id,
    status,
    snoozed_until: toNullableTimestamp(snoozed_until),
    assignee_user_id: assignee_id,
    unread: unread_count > 0,
  };
}

type State = ReturnType<typeof toState>;

function definedFields({ contact_id, status, assignee_user_id, unread }: ConversationPatch): Partial<State> {
  const fields = { contact_id, status, assignee_user_id, unread };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The end time is cleared when the snooze ends. */
function snoozeOf(before: State, { status = before.status, snoozed_until }: ConversationPatch): Partial<State> {
  if (status !== "snoozed") return { snoozed_until: null };
  if (snoozed_until !== undefined) return { snoozed_until: snoozed_until?.toISOString() ?? null };
  return { snoozed_until: before.status === "snoozed" ? before.snoozed_until : null };
}
