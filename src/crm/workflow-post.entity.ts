/** The tables of the post queue: a row per run at a webhook node, until its attempt is recorded, and a row per workflow with its next due time. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";
import { Workflow } from "./workflow.entity.ts";
import { WorkflowRun } from "./workflow-run.entity.ts";

export const WorkflowPost = defineEntity({
  name: "WorkflowPost",
  tableName: "workflow_posts",
  indexes: [
    // Expressions: the schema diff reports a partial index that is written as properties as changed every time.
    {
      name: "workflow_posts_due",
      expression:
        'create index "workflow_posts_due" on "workflow_posts" ("workflow_id", "due_at", "id") where "due_at" is not null',
    },
    {
      name: "workflow_posts_leased",
      expression:
        'create index "workflow_posts_leased" on "workflow_posts" ("leased_until") where "leased_until" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    run: () => p.manyToOne(WorkflowRun).unique("workflow_posts_run").deleteRule("cascade").index(false),
    /** Copied from the run. No foreign key: it would lock the workflow after the run, against the lock order. */
    workflowId: p.type(Integer),
    /** Copied from the run: the fencing token of its node. */
    turn: p.type(Integer),
    /** The number of the last attempt at the node. */
    attempt: p.type(Integer),
    /** A fencing token, incremented with each claim: results of an earlier claim are rejected. */
    fence: p.type(Integer).default(0),
    /** Set while it waits in the queue of its workflow. */
    dueAt: p.datetime(3).nullable(),
    /** Set while a worker posts it: the expiry of the lease. */
    leasedUntil: p.datetime(3).nullable(),
    /** The worker that claimed it last. */
    leasedBy: p.type(Integer).nullable(),
  },
});

/** One row per workflow, in a table of its own because it is updated with every post. */
export const WorkflowQueue = defineEntity({
  name: "WorkflowQueue",
  tableName: "workflow_queues",
  indexes: [
    {
      name: "workflow_queues_due",
      expression: 'create index "workflow_queues_due" on "workflow_queues" ("due_at") where "due_at" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workflow: () => p.manyToOne(Workflow).unique("workflow_queues_workflow").deleteRule("cascade").index(false),
    /** A lower bound of the earliest due time; null: the queue is empty. */
    dueAt: p.datetime(3).nullable(),
    servedAt: p.datetime(3),
  },
});
