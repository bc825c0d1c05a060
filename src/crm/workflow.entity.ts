/** The tables of workflows: what each is called, whether it takes contacts in, and every definition that it ever ran by. */
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
    // As expressions, because a partial index written as properties is seen as changed at every comparison.
    // Whom an event may start.
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
    /** Whether a contact may have several runs of it at once. */
    allowReentry: p.boolean(),
    /** The definition as it was last written, as JSON: what the next publish takes. */
    draft: p.text(),
    /** Of the version that new runs begin with, what enrolling asks for: its id, its first node, its trigger; null while it is a draft. */
    versionId: p.type(Integer).nullable(),
    entryNodeId: p.text().nullable(),
    triggerEvent: p.text().nullable(),
    /** Where the log stood when its trigger came into force: what comes after starts it. */
    afterPosition: p.type(Integer).default(0),
    /** Set while it is unpublished and the runs up to this id are still to be ended. */
    endsRunsUpTo: p.type(Integer).nullable(),
    /** When it last started runs in a chain that had grown past its bound (limits.workflowRun.chain). */
    chainGrewAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** What was published: a row is never changed, since runs keep the version that they began with. */
export const WorkflowVersion = defineEntity({
  name: "WorkflowVersion",
  tableName: "workflow_versions",
  uniques: [{ name: "workflow_versions_number", properties: ["workflow", "number"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workflow: () => p.manyToOne(Workflow).deleteRule("cascade").index(false),
    /** 1, 2, 3, … within the workflow. */
    number: p.type(Integer),
    /** JSON, as it passed every check (crm/workflows/definition/). */
    definition: p.text(),
    /** Whether one of its nodes is a goal: then its runs look whenever their contact changes. */
    hasGoals: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});
