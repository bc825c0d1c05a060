/** Has the waiting runs of contacts look at their goals again, in the commit of a change that raises no event: nothing else would tell them. */
import type { Change, LocationContext } from "../events/caller.ts";
import { listed } from "../storage/json.ts";
import type { SqlText } from "../storage/sql-text.ts";
import { keepToLookUps } from "../storage/query-plans.ts";
import type { KeptOnContact } from "./contact-activity.ts";

/** The first condition is that of the index of living runs, which SQLite does not find by the second alone. */
const waiting = `status in ('active', 'waiting') and status = 'waiting' and (due_at is null or due_at > ?)
  and exists (select 1 from workflow_versions where workflow_versions.id = workflow_runs.version_id and has_goals)`;

/** Several are held in the order of their ids, in which everybody holds them. */
const lookText: SqlText = {
  sqlite: `update workflow_runs set due_at = ? where contact_id in ${listed.sqlite} and ${waiting}`,
  postgres: `update workflow_runs set due_at = ?
    from (select id from workflow_runs where contact_id in ${listed.postgres} and ${waiting} order by id for update) as held
    where workflow_runs.id = held.id`,
};

/**
 * The runs of these contacts that wait, and have a goal, are looked at next. Call it where the contacts are held, and last: a run that
 * comes to its wait later sees what was changed. A contact without such a run costs one look into an index.
 */
export function lookForGoals(change: Change, contactIds: readonly number[]): void {
  if (contactIds.length === 0) return;
  keepToLookUps(change);
  change.send(lookText, [change.now, JSON.stringify(contactIds), change.now]);
}

/** Writes anew what a neighbour keeps on a contact that is held, where no event tells of it. */
export function keepOnContact(change: Change<LocationContext>, contactId: number, kept: KeptOnContact): void {
  change.send(kept.alone, [contactId]);
  lookForGoals(change, [contactId]);
}
