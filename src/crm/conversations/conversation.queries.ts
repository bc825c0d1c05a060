/** Reads conversations: a single one, several, the newest of a sender, and those embedded in a contact. */
import type { LocationContext, Reader } from "../../events/caller.ts";
import { jsonList, listed } from "../../storage/json.ts";
import { judged } from "../../storage/query-plans.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { toConversation } from "./conversation.view.ts";
import type { ConversationRow, ConversationView } from "./conversation.view.ts";

const ownColumns = {
  id: "conversations.id",
  kind: "conversations.kind",
  channel_id: "conversations.channel_id",
  channel_name: "channels.name",
  status: "conversations.status",
  snoozed_until: "conversations.snoozed_until",
  assignee_id: "conversations.assignee_id",
  assignee_name: "users.name",
  preview: "conversations.preview",
  last_message_at: "conversations.last_message_at",
  last_inbound_at: "conversations.last_inbound_at",
  unread_count: "conversations.unread_count",
  subject: "conversations.subject",
  match_id: "matches.id",
  match_name: "matches.name",
};

const contactColumns = {
  contact_id: "contacts.id",
  contact_name: "contacts.name",
  contact_phone_display: "contacts.phone_display",
  contact_email: "contacts.email",
};

const ownJoins = `join channels on channels.id = conversations.channel_id
  left join users on users.id = conversations.assignee_id
  left join contacts as matches on matches.id = conversations.possible_match_id and matches.deleted_at is null`;

const named = Object.entries({ ...ownColumns, ...contactColumns }).map(([name, column]) => `${column} as ${name}`);

/** The columns of ConversationRow. */
export const selectConversation = `select ${named.join(", ")}`;

/** The joins for these columns. A deleted contact is joined as null. */
export const conversationJoins = `${ownJoins}
  left join contacts on contacts.id = conversations.contact_id and contacts.deleted_at is null`;

const oneText = `${selectConversation} from conversations ${conversationJoins}
  where conversations.id = ? and conversations.location_id = ?`;

export async function findConversation(
  reader: Reader<LocationContext>,
  id: number,
): Promise<ConversationView | undefined> {
  const [row] = await reader.rows<ConversationRow>(oneText, [id, reader.location.id]);
  return row === undefined ? undefined : toConversation(row);
}

/** Refuses `conversation.not_found`. */
export async function getConversation(reader: Reader<LocationContext>, id: number): Promise<ConversationView> {
  const conversation = await findConversation(reader, id);
  if (conversation === undefined) throw new Refusal("conversation.not_found");
  return conversation;
}

const someText = sql`${selectConversation} from conversations ${conversationJoins}
  where ${judged("conversations.location_id")} = ? and conversations.id in ${listed} order by conversations.id`;

/** The conversations of the location with these ids, by id. */
export async function findConversations(
  reader: Reader<LocationContext>,
  ids: readonly number[],
): Promise<ConversationView[]> {
  if (ids.length === 0) return [];
  const rows = await reader.rows<ConversationRow>(someText, [reader.location.id, JSON.stringify(ids)]);
  return rows.map(toConversation);
}

const newest = "order by last_message_at desc, id desc limit 1";

const ofSenderText = `select id, contact_id from conversations where channel_id = ? and sender_key = ? ${newest}`;

/** The newest conversation on the channel with an unknown sender, by address. */
export async function findNewestOfSender(reader: Reader<LocationContext>, channelId: number, senderKey: string) {
  const [found] = await reader.rows<{ id: number; contact_id: number | null }>(ofSenderText, [channelId, senderKey]);
  return found;
}

const newestOfContact = `(select * from conversations where conversations.contact_id = contacts.id
  order by last_message_at desc, id desc limit ${limits.embeddedLimit}) as conversations`;

/** A correlated subquery on `contacts`: the list of EmbeddedConversationRow, newest message first. */
export const conversationsOfContact = jsonList({
  members: ownColumns,
  times: ["snoozed_until", "last_message_at", "last_inbound_at"],
  // The limit is inside the subquery, so that only the newest rows are read from the index.
  from: `${newestOfContact} ${ownJoins}`,
  order: "last_message_at desc, id desc",
  limit: limits.embeddedLimit,
});
