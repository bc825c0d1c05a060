/** Workflow runs as neighbours of their contact: its deletion ends them. */
import { moveRows } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listRunsOfContact } from "./workflow-run.queries.ts";
import { endRunsOfContact, findRepeatedRuns } from "./workflow-run.service.ts";

const moveRuns = moveRows("workflow_runs.contact_id");

/**
 * All of them, which are few (limits.workflowRun.ofContact): the engine ends runs of a deleted contact. Those that wait for an event are due: the
 * follower finds no run for an event that it has read as one of the merged contact, and the engine looks for it.
 */
const moveActiveText = `update workflow_runs set contact_id = ?, due_at = case when wait_reason = 'event' then ? else due_at end
  where contact_id = ? and status in ('active', 'waiting') returning id`;

export const workflowRunNeighbour: ContactNeighbour = {
  name: "workflow runs",
  column: "workflow_runs.contact_id",
  forget: (change, contact) => endRunsOfContact(change, contact, { reason: "contact_deleted" }),
  beginMove: findRepeatedRuns,
  async move(change, step) {
    const [active, over] = await Promise.all([
      change.rows(moveActiveText, [step.to.id, change.now, step.from]),
      moveRuns(change, step),
    ]);
    return active.length + over;
  },
  export: listRunsOfContact,
};
