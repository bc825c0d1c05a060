/** The table of workflow runs: how far each contact has come in a workflow, and what it waits for. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Location } from "../tenancy/locations/location.entity.ts";
import { endedReasons, runStatuses, waitReasons } from "../vocabulary/states.ts";
import { Contact } from "./contact.entity.ts";
import { Workflow, WorkflowVersion } from "./workflow.entity.ts";

/** Runs that are over are never asked for by what wakes, counts or ends runs: its indexes leave them out. */
function living(name: string, columns: string): { name: string; expression: string } {
  return {
    name,
    expression: `create index "${name}" on "workflow_runs" (${columns}) where "status" in ('active', 'waiting')`,
  };
}

export const WorkflowRun = defineEntity({
  name: "WorkflowRun",
  tableName: "workflow_runs",
  indexes: [
    // The order of the lists, and the same for each of their filters.
    { name: "workflow_runs_of_workflow", properties: ["workflow", "id"] },
    // And what unpublishing ends.
    { name: "workflow_runs_by_status", properties: ["workflow", "status", "id"] },
    { name: "workflow_runs_of_contact", properties: ["contact", "workflow", "id"] },
    // Whether a contact is in a workflow already, and what its deletion ends.
    living("workflow_runs_living_of_contact", '"contact_id", "workflow_id", "id"'),
    // What the engine takes up next.
    {
      name: "workflow_runs_due",
      expression: 'create index "workflow_runs_due" on "workflow_runs" ("due_at", "id") where "due_at" is not null',
    },
    // The same by location, where more is due than a turn takes.
    {
      name: "workflow_runs_due_of_location",
      expression:
        'create index "workflow_runs_due_of_location" on "workflow_runs" ("location_id", "due_at", "id") where "due_at" is not null',
    },
    // Whom an event wakes.
    {
      name: "workflow_runs_by_awaited_event",
      expression:
        'create index "workflow_runs_by_awaited_event" on "workflow_runs" ("contact_id", "awaited_event", "id") where "awaited_event" is not null',
    },
    // How far the chain of a run has grown.
    {
      name: "workflow_runs_of_origin",
      expression:
        'create index "workflow_runs_of_origin" on "workflow_runs" ("origin_run_id") where "origin_run_id" is not null',
    },
    // What is to be posted, by workflow, so that one cannot keep the others waiting.
    {
      name: "workflow_runs_to_post",
      expression:
        'create index "workflow_runs_to_post" on "workflow_runs" ("workflow_id", "leased_until", "id") where "leased_until" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    workflow: () => p.manyToOne(Workflow).deleteRule("restrict").index(false),
    /** The version that it began with, which it keeps. */
    version: () => p.manyToOne(WorkflowVersion).deleteRule("restrict").index(false),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    status: p.enum(runStatuses),
    waitReason: p.enum(waitReasons).default("none"),
    /** The node that is next, or at which it waits; where it ended, once it is over. */
    currentNodeId: p.text().nullable(),
    /**
     * When the engine takes it up: at once while it is active; the end of a wait, of a timeout, or of the pause before a node is tried
     * again. null for a wait without an end, and once it is over. `wake_at` of the API, while it waits.
     */
    dueAt: p.datetime(3).nullable(),
    /** The event about its contact that wakes it; message.received for a reply. null unless it waits for one. */
    awaitedEvent: p.text().nullable(),
    /** Since when it waits: what is left of a wait follows from it and the node. null unless it waits. */
    waitingSince: p.datetime(3).nullable(),
    /** A JSON object: what enrolling gave it, or the `data` of the event that started it. */
    context: p.text(),
    /** The event that started it, whose scope shows its context; null where somebody enrolled the contact. */
    triggerEvent: p.text().nullable(),
    endedReason: p.enum(endedReasons).nullable(),
    /** Why it failed, for people. */
    error: p.text().nullable(),
    /** How often the node that is next was tried and did not succeed. */
    attempts: p.type(Integer).default(0),
    /** The run whose event started it, and how many runs stand behind it: chains end somewhere. */
    causeRunId: p.type(Integer).nullable(),
    depth: p.type(Integer).default(0),
    /** The run at the beginning of that chain; null for one that no run caused. */
    originRunId: p.type(Integer).nullable(),
    /** When it last sent the contact something, or last took a reply: one after that counts. */
    lastSentAt: p.datetime(3).nullable(),
    /** Counts the nodes that it left behind: what was begun for an earlier one and comes back late is refused. */
    turn: p.type(Integer).default(0),
    /** Set in front of a webhook: when a worker may post it; while one does, when that one is taken for dead. */
    leasedUntil: p.datetime(3).nullable(),
    enrolledAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
});
