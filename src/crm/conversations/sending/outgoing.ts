/** Reads a queued message and its channel, in the form that transports need. */
import type { Blobs } from "../../../blobs/blobs.ts";
import type { LocationContext, Tools } from "../../../events/caller.ts";
import type { Rows } from "../../../storage/rows.ts";
import type { ChannelKind, ChannelStatus, MessageStatus } from "../../../vocabulary/states.ts";
import { findAttachments } from "../attachments/attachment.queries.ts";
import { toOutgoingAttachment } from "../attachments/outgoing-attachment.ts";
import type { OutgoingMessage } from "../../channels/transports/transport.ts";
import { unsubscribeUrl } from "./unsubscribe-url.ts";

const messageText = `select messages.id, messages.conversation_id, messages.status, messages.from_address, messages.to_address,
    messages.subject, messages.body, messages.html, messages.retries, messages.cause_run_id, messages.message_id, messages.created_at, messages.attachment_count, conversations.subject as conversation_subject,
    channels.id as channel_id, channels.kind, channels.name as channel_name, channels.status as channel_status,
    coalesce(channels.inbound_address, channels.address) as inbound_address,
    channels.transport, channels.transport_url, channels.transport_secret,
    contacts.id as contact_id, contacts.name as contact_name, contacts.dnd,
    locations.workspace_id, locations.id as location_id, locations.country, locations.timezone
  from messages join conversations on conversations.id = messages.conversation_id
    join channels on channels.id = messages.channel_id
    join locations on locations.id = channels.location_id
    left join contacts on contacts.id = conversations.contact_id and contacts.deleted_at is null
  where messages.id = ?`;

/** Earlier messages considered for the thread. */
const earlierMessages = 100;
const earlierText = `select id, direction, external_id, message_id from
    (select id, direction, kind, status, external_id, message_id from messages
     where conversation_id = ? and id < ? order by id desc limit ${earlierMessages}) as latest
  where kind = 'text' and status <> 'failed' order by id`;

interface MessageFacts {
  readonly id: number;
  readonly conversation_id: number;
  readonly status: MessageStatus;
  readonly from_address: string | null;
  readonly to_address: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly html: string | null;
  readonly retries: number;
  readonly cause_run_id: number | null;
  readonly message_id: string | null;
  readonly created_at: number;
  readonly attachment_count: number;
  readonly conversation_subject: string | null;
  readonly channel_id: number;
  readonly kind: ChannelKind;
  readonly channel_name: string;
  readonly channel_status: ChannelStatus;
  readonly inbound_address: string;
  readonly transport: string;
  readonly transport_url: string | null;
  readonly transport_secret: string | null;
  readonly contact_id: number | null;
  readonly contact_name: string | null;
  readonly dnd: boolean | number | null;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly country: string;
  readonly timezone: string;
}

interface EarlierRow {
  readonly id: number;
  readonly direction: "inbound" | "outbound";
  readonly external_id: string | null;
  readonly message_id: string | null;
}

export interface Outgoing {
  readonly message: OutgoingMessage;
  readonly status: MessageStatus;
  /** Whether a workflow sends it to a contact that is now set to do not disturb. */
  readonly isUnwanted: boolean;
  readonly channel: {
    readonly id: number;
    readonly name: string;
    readonly status: ChannelStatus;
    readonly transport: string;
    readonly url: string | null;
    /** Encrypted. */
    readonly secret: string | null;
    readonly workspace_id: number;
    readonly place: LocationContext;
  };
}

interface OutgoingDeps {
  readonly database: Rows;
  readonly blobs: Blobs;
  readonly tools: Tools;
}

/** Undefined if the message no longer exists. */
export async function findOutgoing(
  { database, blobs, tools }: OutgoingDeps,
  messageId: number,
): Promise<Outgoing | undefined> {
  const { rows } = database;
  const [facts] = await rows<MessageFacts>(messageText, [messageId]);
  if (facts === undefined) return undefined;
  const attachments = (await findAttachments(database, [facts])).get(messageId) ?? [];
  const earlier = await rows<EarlierRow>(earlierText, [facts.conversation_id, messageId]);
  const { inbound_address: inbound, from_address: from } = facts;
  const isAutomatic = facts.cause_run_id !== null;
  return {
    status: facts.status,
    isUnwanted: isAutomatic && Boolean(facts.dnd),
    message: {
      id: facts.id,
      conversationId: facts.conversation_id,
      channel: { id: facts.channel_id, kind: facts.kind, name: facts.channel_name },
      from,
      to: facts.to_address ?? "",
      contact: facts.contact_id === null ? null : { id: facts.contact_id, name: facts.contact_name! },
      replyTo: inbound === "" || inbound === from ? null : inbound,
      subject: facts.subject ?? subjectOf(facts.conversation_subject, earlier.length > 0),
      body: facts.body,
      html: facts.html,
      retry: facts.retries,
      isAutomatic,
      unsubscribeUrl: isAutomatic && facts.contact_id !== null ? unsubscribeUrl(tools, facts.id) : null,
      messageId: facts.message_id,
      attachments: attachments.map((row) => toOutgoingAttachment(row, { blobs, tools })),
      createdAt: facts.created_at,
      earlier: earlier.map(({ id, direction, external_id: externalId, message_id: messageId }) => ({
        id,
        direction,
        externalId,
        messageId,
      })),
    },
    channel: {
      id: facts.channel_id,
      name: facts.channel_name,
      status: facts.channel_status,
      transport: facts.transport,
      url: facts.transport_url,
      secret: facts.transport_secret,
      workspace_id: facts.workspace_id,
      place: { id: facts.location_id, country: facts.country, timezone: facts.timezone },
    },
  };
}

/** The subject of the conversation, with "Re:" if there are earlier messages: mail clients also thread by subject. */
function subjectOf(subject: string | null, isAnswer: boolean): string | null {
  if (subject === null || !isAnswer || /^re:/i.test(subject)) return subject;
  return `Re: ${subject}`;
}
