/** What every change of a conversation begins and ends with: it is held together with its contact, and told of on the contact's timeline. */
import type { Change, Place } from "../../events/caller.ts";
import type { EventRecord } from "../../events/event-record.ts";
import { lockKeys, untilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ChannelStatus, ConversationStatus } from "../../vocabulary/states.ts";
import type { TransportName } from "../channels/transports/transports.ts";
import { holdIfLiving, raiseActivity } from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";

interface HeldRow {
  readonly id: number;
  readonly contact_id: number | null;
  readonly channel_id: number;
  readonly status: ConversationStatus;
  readonly snoozed_until: number | null;
  readonly assignee_id: number | null;
  readonly unread_count: number;
  readonly possible_match_id: number | null;
  readonly channel_status: ChannelStatus;
  readonly transport: TransportName;
  /** What the channel sends from; empty where it has no address. */
  readonly channel_address: string;
}

/** A conversation, which nobody else changes until the commit. */
export interface HeldConversation extends HeldRow {
  /** Held as well; null where it is not known who it is, and where the contact is deleted. */
  readonly contact: ContactReference | null;
  /** The contact that was asked for beside its own; null where there is none any more. */
  readonly other: ContactReference | null;
}

const contactText = "select contact_id from conversations where id = ? and location_id = ?";

const holdText = sql`select conversations.id, conversations.contact_id, conversations.channel_id, conversations.status,
    conversations.snoozed_until, conversations.assignee_id, conversations.unread_count, conversations.possible_match_id,
    channels.status as channel_status, channels.transport, coalesce(channels.outbound_address, channels.address) as channel_address
  from conversations join channels on channels.id = conversations.channel_id
  where conversations.id = ?${untilCommit("conversations")}`;

/** What keeps a conversation from being given to another contact, while whoever was told its id looks up whose it is. */
export function conversationKey(id: number): string {
  return `conversation ${id}`;
}

/**
 * Holds a conversation that is known by its id: its key, its contact and with `otherId` a further one, then itself (ADR 18). Refuses
 * `conversation.not_found`. It takes the change's one turn at keys.
 */
export async function holdConversation(
  change: Change<Place>,
  id: number,
  otherId: number | null = null,
): Promise<HeldConversation> {
  lockKeys(change, [conversationKey(id)]);
  return holdUnderKey(change, id, otherId);
}

/** The same for who has the key already. */
export async function holdUnderKey(
  change: Change<Place>,
  id: number,
  otherId: number | null = null,
): Promise<HeldConversation> {
  const [known] = await change.rows<{ contact_id: number | null }>(contactText, [id, change.location.id]);
  if (known === undefined) throw new Refusal("conversation.not_found");
  const contacts = new Map<number | null, ContactReference>();
  const ids = new Set([known.contact_id, otherId].filter((contactId) => contactId !== null));
  for (const contactId of [...ids].toSorted((one, another) => one - another)) {
    const contact = await holdIfLiving(change, contactId);
    if (contact !== undefined) contacts.set(contactId, contact);
  }
  const [row] = await change.rows<HeldRow>(holdText, [id]);
  return { ...row!, contact: contacts.get(row!.contact_id) ?? null, other: contacts.get(otherId) ?? null };
}

/** Holds a conversation that was found by its contact, who is held: nobody gives it to another one meanwhile. */
export async function holdOf(change: Change<Place>, contact: ContactReference, id: number): Promise<HeldConversation> {
  const [row] = await change.rows<HeldRow>(holdText, [id]);
  return { ...row!, contact, other: null };
}

/** Writes an event, on the timeline of the contact where there is one, who is held. */
export function recordOn(change: Change<Place>, contact: ContactReference | null, record: EventRecord): void {
  if (contact === null) change.raise(record);
  else raiseActivity(change, contact.id, record);
}
