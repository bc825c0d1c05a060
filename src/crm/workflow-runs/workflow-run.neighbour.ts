/** Workflow runs as neighbours of their contact: its deletion ends them. */
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { endRunsOfContact } from "./workflow-run.service.ts";

export const workflowRunNeighbour: ContactNeighbour = {
  name: "workflow runs",
  columns: ["workflow_runs.contact_id"],
  forget: (change, contact) => endRunsOfContact(change, contact, { reason: "contact_deleted" }),
};
