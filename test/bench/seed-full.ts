/** Fills the last contacts to the brim: a hundred of everything that a contact shows, by bulk SQL. */
import type { Connection } from "./connection.ts";
import { day, numbers, timeOn } from "./seed-sql.ts";

/** Contacts of whom everything is full. They come after all others, so that no other request meets them by chance. */
export const fullContacts = 20;
const full = 100;

interface Full {
  readonly workspaceId: number;
  /** The last contact on whom little hangs. */
  readonly after: number;
  readonly user: number;
  readonly until: number;
}

/** Before what opportunities and tasks keep on their contacts. */
export function dealsOfFull({ after, user, until }: Full, dialect: Connection["dialect"]): string[] {
  const time = timeOn(dialect);
  return [
    `${each} insert into opportunities (location_id, contact_id, pipeline_id, stage_id, status, name, value_cents, owner_id,
       lost_reason, stage_entered_at, closed_at, created_at, updated_at)
     select c.location_id, c.id, p.id, s.id, s.kind, 'Deal ' || n, n * 100, ${user}, case when s.kind = 'lost' then 'Price' end,
       c.created_at, case when s.kind <> 'open' then c.last_activity_at end, c.created_at, c.last_activity_at
     from contacts c cross join numbers join pipelines p on p.location_id = c.location_id
       join stages s on s.pipeline_id = p.id and s.place = 1 + n % 5
     where c.id > ${after} order by c.id, n`,
    `${each} insert into tasks (location_id, contact_id, title, due_at, completed_at, assignee_id, created_by_id, created_at)
     select location_id, id, 'Call about deal ' || n, ${time(`${until} + (n - 50) * cast(${day} as bigint)`)},
       case when n % 2 = 0 then last_activity_at end, ${user}, ${user}, created_at
     from contacts cross join numbers where id > ${after} order by id, n`,
  ];
}

/** After every contact got its one conversation, and before events get their positions. */
export function restOfFull({ workspaceId, after, user }: Full): string[] {
  return [
    `${each} insert into notes (contact_id, body, pinned, user_id, created_at, updated_at)
     select id, 'Note ' || n || ': called on behalf of the company and asked for a quote; wants to be called back.', n % 10 = 0,
       ${user}, last_activity_at, last_activity_at
     from contacts cross join numbers where id > ${after} order by id, n`,
    `${each} insert into conversations (location_id, contact_id, contact_key, channel_id, kind, status, assignee_id, subject, preview,
       last_message_at, last_inbound_at, unread_count, created_at)
     select location_id, contact_id, contact_key, channel_id, kind, 'closed', assignee_id, 'Prices ' || n, preview, last_message_at,
       last_inbound_at, 0, created_at
     from conversations cross join numbers where contact_id > ${after} order by contact_id, n`,
    `${each} insert into events (workspace_id, location_id, event, contact_id, actor_type, actor_id, actor_name, changes, data, created_at)
     select ${workspaceId}, location_id, 'note.added', id, 'user', ${user}, 'Owner',
       '[{"field":"note","old":null,"new":"Note ' || n || ': called on behalf of the company and asked for a quote."}]', null, last_activity_at
     from contacts cross join numbers where id > ${after} order by id, n`,
  ];
}

const each = numbers(full);
