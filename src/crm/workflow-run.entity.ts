/** The tables of workflow runs: the current node of a contact in a workflow, what the run waits for, and its last steps. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Location } from "../tenancy/locations/location.entity.ts";
import { endedReasons, runStatuses, stepOutcomes, waitReasons } from "../vocabulary/states.ts";
import { Contact } from "./contact.entity.ts";
import { Workflow, WorkflowVersion } from "./workflow.entity.ts";

/** A partial index: queries that wake, count or end runs never need finished ones. */
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
    // Also the runs that unpublishing ends.
    { name: "workflow_runs_by_status", properties: ["workflow", "status", "id"] },
    { name: "workflow_runs_of_contact", properties: ["contact", "workflow", "id"] },
    // Whether a contact is already in a workflow, and the runs that its deletion ends.
    living("workflow_runs_living_of_contact", '"contact_id", "workflow_id", "id"'),
    // The runs that the engine processes next.
    {
      name: "workflow_runs_due",
      expression: 'create index "workflow_runs_due" on "workflow_runs" ("due_at", "id") where "due_at" is not null',
    },
    // The same by location, for fair queueing of a backlog.
    {
      name: "workflow_runs_due_of_location",
      expression:
        'create index "workflow_runs_due_of_location" on "workflow_runs" ("location_id", "due_at", "id") where "due_at" is not null',
    },
    // The runs that an event wakes.
    {
      name: "workflow_runs_by_awaited_event",
      expression:
        'create index "workflow_runs_by_awaited_event" on "workflow_runs" ("contact_id", "awaited_event", "id") where "awaited_event" is not null',
    },
    // The runs that wait for a channel; those that were woken have a due time.
    {
      name: "workflow_runs_by_awaited_channel",
      expression:
        'create index "workflow_runs_by_awaited_channel" on "workflow_runs" ("awaited_channel_id", "id") where "awaited_channel_id" is not null and "due_at" is null',
    },
    // The runs that are forgotten next.
    {
      name: "workflow_runs_ended",
      expression:
        'create index "workflow_runs_ended" on "workflow_runs" ("completed_at", "id") where "completed_at" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    workflow: () => p.manyToOne(Workflow).deleteRule("restrict").index(false),
    /** The version that the run started with; it never changes. */
    version: () => p.manyToOne(WorkflowVersion).deleteRule("restrict").index(false),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    status: p.enum(runStatuses),
    waitReason: p.enum(waitReasons).default("none"),
    /** The next node, or the node at which it waits; after the end, the last node. */
    currentNodeId: p.text().nullable(),
    /**
     * When the engine processes it next: immediately while active; at the end of a wait, a timeout or a retry delay. null for a wait without
     * an end, and after the end of the run. While it waits, `wake_at` of the API.
     */
    dueAt: p.datetime(3).nullable(),
    /** The event of its contact that wakes it; message.received for a reply. null if it does not wait for an event. */
    awaitedEvent: p.text().nullable(),
    /** The channel that it waits for. */
    awaitedChannelId: p.type(Integer).nullable(),
    /** The start of the wait, from which the remaining time is computed. null if it does not wait. */
    waitingSince: p.datetime(3).nullable(),
    /** A JSON object: the context given on enrollment, or the `data` of the event that started it. */
    context: p.text(),
    /** The event that started it; reading its context needs the event's scope. null if the contact was enrolled by a request. */
    triggerEvent: p.text().nullable(),
    endedReason: p.enum(endedReasons).nullable(),
    /** The error message of a failed run; of one whose node is retried, that of the last attempt. */
    error: p.text().nullable(),
    /** Failed attempts at the current node. */
    attempts: p.type(Integer).default(0),
    /** The run whose event started it, and the depth of its chain of runs, which is limited. */
    causeRunId: p.type(Integer).nullable(),
    depth: p.type(Integer).default(0),
    /** The first run of that chain; null if no run caused it. */
    originRunId: p.type(Integer).nullable(),
    /** Of a first run: the other runs of its chain, which are limited. */
    causedRuns: p.type(Integer).default(0),
    /** Whether its contact has replied since it last sent a message or consumed a reply (workflow-replies.ts). */
    hasReplied: p.boolean().default(false),
    /** The position in the event log after which events end its wait. */
    eventsAfter: p.type(Integer).nullable(),
    /** A fencing token: incremented with every completed node. Late results of an earlier node are rejected. */
    turn: p.type(Integer).default(0),
    /** The number of steps so far. */
    stepCount: p.type(Integer).default(0),
    enrolledAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
});

/** A step of a run. The steps of a run are a ring buffer: its slots are overwritten, so that its size is bounded. */
export const WorkflowRunStep = defineEntity({
  name: "WorkflowRunStep",
  tableName: "workflow_run_steps",
  properties: {
    run: () => p.manyToOne(WorkflowRun).primary().deleteRule("cascade").index(false),
    /** The number modulo the size of the ring (limits.workflowRun.steps). */
    slot: p.type(Integer).primary().autoincrement(false),
    /** 0, 1, 2, … within the run. */
    number: p.type(Integer),
    nodeId: p.text(),
    /** The type of the node. */
    type: p.text(),
    outcome: p.enum(stepOutcomes),
    /** JSON (crm/workflow-runs/run-step.view.ts). */
    detail: p.text(),
    /** The attempt at the node; the first is 1. */
    attempt: p.type(Integer),
    at: p.datetime(3),
  },
});
