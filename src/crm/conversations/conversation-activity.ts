/** What every change of a conversation begins and ends with: it is held together with its contact, and told of on the contact's timeline. */
import type { Change, LocationContext } from "../../events/caller.ts";
import type { EventRecord } from "../../events/event-record.ts";
import { lockKeys, untilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { ChannelStatus } from "../../vocabulary/states.ts";
import type { TransportName } from "../channels/transports/transports.ts";
import { holdIfLiving, raiseActivities } from "../contact-activity.ts";
import type { ContactReference } from "../contact-activity.ts";
import { conversationNeighbours, selectConversation } from "./conversation.queries.ts";
import type { ConversationRow } from "./conversation.view.ts";

interface HeldRow extends ConversationRow {
  /** Of the conversation itself, whether or not that contact is deleted. */
  readonly own_contact_id: number | null;
  readonly possible_match_id: number | null;
  readonly channel_status: ChannelStatus;
  readonly transport: TransportName;
  /** What the channel sends from; empty where it has no address. */
  readonly channel_address: string;
}

/** A conversation, locked until the commit, with all that its view shows: a change gives the view without reading it back. */
export interface HeldConversation extends HeldRow {
  /** Held as well; null where it is not known who it is, and where the contact is deleted. */
  readonly contact: ContactReference | null;
  /** The contact that was asked for beside its own; null where there is none any more. */
  readonly other: ContactReference | null;
}

const contactText = "select contact_id from conversations where id = ? and location_id = ?";

const heldColumns = `${selectConversation}, conversations.contact_id as own_contact_id, conversations.possible_match_id,
    channels.status as channel_status, channels.transport, coalesce(channels.outbound_address, channels.address) as channel_address
  from conversations ${conversationNeighbours}`;
const holdText = sql`${heldColumns} where conversations.id = ?${untilCommit("conversations")}`;

const newest = "order by last_message_at desc, id desc limit 1";
const unclosed = `(select id from conversations where contact_id = ? and channel_id = ? and status <> 'closed' ${newest})`;
const closed = `(select id from conversations where contact_id = ? and channel_id = ? ${newest})`;
const holdUnclosedText = sql`${heldColumns} where conversations.id = ${unclosed}${untilCommit("conversations")}`;
const holdNewestText = sql`${heldColumns} where conversations.id = coalesce(${unclosed}, ${closed})${untilCommit("conversations")}`;

/** What keeps a conversation from being given to another contact, while whoever was told its id looks up whose it is. */
export function conversationKey(id: number): string {
  return `conversation ${id}`;
}

/**
 * Holds a conversation that is known by its id: its key, its contact and with `otherId` a further one, then itself (ADR 18). Refuses
 * `conversation.not_found`. It takes the change's one turn at keys.
 */
export async function holdConversation(
  change: Change<LocationContext>,
  id: number,
  otherId: number | null = null,
): Promise<HeldConversation> {
  lockKeys(change, [conversationKey(id)]);
  return holdUnderKey(change, id, { otherId });
}

/** The same where its key is held already. `known`: the conversation as it was read since. */
export async function holdUnderKey(
  change: Change<LocationContext>,
  id: number,
  { otherId = null, known = undefined }: { otherId?: number | null; known?: { contact_id: number | null } | undefined },
): Promise<HeldConversation> {
  known ??= (await change.rows<{ contact_id: number | null }>(contactText, [id, change.location.id]))[0];
  if (known === undefined) throw new Refusal("conversation.not_found");
  const contacts = new Map<number | null, ContactReference>();
  const ids = new Set([known.contact_id, otherId].filter((contactId) => contactId !== null));
  for (const contactId of [...ids].toSorted((one, another) => one - another)) {
    const contact = await holdIfLiving(change, contactId);
    if (contact !== undefined) contacts.set(contactId, contact);
  }
  const [row] = await change.rows<HeldRow>(holdText, [id]);
  return { ...row!, contact: contacts.get(row!.own_contact_id) ?? null, other: contacts.get(otherId) ?? null };
}

/**
 * Holds the conversation with a contact on a channel that goes on, where the contact is held, so that it is given to no other meanwhile: the
 * newest that is not closed, and with `orClosed` else the newest.
 */
export async function holdNewest(
  change: Change<LocationContext>,
  contact: ContactReference,
  channelId: number,
  { orClosed }: { readonly orClosed: boolean },
): Promise<HeldConversation | undefined> {
  const named = [contact.id, channelId];
  const [row] = orClosed
    ? await change.rows<HeldRow>(holdNewestText, [...named, ...named])
    : await change.rows<HeldRow>(holdUnclosedText, named);
  return row && { ...row, contact, other: null };
}

/** Writes events, on the timeline of the contact where there is one, who is held: in one statement, and one for the contact. */
export function recordOn(
  change: Change<LocationContext>,
  contact: ContactReference | null,
  ...records: readonly EventRecord[]
): void {
  raiseActivities(
    change,
    records.map((record) => ({ contactId: contact?.id ?? null, record })),
  );
}
