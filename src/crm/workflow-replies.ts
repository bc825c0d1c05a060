/** Marks replies in the transaction of the inbound message, so that neither clocks nor a lag of the event log lose one. */
import type { Change, LocationContext } from "../events/caller.ts";
import { updateInOrder } from "../storage/locks.ts";
import { keepToLookUps } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";

/** Clocks of workers may be behind by as much: the run is due by theirs, too. In milliseconds. */
const mostSkew = 86_400_000;

const markText = updateInOrder(
  "workflow_runs",
  "has_replied = true, due_at = case when wait_reason = 'reply' then ? else due_at end",
  sql`contact_id = ? and status in ('active', 'waiting')`,
);

/** The contact, which is locked, has replied: its runs that wait for a reply are due, and the others know it once they do. */
export function markReply(change: Change<LocationContext>, contactId: number): void {
  keepToLookUps(change);
  change.send(markText, [new Date(change.now.getTime() - mostSkew), contactId]);
}
