/**
 * The positions in the event log from which on events end waits. An event about a contact commits under the lock of the contact, which the
 * engine holds while it moves a run: so each of its events precedes or follows the wait in the log, whatever clocks say.
 */
import { eventsOf } from "../../../events/following/positioned-events.ts";
import { findLastPosition, findPositionBefore, findStartPosition } from "../../../events/positions.ts";
import { listed } from "../../../storage/json.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import type { RunRow } from "./run-rows.ts";

/** The waits for events that begin in a transaction. */
export interface EventWaits {
  add(run: Pick<RunRow, "id" | "contact_id">, event: EventName): void;
  /** To be called once, last: one position for all of them. `runIds`: the runs that the transaction moves. */
  write(runIds: readonly number[]): Promise<void>;
}

/** The newest events without a position that are compared. With more, events from shortly before the wait may end it. */
const mostUnstamped = 1000;

/** Events of the runs that the transaction moves are its own, and do not precede it. */
const given = jsonKeys({ contact_id: "integer", event: "text" });
const newestUnstamped = eventsOf(
  sql`(select event_id from unstamped_events order by event_id desc limit ${mostUnstamped})`,
);
const earlierText = sql`select 1 as found from
    (select contact_id, event, run_id from ${newestUnstamped}) as unstamped
  join ${given} as given on given.contact_id = unstamped.contact_id and given.event = unstamped.event
  where unstamped.run_id is null or unstamped.run_id not in ${listed} limit 1`;

const beginText = sql`update workflow_runs set events_after = ? where id in ${listed}`;

/** To be called before the transaction raises an event: all that it raises follow the waits that begin in it. */
export async function beginEventWaits(writer: Writer): Promise<EventWaits> {
  const before = await findPositionBefore(writer);
  const waits: { runId: number; contactId: number; event: EventName }[] = [];
  return {
    add: ({ id, contact_id }, event) => void waits.push({ runId: id, contactId: contact_id, event }),
    async write(runIds) {
      if (waits.length === 0) return;
      const awaited = waits.map(({ contactId, event }) => ({ contact_id: contactId, event }));
      const [earlier] = await writer.rows(earlierText, [JSON.stringify(awaited), JSON.stringify(runIds)]);
      // An event without a position would get one after that of the wait, although it is older: it gets its position first.
      const position =
        earlier === undefined ? (before ?? (await findLastPosition(writer))) : await findStartPosition(writer);
      writer.send(beginText, [position, JSON.stringify(waits.map(({ runId }) => runId))]);
    },
  };
}
