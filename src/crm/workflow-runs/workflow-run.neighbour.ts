/** Workflow runs as neighbours of their contact: its deletion ends them. */
import { moveRows } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listRunsOfContact } from "./workflow-run.queries.ts";
import { endRepeatedRuns, endRunsOfContact } from "./workflow-run.service.ts";

const moveRuns = moveRows("workflow_runs.contact_id");

export const workflowRunNeighbour: ContactNeighbour = {
  name: "workflow runs",
  column: "workflow_runs.contact_id",
  forget: (change, contact) => endRunsOfContact(change, contact, { reason: "contact_deleted" }),
  async move(change, step) {
    await endRepeatedRuns(change, step);
    return moveRuns(change, step);
  },
  export: listRunsOfContact,
};
