/** Fills conversations, their messages, and the end of the event log, by bulk SQL. Contacts are there already. */
import type { Connection } from "./connection.ts";
import { numbers, oneOf, timeOn } from "./seed-sql.ts";

interface Size {
  readonly firstLocation: number;
  readonly workspaceId: number;
  /** Contacts, each of whom has the conversation of the same id. */
  readonly contacts: number;
  /** No message is younger: milliseconds. */
  readonly until: number;
  readonly assignee: number;
}

/** The first conversations, which have a hundred messages; all others have one. */
export const threads = 200;

/** Events at the end of the log that still have their payloads; fewer where there are fewer contacts. */
export const keptPayloads = 20_000;

export function conversationStatements(dialect: Connection["dialect"], size: Size): string[] {
  const { firstLocation, contacts, until, assignee } = size;
  const time = timeOn(dialect);
  // Neighbours by id are not neighbours in the list.
  const written = time(`${until} - (cast(c.id as bigint) * 7907 % ${contacts}) * 1000`);

  return [
    `insert into channels (location_id, kind, name, address, transport, status, inbound_hash, inbound_token, created_at)
     select id, 'email', 'Front desk', 'desk.' || id || '@example.com', 'log', 'active', 'none ' || id, '', ${time(String(until))}
     from locations where id >= ${firstLocation} order by id`,
    `insert into conversations (location_id, contact_id, contact_key, channel_id, kind, status, assignee_id, subject, preview,
       last_message_at, last_inbound_at, unread_count, created_at)
     select c.location_id, c.id, '\n' || c.first_name_key || ' ' || c.last_name_key || '\n' || c.email_key, h.id, h.kind,
       case when c.id % 4 = 0 then 'closed' else 'open' end, case when c.id % 3 = 0 then ${assignee} end, 'Prices',
       ${asked("c.id")}, ${written}, ${written}, c.id % 2, ${written}
     from contacts c join channels h on h.location_id = c.location_id order by c.id`,
    `${numbers(100)} ${insertMessages} select v.id, v.channel_id, ${oneOf(["inbound", "outbound"], "numbers.n")}, 'text',
       ${asked("v.id")} || ' This is message ' || numbers.n || ', as long as most of those are that people write each other.',
       'Prices', 'person.' || v.id || '@example.com', 'desk@example.com', ${oneOf(["received", "sent"], "numbers.n")}, v.created_at
     from conversations v cross join numbers where v.id <= ${threads} order by v.id, numbers.n`,
    `${insertMessages} select id, channel_id, 'inbound', 'text', preview, 'Prices', 'person.' || id || '@example.com',
       'desk@example.com', 'received', created_at
     from conversations where id > ${threads} order by id`,
  ];
}

/** Gives a position to each event without one. */
export const positionStatements = [
  "delete from unstamped_events",
  `insert into event_positions (position, event_id, workspace_id, location_id)
   select (select last_position from event_log) + row_number() over (order by id), id, workspace_id, location_id from events
   where not exists (select 1 from event_positions p where p.event_id = events.id) order by id`,
  "update event_log set last_position = (select max(position) from event_positions)",
];

/** Events of messages at the end of the log, which have their payloads; those before have forgotten them. */
export function eventStatements({ workspaceId, contacts, assignee }: Size): string[] {
  const last = Math.min(keptPayloads, contacts);
  return [
    "update event_log set forgotten_position = last_position",
    `insert into events (workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name, changes, data, created_at)
     select ${workspaceId}, v.location_id, 'message.received', v.contact_id, 'user', ${assignee}, 'Owner',
       '[{"field":"message","old":null,"new":"' || v.preview || '"}]',
       '{"id":' || v.id || ',"conversation_id":' || v.id || ',"direction":"inbound","kind":"text","body":"' || v.preview ||
       '","html":null,"subject":"Prices","from_address":"person.' || v.id || '@example.com","to_address":"desk@example.com",' ||
       '"status":"received","error":null,"author":null,"sent_at":null,"delivered_at":null,"created_at":"2026-03-01T12:00:00.000Z",' ||
       '"ai_generated":false,"attachments":[],"contact":{"id":' || v.contact_id || ',"name":"Ada Lovelace","phone_display":null,' ||
       '"email":"person.' || v.id || '@example.com"},"location_id":' || v.location_id || '}',
       v.last_message_at
     from conversations v where v.id <= ${last} order by v.id`,
    ...positionStatements,
  ];
}

const insertMessages = `insert into messages (conversation_id, channel_id, direction, kind, body, subject, from_address, to_address,
  status, created_at)`;

function asked(id: string): string {
  return `'Could you send me the price list of company ' || (${id} % 5000) || ', and tell me when somebody has the time?'`;
}
