/** The statements of the raw limit on conversations, messages and the event log. */
const conversation = `n.id, n.kind, n.channel_id, h.name as channel_name, n.status, n.snoozed_until, n.assignee_id,
  a.name as assignee_name, n.preview, n.last_message_at, n.last_inbound_at, n.unread_count, n.subject, m.id as match_id,
  m.name as match_name, c.id as contact_id, c.name as contact_name, c.phone_display as contact_phone_display, c.email as contact_email`;
const neighbours = `join channels h on h.id = n.channel_id left join users a on a.id = n.assignee_id
  left join contacts m on m.id = n.possible_match_id and m.deleted_at is null
  left join contacts c on c.id = n.contact_id and c.deleted_at is null`;
const order = "order by n.last_message_at desc, n.id desc";

/** The columns that a new message fills, in the order in which they are bound. */
const messageColumns = [
  "conversation_id",
  "channel_id",
  "direction",
  "kind",
  "body",
  "html",
  "subject",
  "from_address",
  "to_address",
  "status",
  "author_id",
  "external_id",
  "sent_at",
  "created_at",
];

export function conversationTexts(isSqlite: boolean) {
  const hold = isSqlite ? "" : " for update of n";
  const position = isSqlite ? "instr" : "strpos";
  const page = (condition: string): string =>
    `select ${conversation} from (select n.id from conversations n where n.location_id = ? ${condition} ${order} limit 201) p
     join conversations n on n.id = p.id ${neighbours} ${order}`;
  return {
    firstConversations: page(""),
    laterConversations: page("and (n.last_message_at, n.id) < (?, ?)"),
    searchedConversations: page(`and ${position}(n.contact_key, ?) > 0`),
    conversation: `select ${conversation} from conversations n ${neighbours} where n.id = ? and n.location_id = ?`,
    lastMessages: `select m.*, u.name as author_name from (select * from messages where conversation_id = ? order by id desc limit 100) m
      left join users u on u.id = m.author_id order by m.id`,
    contactOfConversation: "select contact_id from conversations where id = ? and location_id = ?",
    lockConversation: `select n.*, coalesce(h.outbound_address, h.address) as channel_address
      from conversations n join channels h on h.id = n.channel_id where n.id = ?${hold}`,
    insertMessage: `insert into messages (${messageColumns.join(", ")}) values (${messageColumns.map(() => "?").join(", ")}) returning id`,
    keepMessage: "update conversations set preview = ?, last_message_at = ?, unread_count = 0 where id = ?",
    events: `select l.last_position as log_end, e.* from event_log l left join (
        select events.id, p.position, event, contact_id, actor_type, actor_id, actor_name, created_at, data
        from (select position, event_id from event_positions where location_id = ? and position > ? order by position limit 201) p
        join events on events.id = p.event_id
      ) e on true where l.id = 1 order by e.position`,
  };
}
