/** Puts the draft of a workflow in force, once every check has passed, and takes a workflow back. No event tells of it. */
import type { Caller, Change, LocationContext, Reader } from "../../events/caller.ts";
import { findStartPosition } from "../../events/positions.ts";
import { laterOf } from "../../kit/time/clock.ts";
import type { Outside } from "../../outbound/outside.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { keepAttachments, keepPublished } from "./workflow-attachments.ts";
import { WorkflowVersion } from "../workflow.entity.ts";
import { judgeContents } from "./checks/contents.ts";
import { toFieldErrors } from "./checks/faults.ts";
import type { Fault } from "./checks/faults.ts";
import { judgeCustomFilters } from "./checks/custom-filters.ts";
import { judgeCycles } from "./checks/cycles.ts";
import { judgeGraph } from "./checks/graph.ts";
import { judgeReferences } from "./checks/references.ts";
import { requireScopesOf } from "./checks/scopes.ts";
import { judgeTargets } from "./checks/targets.ts";
import type { WorkflowDefinition } from "./definition/definition.schema.ts";
import { attachmentsIn } from "./definition/named-attachments.ts";
import type { NodeTypes } from "./definition/node-types.ts";
import { readDefinition } from "./definition/read-definition.ts";
import { workflowNodes } from "./nodes/all.ts";
import { judgeSecrets } from "./posting/workflow-secrets.ts";
import { endSomeRuns } from "./unpublished-runs.ts";
import { hasGoals } from "./walk/goals.ts";
import { findWorkflow } from "./workflow.queries.ts";
import { lockWorkflow } from "./workflow.service.ts";
import type { WorkflowRow } from "./workflow.view.ts";

/** A draft after the checks that precede the change. */
export interface PreparedDraft {
  readonly draft: unknown;
  /** The types that its nodes may have. */
  readonly types: NodeTypes;
  /** The parsed definition, or why it is invalid. */
  readonly definition: WorkflowDefinition | Invalid;
  readonly targetFaults: readonly Fault[];
}

/** Parses a draft and resolves the hosts of its URLs, outside of a transaction. */
export async function prepareDraft(
  { targets }: Pick<Outside, "targets">,
  draft: unknown,
  types = workflowNodes,
): Promise<PreparedDraft> {
  try {
    const definition = readDefinition(draft, types);
    return { draft, types, definition, targetFaults: await judgeTargets(targets, types, definition) };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { draft, types, definition: error, targetFaults: [] };
  }
}

/** Refuses `insufficient_scope` for a definition that does more than the caller may. One that cannot be parsed does nothing. */
export function requireOwnScopes(reader: Pick<Reader, "grant">, prepared: PreparedDraft): PreparedDraft {
  const { types, definition } = prepared;
  if (!(definition instanceof Invalid)) requireScopesOf(reader, types, definition);
  return prepared;
}

/** The faults that prevent publishing a draft, and warnings. */
interface Judgement {
  readonly faults: FieldErrors;
  readonly warnings: string[];
}

/** `workflowId`: the workflow that the draft belongs to. */
export async function judgeDraft(
  reader: Reader<LocationContext>,
  { types, definition, targetFaults }: PreparedDraft,
  workflowId?: number,
): Promise<Judgement> {
  if (definition instanceof Invalid) return { faults: definition.errors, warnings: [] };
  const { faults, warnings } = judgeContents(types, definition);
  const missing = await judgeReferences(reader, types, definition, workflowId);
  const custom = await judgeCustomFilters(reader, types, definition);
  const cycles = workflowId === undefined ? [] : await judgeCycles(reader, types, workflowId, definition);
  const secrets = workflowId === undefined ? [] : await judgeSecrets(reader, types, workflowId, definition);
  return {
    faults: toFieldErrors([
      ...judgeGraph(types, definition),
      ...faults,
      ...missing,
      ...custom,
      ...cycles,
      ...secrets,
      ...targetFaults,
    ]),
    warnings: sentencesOf(warnings),
  };
}

/** The definition of a draft. Refuses an invalid one, with 422 on `definition`: a sentence for each fault, which names its node. */
export async function requireValid(
  reader: Reader<LocationContext>,
  prepared: PreparedDraft,
  workflowId?: number,
): Promise<{ readonly definition: WorkflowDefinition; readonly warnings: string[] }> {
  const { faults, warnings } = await judgeDraft(reader, prepared, workflowId);
  const { definition } = prepared;
  if (definition instanceof Invalid || Object.keys(faults).length > 0)
    throw new Invalid({ definition: Object.values(faults).flat() });
  return { definition, warnings };
}

/** The published workflow, and warnings about its definition. */
export interface Published {
  readonly workflow: WorkflowRow;
  readonly warnings: string[];
}

/**
 * Makes the draft the version that new runs use; active runs keep theirs. Publishing an unchanged definition creates no version. Refuses
 * `workflow.not_found`, a draft that has changed since it was prepared, and an invalid one, like requireValid.
 */
export async function publishWorkflow(
  change: Change<LocationContext>,
  id: number,
  prepared: PreparedDraft,
): Promise<Published> {
  const workflow = await lockWorkflow(change, id);
  if (workflow.draft !== JSON.stringify(prepared.draft))
    throw new Invalid({ definition: ["The definition was changed meanwhile; publish it again."] });
  const files = attachmentsIn(prepared.definition instanceof Invalid ? prepared.draft : prepared.definition);
  keepAttachments(change, id, files);
  const { definition, warnings } = await requireValid(change, prepared, id);
  keepPublished(change, id, files);
  await activateVersion(change, workflow, definition, hasGoals(prepared.types, definition));
  return { workflow: (await findWorkflow(change, id))!, warnings };
}

function sentencesOf(faults: readonly Fault[]): string[] {
  return Object.values(toFieldErrors(faults)).flat();
}

type WorkflowEntity = Awaited<ReturnType<typeof lockWorkflow>>;

async function activateVersion(
  change: Change<LocationContext>,
  workflow: WorkflowEntity,
  definition: WorkflowDefinition,
  withGoals: boolean,
): Promise<void> {
  const [last] = await change.em.find(
    WorkflowVersion,
    { workflow: workflow.id },
    { orderBy: { number: "desc" }, limit: 1 },
  );
  const text = JSON.stringify(definition);
  const version =
    last?.definition === text
      ? last
      : change.em.create(WorkflowVersion, {
          workflow: workflow.id,
          number: (last?.number ?? 0) + 1,
          definition: text,
          hasGoals: withGoals,
          createdAt: change.now,
        });
  await change.em.flush();
  if (workflow.versionId === version.id) return;
  workflow.status = "published";
  workflow.versionId = version.id;
  workflow.entryNodeId = definition.entry;
  const triggerEvent = definition.trigger?.event ?? null;
  // Events that were raised under the earlier version and are not followed yet trigger this one.
  if (triggerEvent !== null && triggerEvent !== workflow.triggerEvent)
    workflow.afterPosition = await findStartPosition(change);
  workflow.triggerEvent = triggerEvent;
  workflow.updatedAt = laterOf(workflow.updatedAt, change.now);
  await change.em.flush();
}

/** One seek for each status: of both at once, the database would read all of these runs. */
const lastRunText = `select max(last) as last from (
    select max(id) as last from workflow_runs where workflow_id = ? and status = 'active'
    union all select max(id) as last from workflow_runs where workflow_id = ? and status = 'waiting') as newest`;

/**
 * Unpublishes a workflow: from the commit on no contact is enrolled, and its runs end as `workflow_unpublished` in batches, all of them before
 * this resolves, to their number. If the process is killed, the worker continues. Refuses `workflow.not_found`.
 */
export async function unpublishWorkflow(
  caller: Caller<LocationContext>,
  id: number,
): Promise<{ readonly workflow: WorkflowRow; readonly ended: number }> {
  const workflow = await caller.change(async (change) => {
    const held = await lockWorkflow(change, id);
    if (held.status === "published") {
      // An enrollment locks the workflow, so every run of it is committed.
      const [runs] = await change.rows<{ last: number | null }>(lastRunText, [id, id]);
      Object.assign(held, {
        status: "draft",
        versionId: null,
        entryNodeId: null,
        triggerEvent: null,
        endsRunsUpTo: runs?.last ?? null,
        updatedAt: laterOf(held.updatedAt, change.now),
      });
      await change.em.flush();
    }
    return (await findWorkflow(change, id))!;
  });
  let ended = 0;
  for (let some = await endSomeRuns(caller, id); some !== undefined; some = await endSomeRuns(caller, id))
    ended += some;
  return { workflow, ended };
}
