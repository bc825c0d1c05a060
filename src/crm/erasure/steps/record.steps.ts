/** Removes notes, tasks, tags and custom values of the contacts, and empties opportunities and runs, whose numbers are statistics. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { opportunityNames } from "../../opportunities/opportunity.names.ts";
import { taskNames } from "../../tasks/task.names.ts";
import { lockDeletedContact } from "../erasure.queries.ts";
import { afterIds } from "./erasure-step.ts";
import type { ErasureStep } from "./erasure-step.ts";

/** Records of one piece. */
const most = 500;

/** Handles the records of `table`, of one contact after another, in the order of their ids. */
function eachOf(
  table: string,
  noun: string,
  handle: (change: Change<LocationContext>, ids: string) => void,
): ErasureStep {
  const text = `select id from ${table} where contact_id = ? and id > ? order by id limit ${most}`;
  return {
    name: noun,
    async piece(change, scope) {
      const contactId = scope.contactIds[scope.place]!;
      await lockDeletedContact(change, contactId);
      const rows = await change.rows<{ id: number }>(text, [contactId, scope.reached]);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) handle(change, JSON.stringify(ids));
      return { next: afterIds(scope, ids, most), removed: { [noun]: ids.length } };
    },
  };
}

const sending =
  (...texts: readonly SqlText[]) =>
  (change: Change, ids: string): void => {
    for (const text of texts) change.send(text, [ids]);
  };

export const recordSteps: readonly ErasureStep[] = [
  eachOf("custom_values", "custom_values", sending(sql`delete from custom_values where id in ${listed}`)),
  eachOf("contact_tags", "tags", sending(sql`delete from contact_tags where id in ${listed}`)),
  eachOf("notes", "notes", sending(sql`delete from notes where id in ${listed}`)),
  eachOf("tasks", "tasks", (change, ids) => {
    change.send(sql`delete from tasks where id in ${listed}`, [ids]);
    taskNames.forget(change, ids);
  }),
  eachOf("opportunities", "opportunities", (change, ids) => {
    change.send(sql`delete from opportunity_values where opportunity_id in ${listed}`, [ids]);
    change.send(sql`update opportunities set name = null, lost_reason = null where id in ${listed}`, [ids]);
    opportunityNames.forget(change, ids);
  }),
  eachOf(
    "workflow_runs",
    "runs",
    sending(
      sql`update workflow_runs set context = '{}', error = null where id in ${listed}`,
      // What receivers answered, and errors that may quote an address.
      sql`update workflow_run_steps set detail = '{}' where run_id in ${listed} and detail like '%"error":%'`,
    ),
  ),
];
