/** Looks for gaps in the positions of the event log, and for events that wait for one, for `crm doctor`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Rows } from "../storage/rows.ts";

/** One statement, so that all of it is of one moment. */
const endsText = `select last_position, (select min(position) from event_positions) as first,
    (select max(position) from event_positions) as highest
  from event_log where id = 1`;
const countText = "select count(*) as count from event_positions where position > ? and position <= ?";

/** Positions of one statement. */
const span = 20_000;
/** In milliseconds. */
const rest = 5;
const mostFaults = 10;

interface Ends {
  readonly last_position: number;
  readonly first: number | null;
  readonly highest: number | null;
}

/** The last position, and a sentence for each fault, at most ten. Events may be appended meanwhile. */
export async function findPositionFaults(rows: Rows): Promise<{ readonly last: number; readonly faults: string[] }> {
  const [ends] = await rows.rowsOnce<Ends>(endsText);
  if (ends === undefined) return { last: 0, faults: ["the row of event_log is missing"] };
  const { last_position: last, first, highest } = ends;
  const faults: string[] = [];
  if ((highest ?? 0) !== last && (highest !== null || last > 0))
    faults.push(`the last position is ${last}, and the highest of an event ${highest ?? "none"}`);
  // Both ends are whole: positions begin at 1, unless retention removes the oldest events.
  for (let after = (first ?? 1) - 1; after < (highest ?? 0) && faults.length < mostFaults; after += span) {
    const until = Math.min(after + span, highest!);
    const [found] = await rows.rows<{ count: number }>(countText, [after, until]);
    const missing = until - after - Number(found!.count);
    if (missing > 0) faults.push(`${missing} of the positions ${after + 1} to ${until} are missing`);
    await sleep(rest);
  }
  return { last, faults };
}

const waitingText = "select created_at from unstamped_events join events on id = event_id order by event_id limit 1";

/** When the oldest event without a position was recorded; null if there is none. */
export async function findOldestUnstamped(rows: Rows): Promise<Date | null> {
  const [event] = await rows.rowsOnce<{ created_at: number }>(waitingText);
  return event === undefined ? null : new Date(event.created_at);
}
