/** Reopens conversations when their snooze ends. */
import { systemIn } from "../../events/call-as.ts";
import type { CallAs } from "../../events/call-as.ts";
import type { Change, LocationContext } from "../../events/caller.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { forUpdate } from "../../storage/locks.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { lockContacts, raiseActivities } from "../contact-activity.ts";
import type { ContactActivity } from "../contact-activity.ts";
import { conversationUpdated } from "./conversation.events.ts";
import { findConversations } from "./conversation.queries.ts";

interface Due extends LocationContext {
  readonly workspace_id: number;
}

const nextText = `select locations.id, locations.country, locations.timezone, locations.workspace_id
  from conversations join locations on locations.id = conversations.location_id
  where conversations.snoozed_until <= ? order by conversations.snoozed_until, conversations.id limit 1`;

/** Reopens up to `atOnce` conversations, of the location with the earliest due snooze; resolves to how many. Safe for concurrent workers. */
export async function endSnoozes(rows: Rows, callAs: CallAs, now: Date): Promise<number> {
  const [due] = await rows.rows<Due>(nextText, [now]);
  if (due === undefined) return 0;
  const { workspace_id: workspaceId, ...location } = due;
  const caller = callAs(systemIn(workspaceId, location));
  return caller.change((change) => reopenDue(change));
}

const atOnce = 100;

const dueText = `select id, contact_id from conversations
  where location_id = ? and snoozed_until <= ? order by snoozed_until, id limit ${atOnce}`;

async function reopenDue(change: Change<LocationContext>): Promise<number> {
  const due = await change.rows<{ id: number; contact_id: number | null }>(dueText, [change.location.id, change.now]);
  // Contacts before conversations, each by id: the lock order of ADR 18.
  const contactIds = due.map(({ contact_id }) => contact_id).filter((id) => id !== null);
  const living = new Set(await lockContacts(change, contactIds));
  const opened = await lockAndReopen(
    change,
    due.map(({ id }) => id),
  );
  const views = await findConversations(change, [...opened.keys()]);
  const events = views.map((view): ContactActivity => {
    const until = toTimestamp(opened.get(view.id)!);
    const changes = [
      { field: "status", old: "snoozed", new: "open" },
      { field: "snoozed_until", old: until, new: null },
    ];
    const contactId = view.contact !== null && living.has(view.contact.id) ? view.contact.id : null;
    return { contactId, record: conversationUpdated.of(view, { changes }) };
  });
  raiseActivities(change, events);
  return due.length;
}

/** Locks and reopens those that are still due; returns their `snoozed_until` by id. */
async function lockAndReopen(change: Change<LocationContext>, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const locked = await change.rowsOnce<{ id: number; snoozed_until: number }>(
    sql`select id, snoozed_until from conversations where id in (${placeholders(ids.length)}) and snoozed_until <= ?
      order by id${forUpdate("conversations")}`,
    [...ids, change.now],
  );
  if (locked.length > 0) {
    await change.rowsOnce(
      `update conversations set status = 'open', snoozed_until = null where id in (${placeholders(locked.length)})`,
      locked.map(({ id }) => id),
    );
  }
  return new Map(locked.map(({ id, snoozed_until }) => [id, snoozed_until]));
}

/** The end of the next snooze; null if there is none. */
export async function nextSnoozeEnd(rows: Rows): Promise<Date | null> {
  const [next] = await rows.rows<{ snoozed_until: number }>(
    "select snoozed_until from conversations where snoozed_until is not null order by snoozed_until, id limit 1",
  );
  return next === undefined ? null : new Date(next.snoozed_until);
}
