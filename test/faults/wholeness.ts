/** What must hold of the contacts and their events at every moment at which somebody looks. */
import { expect } from "vitest";
import type { Ground } from "./ground.ts";
import { Line } from "./line.ts";

/**
 * Everything in `answered` (id by e-mail) is there; no e-mail is there twice; each contact has its one event; the total
 * is what is there. Each contact was made by a request with an e-mail of its own.
 */
export async function expectWhole(ground: Ground, url: string, answered: ReadonlyMap<string, number>): Promise<void> {
  const contacts = await ground.rows<{ id: number; email: string }>(
    "select id, email from contacts where deleted_at is null",
  );
  const events = await ground.rows<{ contact_id: number }>(
    "select contact_id from events where event = 'contact.created'",
  );
  const idByEmail = new Map(contacts.map(({ id, email }) => [email, id]));
  expect(idByEmail.size, "contacts, each with an e-mail of its own").toBe(contacts.length);
  const lost = [...answered].filter(([email, id]) => idByEmail.get(email) !== id);
  expect(lost, "answered and not there").toEqual([]);
  // Contact and event stand and fall together, also where nobody was answered.
  const contactIds = contacts.map(({ id }) => id).toSorted(ascending);
  expect(events.map(({ contact_id: id }) => id).toSorted(ascending)).toEqual(contactIds);

  const line = new Line(url);
  const path = `/api/v1/contacts?location_id=${ground.location}`;
  const list = await line.ask({ method: "GET", path, key: ground.key });
  line.close();
  expect(list.body.total).toBe(contacts.length);
}

/** Every event has a place, from 1 without gap or repeat. */
export async function expectPositions(ground: Ground): Promise<void> {
  const events = await ground.rows<{ position: number | null }>("select position from events order by position");
  expect(events.map(({ position }) => position)).toEqual(events.map((_, place) => place + 1));
}

export function ascending(one: number, other: number): number {
  return one - other;
}
