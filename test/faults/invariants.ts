/** The invariants of contacts and their events, which hold at every time. */
import { expect } from "vitest";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";

/**
 * Everything in `answered` (id by e-mail) exists; no e-mail exists twice; each contact has exactly one event; the total is exact. Each contact
 * was created by a request with a unique e-mail.
 */
export async function expectInvariants(
  system: TestedSystem,
  url: string,
  answered: ReadonlyMap<string, number>,
): Promise<void> {
  const contacts = await system.rows<{ id: number; email: string }>(
    "select id, email from contacts where deleted_at is null",
  );
  const events = await system.rows<{ contact_id: number }>(
    "select contact_id from events where event = 'contact.created'",
  );
  const idByEmail = new Map(contacts.map(({ id, email }) => [email, id]));
  expect(idByEmail.size, "contacts, each with an e-mail of its own").toBe(contacts.length);
  const lost = [...answered].filter(([email, id]) => idByEmail.get(email) !== id);
  expect(lost, "answered and not there").toEqual([]);
  // Contact and event are written atomically, with or without a response.
  const contactIds = contacts.map(({ id }) => id).toSorted(ascending);
  expect(events.map(({ contact_id: id }) => id).toSorted(ascending)).toEqual(contactIds);

  const line = new KeepAliveConnection(url);
  const path = `/api/v1/contacts?location_id=${system.location}`;
  const list = await line.ask({ method: "GET", path, key: system.key });
  line.close();
  expect(list.body.total).toBe(contacts.length);
}

/** Every event has a position, from 1 without gaps or duplicates. */
export async function expectPositions(system: TestedSystem): Promise<void> {
  const events = await system.rows<{ position: number | null }>(
    "select position from events left join event_positions on event_id = id order by position",
  );
  expect(events.map(({ position }) => position)).toEqual(events.map((_, place) => place + 1));
}

export function ascending(one: number, other: number): number {
  return one - other;
}
