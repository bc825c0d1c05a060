/** Makes waiting runs re-check their goals after a change that raises no event and so would not wake them. */
import type { Change, LocationContext } from "../events/caller.ts";
import { listed } from "../storage/json.ts";
import { updateInOrder } from "../storage/locks.ts";
import { sql } from "../storage/sql-text.ts";
import { keepToLookUps } from "../storage/query-plans.ts";
import type { ContactProjection } from "./contact-activity.ts";

/** The first condition repeats that of the partial index of living runs; SQLite's planner needs it to choose the index. */
const waiting = `status in ('active', 'waiting') and status = 'waiting' and (due_at is null or due_at > ?)
  and exists (select 1 from workflow_versions where workflow_versions.id = workflow_runs.version_id and has_goals)`;

const recheckText = updateInOrder("workflow_runs", "due_at = ?", sql`contact_id in ${listed} and ${waiting}`);

/**
 * Makes the waiting runs with a goal of these contacts due now. Call it with the contacts locked, and last: a run that starts to wait later
 * sees the change anyway. A contact without such a run costs one index seek.
 */
export function recheckGoals(change: Change, contactIds: readonly number[]): void {
  if (contactIds.length === 0) return;
  keepToLookUps(change);
  change.send(recheckText, [change.now, JSON.stringify(contactIds), change.now]);
}

/** Updates the denormalized columns of a locked contact after a change that raises no event. */
export function updateProjection(
  change: Change<LocationContext>,
  contactId: number,
  projection: ContactProjection,
): void {
  change.send(projection.alone, [contactId]);
  recheckGoals(change, [contactId]);
}
