/** The tables of workflows and of their published versions. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Location } from "../tenancy/locations/location.entity.ts";
import { workflowStatuses } from "../vocabulary/states.ts";

export const Workflow = defineEntity({
  name: "Workflow",
  tableName: "workflows",
  indexes: [
    // The order of the list.
    { name: "workflows_of_location", properties: ["location", "id"] },
    // Expressions: the schema diff reports a partial index that is written as properties as changed every time.
    // The workflows that an event may start.
    {
      name: "workflows_by_trigger",
      expression:
        'create index "workflows_by_trigger" on "workflows" ("location_id", "trigger_event", "id") where "trigger_event" is not null',
    },
    {
      name: "workflows_ending_runs",
      expression: 'create index "workflows_ending_runs" on "workflows" ("id") where "ends_runs_up_to" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    name: p.text(),
    status: p.enum(workflowStatuses),
    /** Whether a contact may have several concurrent runs. */
    allowReentry: p.boolean(),
    /** The draft definition, as JSON; the next publish uses it. */
    draft: p.text(),
    /** The current version, first node and trigger, which enrollment needs; null before the first publish. */
    versionId: p.type(Integer).nullable(),
    entryNodeId: p.text().nullable(),
    triggerEvent: p.text().nullable(),
    /** The log position at which its trigger was activated: only later events start it. */
    afterPosition: p.type(Integer).default(0),
    /** Set after unpublishing, while the runs up to this id are still being ended. */
    endsRunsUpTo: p.type(Integer).nullable(),
    /** The secret that signs the posts of its webhook nodes, encrypted; null until one is generated. */
    postSecret: p.text().nullable(),
    /** The secret before it, which also signs until then. */
    oldPostSecret: p.text().nullable(),
    oldPostSecretUntil: p.datetime(3).nullable(),
    /** What headers of its posts take, by name: JSON, encrypted (workflows/posting/workflow-secrets.ts). */
    secrets: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** The turns of an `assign_owner` node: the person of a list who was assigned last. */
export const WorkflowRotation = defineEntity({
  name: "WorkflowRotation",
  tableName: "workflow_rotations",
  uniques: [{ name: "workflow_rotations_people", properties: ["workflowId", "people"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** No foreign key: it would lock the workflow after the run, against the lock order. */
    workflowId: p.type(Integer),
    /** The ids of the list, in its order, by commas. */
    people: p.text(),
    /** The place in the list, from 0. */
    position: p.type(Integer),
  },
});

/** A published version. Immutable: runs keep the version that they started with. */
export const WorkflowVersion = defineEntity({
  name: "WorkflowVersion",
  tableName: "workflow_versions",
  uniques: [{ name: "workflow_versions_number", properties: ["workflow", "number"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workflow: () => p.manyToOne(Workflow).deleteRule("cascade").index(false),
    /** 1, 2, 3, … within the workflow. */
    number: p.type(Integer),
    /** JSON that has passed every check (crm/workflows/definition/). */
    definition: p.text(),
    /** Whether a node is a goal: then runs re-check it whenever their contact changes. */
    hasGoals: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

/** What became of the events that a trigger names, on one day. The days of a workflow are a ring buffer (workflows/following/trigger-counts.ts). */
export const WorkflowTriggerDay = defineEntity({
  name: "WorkflowTriggerDay",
  tableName: "workflow_trigger_days",
  indexes: [
    // The throttled workflows whose owners are to be told.
    {
      name: "workflow_trigger_days_untold",
      expression:
        'create index "workflow_trigger_days_untold" on "workflow_trigger_days" ("workflow_id", "slot") where "throttled_at" is not null and "told_at" is null',
    },
  ],
  properties: {
    workflow: () => p.manyToOne(Workflow).primary().deleteRule("cascade").index(false),
    slot: p.type(Integer).primary().autoincrement(false),
    /** Days since 1970, in UTC. */
    day: p.type(Integer),
    started: p.type(Integer),
    filtered: p.type(Integer),
    reentered: p.type(Integer),
    tooDeep: p.type(Integer),
    imported: p.type(Integer).default(0),
    throttled: p.type(Integer).default(0),
    withoutContact: p.type(Integer).default(0),
    automatic: p.type(Integer).default(0),
    /** When a run was last refused because the workflow starts too many, and when its owners were told. */
    throttledAt: p.datetime(3).nullable(),
    toldAt: p.datetime(3).nullable(),
  },
});
