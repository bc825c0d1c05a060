/** The shapes that go out of the raw limit: rows in, what JSON.stringify turns into the answer out. */
import type { Row } from "./raw-database.ts";

/** A list that the database made: text on SQLite, parsed by the driver on PostgreSQL. */
function listed(value: unknown): Row[] {
  if (value === "[]") return [];
  return typeof value === "string" ? JSON.parse(value) : (value as Row[]);
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** `now` in milliseconds: what is due before it is overdue. */
export function toSummary(row: Row, now: number) {
  return {
    id: row.id,
    name: row.name,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_display: row.phone_display,
    interest: row.interest,
    source: row.source,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name },
    tags: listed(row.tags),
    stage:
      row.stage_id === null
        ? null
        : { id: row.stage_id, name: row.stage_name, kind: row.stage_kind, color: row.stage_color },
    value_cents: row.value_cents,
    last_activity_at: iso(row.last_activity_at),
    next_task:
      row.next_task_id === null
        ? null
        : {
            id: row.next_task_id,
            title: row.next_task_title,
            due_at: due(row.next_task_due_at),
            overdue: row.next_task_due_at < now,
          },
    dnd: Boolean(row.dnd),
  };
}

export function toRecord(row: Row, now: number) {
  return {
    ...toSummary(row, now),
    company: row.company,
    address1: row.address1,
    city: row.city,
    state: row.state,
    zip: row.zip,
    timezone: row.timezone,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    external_ref: row.external_ref,
  };
}

export function toContact(row: Row, now: number) {
  const contact = { contact_id: row.id, contact_name: row.name };
  const reached = { contact_phone_display: row.phone_display, contact_email: row.email };
  return {
    ...toRecord(row, now),
    opportunities: listed(row.opportunities).map((opportunity) => toOpportunity({ ...opportunity, ...contact })),
    tasks: listed(row.tasks).map((task) => toTask({ ...task, ...contact }, now)),
    notes: listed(row.notes).map((note) => ({
      id: note.id,
      body: note.body,
      pinned: Boolean(note.pinned),
      user: note.user_id === null ? null : { id: note.user_id, name: note.user_name },
      created_at: iso(note.created_at),
      updated_at: iso(note.updated_at),
      ...(note.truncated ? { truncated: true } : {}),
    })),
    conversations: listed(row.conversations).map((conversation) =>
      toConversation({ ...conversation, ...contact, ...reached }),
    ),
    activities: listed(row.activities).map((activity) => ({
      id: activity.id,
      kind: activity.event,
      actor: { type: activity.actor_type, id: activity.actor_id, name: activity.actor_name },
      data: activity.changes === null ? [] : JSON.parse(activity.changes),
      created_at: iso(activity.created_at),
    })),
  };
}

export function toConversation(row: Row) {
  return {
    id: row.id,
    contact:
      row.contact_id === null
        ? null
        : {
            id: row.contact_id,
            name: row.contact_name,
            phone_display: row.contact_phone_display,
            email: row.contact_email,
          },
    kind: row.kind,
    channel: { id: row.channel_id, name: row.channel_name },
    status: row.status,
    snoozed_until: row.snoozed_until === null ? null : iso(row.snoozed_until),
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name },
    preview: row.preview,
    last_message_at: iso(row.last_message_at),
    last_inbound_at: row.last_inbound_at === null ? null : iso(row.last_inbound_at),
    unread: row.unread_count > 0,
    unread_count: row.unread_count,
    subject: row.subject,
    possible_match: row.match_id === null ? null : { id: row.match_id, name: row.match_name },
  };
}

export function toMessage(row: Row) {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    direction: row.direction,
    kind: row.kind,
    body: row.body,
    html: row.html,
    subject: row.subject,
    from_address: row.from_address,
    to_address: row.to_address,
    status: row.status,
    error: row.error,
    author: row.author_id === null ? null : { id: row.author_id, name: row.author_name },
    sent_at: row.sent_at === null ? null : iso(row.sent_at),
    delivered_at: row.delivered_at === null ? null : iso(row.delivered_at),
    created_at: iso(row.created_at),
    ai_generated: Boolean(row.ai_generated),
    attachments: [],
  };
}

/** The text of an event of the log, whose payload is text already. */
export function toLoggedEvent(row: Row): string {
  const actor = JSON.stringify({ type: row.actor_type, id: row.actor_id, name: row.actor_name });
  return `{"position":${row.position},"id":${row.id},"event":"${row.event}","created_at":"${iso(row.created_at)}","data":${row.data},"contact_id":${row.contact_id},"actor":${actor}}`;
}

export function toOpportunity(row: Row) {
  return {
    id: row.id,
    contact: row.contact_id === null ? null : { id: row.contact_id, name: row.contact_name },
    pipeline: { id: row.pipeline_id, name: row.pipeline_name },
    stage: { id: row.stage_id, name: row.stage_name, kind: row.status, color: row.stage_color },
    name: row.name,
    value_cents: row.value_cents,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name },
    status: row.status,
    lost_reason: row.lost_reason,
    stage_entered_at: iso(row.stage_entered_at),
    closed_at: row.closed_at === null ? null : iso(row.closed_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function toTask(row: Row, now: number) {
  return {
    id: row.id,
    contact: row.contact_id === null ? null : { id: row.contact_id, name: row.contact_name },
    title: row.title,
    due_at: due(row.due_at),
    overdue: row.completed_at === null && row.due_at < now,
    completed_at: row.completed_at === null ? null : iso(row.completed_at),
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name },
    created_by: row.created_by_id === null ? null : { id: row.created_by_id, name: row.created_by_name },
    created_at: iso(row.created_at),
  };
}

/** When a task is due that is due at no time. */
export const never = Date.parse("9999-12-31T23:59:59.999Z");

function due(milliseconds: number): string | null {
  return milliseconds === never ? null : iso(milliseconds);
}
