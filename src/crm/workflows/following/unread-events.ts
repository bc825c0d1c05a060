/**
 * Events that ended a wait and that the follower has not read yet. The engine asks before a timeout, so that the order of commits decides which
 * of both came first, and not how far behind the follower is.
 */
import { headColumns, positionOf } from "../../../events/following/positioned-events.ts";
import type { EventHead } from "../../../events/following/positioned-events.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import { firstOfEach } from "../../../storage/reading/lateral.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { RunRow } from "../engine/run-rows.ts";
import { withoutAutomatic } from "./automatic.ts";
import { findCausingRuns } from "./causing-run.ts";
import { endsWait, isOwnEvent } from "./event-match.ts";

/** The newest events of a contact that are compared. */
const mostCompared = 1000;

const given = jsonKeys({ contact_id: "integer", event: "text", after: "integer" });
const newest = firstOfEach({
  given: sql`${given} as given`,
  table: "events",
  columns: headColumns,
  computed: { position: positionOf("found.id") },
  where: "events.contact_id = given.contact_id",
  order: "events.id desc",
  limit: mostCompared,
});
/** An event without a position follows the wait (engine/event-waits.ts). */
const unreadText = sql`${newest} where found.event = given.event and coalesce(${positionOf("found.id")}, ${Number.MAX_SAFE_INTEGER}) > given.after`;

/** The runs, whose contacts are locked; the awaited event of those for which it has happened is null, as if it had woken them. */
export async function withUnreadEvents(rows: Rows, runs: readonly RunRow[]): Promise<readonly RunRow[]> {
  const awaiting = runs.filter(({ wait_reason, awaited_event }) => wait_reason === "event" && awaited_event !== null);
  if (awaiting.length === 0) return runs;
  const waits = awaiting.map(({ contact_id, awaited_event: event, events_after: after }) => ({
    contact_id,
    event,
    after: after ?? 0,
  }));
  const found = await rows.rows<EventHead>(unreadText, [JSON.stringify(waits)]);
  if (found.length === 0) return runs;
  const causes = await findCausingRuns(rows, found);
  const events = await withoutAutomatic(rows, found);
  const hasHappened = (run: RunRow): boolean =>
    events.some((head) => head.contact_id === run.contact_id && endsWait(run, head) && !isOwnEvent(run, head, causes));
  return runs.map((run) => (awaiting.includes(run) && hasHappened(run) ? { ...run, awaited_event: null } : run));
}
