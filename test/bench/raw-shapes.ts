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

export function toSummary(row: Row) {
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
    stage: null,
    value_cents: 0,
    last_activity_at: iso(row.last_activity_at),
    next_task: null,
    dnd: Boolean(row.dnd),
  };
}

export function toRecord(row: Row) {
  return {
    ...toSummary(row),
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

export function toContact(row: Row) {
  return {
    ...toRecord(row),
    opportunities: [],
    tasks: [],
    notes: listed(row.notes).map((note) => ({
      id: note.id,
      body: note.body,
      pinned: Boolean(note.pinned),
      user: note.user_id === null ? null : { id: note.user_id, name: note.user_name },
      created_at: iso(note.created_at),
      updated_at: iso(note.updated_at),
      ...(note.truncated ? { truncated: true } : {}),
    })),
    conversations: [],
    activities: listed(row.activities).map((activity) => ({
      id: activity.id,
      kind: activity.event,
      actor: { type: activity.actor_type, id: activity.actor_id, name: activity.actor_name },
      data: activity.changes === null ? [] : JSON.parse(activity.changes),
      created_at: iso(activity.created_at),
    })),
  };
}
