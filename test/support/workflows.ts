/** Workflows that are published and contacts in them, for tests of what moves them. */
import { Location } from "../../src/tenancy/locations/location.entity.ts";
import type { WorkflowDefinition } from "../../src/crm/workflows/definition/definition.schema.ts";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { openQueue } from "../../src/crm/workflows/posting/post-queue.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { hasGoals } from "../../src/crm/workflows/walk/goals.ts";
import { Workflow, WorkflowVersion } from "../../src/crm/workflow.entity.ts";
import { findWorkflowRun } from "../../src/crm/workflow-runs/workflow-run.queries.ts";
import { enroll } from "../../src/crm/workflow-runs/enrollment.service.ts";
import { toWorkflowRun } from "../../src/crm/workflow-runs/workflow-run.view.ts";
import type { WorkflowRunView } from "../../src/crm/workflow-runs/workflow-run.view.ts";
import { unique } from "./given.ts";
import type { World } from "./world.ts";

/** A published workflow of North; resolves to its id. */
export async function givenWorkflow(
  world: World,
  nodes: Readonly<Record<string, WorkflowNode>>,
  { allowReentry = false, ...rest }: Partial<Omit<WorkflowDefinition, "nodes">> & { allowReentry?: boolean } = {},
): Promise<number> {
  const definition = readDefinition({ entry: Object.keys(nodes)[0], ...rest, nodes });
  const caller = await world.service.inLocation(world.acme, world.north);
  return caller.change(async (change) => {
    const { em, now } = change;
    const text = JSON.stringify(definition);
    const workflow = em.create(Workflow, {
      location: em.getReference(Location, world.north),
      name: `Workflow ${unique()}`,
      status: "published",
      allowReentry,
      draft: text,
      entryNodeId: definition.entry,
      triggerEvent: definition.trigger?.event ?? null,
      createdAt: now,
      updatedAt: now,
    });
    const version = em.create(WorkflowVersion, {
      workflow,
      number: 1,
      definition: text,
      hasGoals: hasGoals(workflowNodes, definition),
      createdAt: now,
    });
    await em.flush();
    workflow.versionId = version.id;
    await em.flush();
    openQueue(change, workflow.id);
    return workflow.id;
  });
}

export async function givenRun(
  world: World,
  workflowId: number,
  contactId: number,
  context: Record<string, unknown> = {},
): Promise<number> {
  const caller = await world.service.inLocation(world.acme, world.north);
  return (await caller.change((change) => enroll(change, { workflowId, contactId, context }))).id;
}

export async function runOf(world: World, id: number): Promise<WorkflowRunView> {
  const caller = await world.service.inLocation(world.acme, world.north);
  return toWorkflowRun((await findWorkflowRun(caller, id))!);
}
