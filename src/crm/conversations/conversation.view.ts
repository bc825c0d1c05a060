/** The response shape of a conversation (specification, "Conversation"). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp } from "../../kit/time/timestamp.ts";
import { personView, toPerson } from "../../tenancy/users/user.view.ts";
import { channelKinds, conversationStatuses } from "../../vocabulary/states.ts";
import type { ChannelKind, ConversationStatus } from "../../vocabulary/states.ts";
import { channelReference } from "../channels/channel.view.ts";
import { contactReference, contactReferenceSpecimen } from "../contact-activity.ts";

/** An example conversation. */
export const conversationSpecimen = {
  id: 1,
  contact: contactReferenceSpecimen,
  kind: "email" as const,
  channel: { id: 1, name: "Front desk" },
  status: "open" as const,
  snoozed_until: null,
  assignee: { id: 1, name: "Grace Hopper" },
  preview: "Could you send me a price list?",
  last_message_at: "2026-03-01T12:00:00.000Z",
  last_inbound_at: "2026-03-01T12:00:00.000Z",
  unread: true,
  unread_count: 1,
  subject: "Prices",
  possible_match: null,
};

export const conversationView = z
  .object({
    id: z.int(),
    contact: contactReference.nullable().describe("Null while the contact is unknown, and once it is deleted."),
    kind: z.enum(channelKinds).describe("The kind of its channel."),
    channel: channelReference.nullable(),
    status: z.enum(conversationStatuses),
    snoozed_until: z.iso.datetime().nullable(),
    assignee: personView.nullable(),
    preview: z.string().nullable().describe("The beginning of the last message, inbound or outbound."),
    last_message_at: z.iso.datetime().nullable(),
    last_inbound_at: z.iso.datetime().nullable(),
    unread: z.boolean(),
    unread_count: z.int().min(0),
    subject: z.string().nullable(),
    possible_match: z
      .object({ id: z.int(), name: z.string() })
      .nullable()
      .describe("The only contact that matches an unknown sender. PATCH with contact_id confirms it."),
  })
  .meta({
    id: "Conversation",
    description: "A conversation with a contact on one channel.",
    examples: [conversationSpecimen],
  });

export type ConversationView = z.output<typeof conversationView>;

export const conversationListView = pageOf(conversationView).meta({
  id: "ConversationList",
  description: "A page of conversations, newest message first.",
});

/** A conversation inside its contact. Times in milliseconds. */
export interface EmbeddedConversationRow {
  readonly id: number;
  readonly kind: ChannelKind;
  readonly channel_id: number;
  readonly channel_name: string;
  readonly status: ConversationStatus;
  readonly snoozed_until: number | null;
  readonly assignee_id: number | null;
  readonly assignee_name: string | null;
  readonly preview: string | null;
  readonly last_message_at: number;
  readonly last_inbound_at: number | null;
  readonly unread_count: number;
  readonly subject: string | null;
  readonly match_id: number | null;
  readonly match_name: string | null;
}

/** The selected row. */
export interface ConversationRow extends EmbeddedConversationRow {
  /** null if the contact is unknown or deleted. */
  readonly contact_id: number | null;
  readonly contact_name: string | null;
  readonly contact_phone_display: string | null;
  readonly contact_email: string | null;
}

export function toConversation(row: ConversationRow): ConversationView {
  return {
    id: row.id,
    contact:
      row.contact_id === null
        ? null
        : {
            id: row.contact_id,
            name: row.contact_name!,
            phone_display: row.contact_phone_display,
            email: row.contact_email,
          },
    kind: row.kind,
    channel: { id: row.channel_id, name: row.channel_name },
    status: row.status,
    snoozed_until: toNullableTimestamp(row.snoozed_until),
    assignee: toPerson(row.assignee_id, row.assignee_name),
    preview: row.preview,
    last_message_at: row.last_message_at === 0 ? null : toNullableTimestamp(row.last_message_at),
    last_inbound_at: toNullableTimestamp(row.last_inbound_at),
    unread: row.unread_count > 0,
    unread_count: row.unread_count,
    subject: row.subject,
    possible_match: toPerson(row.match_id, row.match_name),
  };
}
