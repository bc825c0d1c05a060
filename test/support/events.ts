/** Events for tests: some to record, their positions, and whether they have the shapes that their nouns promise. */
import { z } from "zod";
import { eventShapes } from "../../src/crm/event-log/event-shapes.ts";
import { defineEvent } from "../../src/events/define-event.ts";
import { findStartPosition, hasUnstamped, stampPositions } from "../../src/events/positions.ts";
import type { Database } from "../../src/storage/database.ts";
import { unpackPayload } from "../../src/events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../src/events/payloads/stored-payload.ts";

/** For tests to which it does not matter what happened. */
export const someEvent = defineEvent("contact.created", z.object({}), {}, "nothing").of({});

export const someOtherEvent = defineEvent("location.updated", z.object({}), {}, "nothing").of({});

/** Gives every event of the log its position. */
export async function stampAll(database: Database): Promise<void> {
  while (await hasUnstamped(database)) await stampPositions(database);
}

/** Does `work` while another transaction of PostgreSQL assigns positions: its events are left to the worker. On SQLite they have theirs at once. */
export function besideStamping<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  if (database.dialect === "sqlite") return work();
  return database.transaction((open) => findStartPosition(open).then(work));
}

/** What is wrong with the `data` of an event, as sentences; empty when it is as its shape says. */
export function findFaultsOf({ event, data }: { readonly event: string; readonly data: unknown }): string[] {
  const shape = eventShapes.find((known) => known.event === event);
  if (shape === undefined) return [`${event} has no shape: add it to its noun's .events.ts and to event-shapes.ts`];
  const judged = shape.schema.safeParse(data);
  return judged.success ? [] : [`the data of ${event} is not as its shape says: ${z.prettifyError(judged.error)}`];
}

/** The payload of an event as its row holds it. */
// oxlint-disable-next-line typescript/no-explicit-any -- looked into freely
export function payloadOf(stored: unknown): any {
  return JSON.parse(unpackPayload(stored as StoredPayload));
}
