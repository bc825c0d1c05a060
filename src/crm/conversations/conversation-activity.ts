/** Locks a conversation together with its contact, and writes events on the contact's timeline. Used by every change of a conversation. */
import type { Change, LocationContext } from "../../events/caller.ts";
import type { EventRecord } from "../../events/event-record.ts";
import { lockKeys, forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ChannelStatus } from "../../vocabulary/states.ts";
import { lockContactReferences, lockIfNotDeleted, raiseActivities } from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";
import { conversationJoins, selectConversation } from "./conversation.queries.ts";
import type { ConversationRow } from "./conversation.view.ts";

interface LockedConversationRow extends ConversationRow {
  /** `conversations.contact_id`, even if that contact is deleted. */
  readonly own_contact_id: number | null;
  readonly possible_match_id: number | null;
  readonly channel_status: ChannelStatus;
  readonly transport: string;
  /** The sender address of the channel; empty if it has none. */
  readonly channel_address: string;
}

/** A locked conversation with all fields of its view, so that a change can return the view without another read. */
export interface LockedConversation extends LockedConversationRow {
  /** Locked as well; null if the contact is unknown or deleted. */
  readonly contact: ContactReference | null;
  /** The contact of `otherId`; null if it is deleted. */
  readonly other: ContactReference | null;
}

const contactText = "select contact_id from conversations where id = ? and location_id = ?";

const lockedColumns = `${selectConversation}, conversations.contact_id as own_contact_id, conversations.possible_match_id,
    channels.status as channel_status, channels.transport, coalesce(channels.outbound_address, channels.address) as channel_address
  from conversations ${conversationJoins}`;
const lockText = sql`${lockedColumns} where conversations.id = ?${forUpdate("conversations")}`;

const newest = "order by last_message_at desc, id desc limit 1";
const unclosed = `(select id from conversations where contact_id = ? and channel_id = ? and status <> 'closed' ${newest})`;
const closed = `(select id from conversations where contact_id = ? and channel_id = ? ${newest})`;
const lockUnclosedText = sql`${lockedColumns} where conversations.id = ${unclosed}${forUpdate("conversations")}`;
const lockNewestText = sql`${lockedColumns} where conversations.id = coalesce(${unclosed}, ${closed})${forUpdate("conversations")}`;

/** An advisory lock key. It keeps the conversation's contact from changing between reading the contact's id and locking it. */
export function conversationKey(id: number): string {
  return `conversation ${id}`;
}

/**
 * Locks a conversation by id, in the lock order of ADR 18: its key, its contact and that of `otherId`, then its row. Refuses
 * `conversation.not_found`. Uses the change's single call of lockKeys.
 */
export async function lockConversation(
  change: Change<LocationContext>,
  id: number,
  otherId: number | null = null,
): Promise<LockedConversation> {
  lockKeys(change, [conversationKey(id)]);
  const locked = await lockConversationUnderKey(change, id, { otherId });
  if (locked === undefined) throw new Refusal("conversation.not_found");
  return locked;
}

/** The same if its key is already locked; undefined if the conversation was deleted. `known`: it, as read under that lock. */
export async function lockConversationUnderKey(
  change: Change<LocationContext>,
  id: number,
  { otherId = null, known = undefined }: { otherId?: number | null; known?: { contact_id: number | null } | undefined },
): Promise<LockedConversation | undefined> {
  known ??= (await change.rows<{ contact_id: number | null }>(contactText, [id, change.location.id]))[0];
  if (known === undefined) return undefined;
  const contacts = await lockNamed(change, known.contact_id, otherId);
  const [row] = await change.rows<LockedConversationRow>(lockText, [id]);
  const contactOf = (contactId: number | null) => (contactId === null ? null : (contacts.get(contactId) ?? null));
  return row && { ...row, contact: contactOf(row.own_contact_id), other: contactOf(otherId) };
}

/** Locks the contacts by ascending ids; most conversations name one. */
async function lockNamed(
  change: Change<LocationContext>,
  contactId: number | null,
  otherId: number | null,
): Promise<ReadonlyMap<number, ContactReference>> {
  if (contactId !== null && otherId !== null) return lockContactReferences(change, [contactId, otherId]);
  const id = contactId ?? otherId;
  const contact = id === null ? undefined : await lockIfNotDeleted(change, id);
  return new Map(contact === undefined ? [] : [[id!, contact]]);
}

/**
 * Locks the conversation to continue with a contact on a channel: the newest that is not closed, or, with `orClosed`, else the newest. The
 * contact must be locked, so that the conversation cannot move to another contact.
 */
export async function lockNewestConversation(
  change: Change<LocationContext>,
  contact: ContactReference,
  channelId: number,
  { orClosed }: { readonly orClosed: boolean },
): Promise<LockedConversation | undefined> {
  const named = [contact.id, channelId];
  const [row] = orClosed
    ? await change.rows<LockedConversationRow>(lockNewestText, [...named, ...named])
    : await change.rows<LockedConversationRow>(lockUnclosedText, named);
  return row && { ...row, contact, other: null };
}

/** Writes events, on the timeline of the locked contact if there is one: one statement for the events and one for the contact. */
export function recordOnTimeline(
  change: Change<LocationContext>,
  contact: ContactReference | null,
  ...records: readonly EventRecord[]
): void {
  raiseActivities(
    change,
    records.map((record) => ({ contactId: contact?.id ?? null, record })),
  );
}
