/** Moves one run that is held, its contact too: walks it on and writes where it stands then, or how it ended. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { findContactReference } from "../../contact-activity.ts";
import { endRun } from "../../workflow-runs/workflow-run.service.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import { createEngineWorld } from "./engine-world.ts";
import { toRunState, writeState } from "./run-rows.ts";
import type { RunRow } from "./run-rows.ts";
import { leaveForPosting } from "../posting/post-queue.ts";
import { endedState, isRunOver } from "../walk/run-state.ts";
import type { RunState } from "../walk/run-state.ts";
import { walk } from "../walk/walk.ts";
import type { Walk } from "../walk/walk.ts";

/** As a walk stops. After a post the caller brings the workflow's queue forward, at the end of the transaction. */
export type Moved = Walk["stopped"];

interface MoveOptions {
  readonly types: NodeTypes;
  readonly mostSteps: number;
  /** Whether the keys that its node locks, which come before the contact (ADR 18), are locked already. */
  readonly hasKeys?: boolean;
}

/** Throws a NodeFault for what a node threw. */
export async function moveRun(
  change: Change<LocationContext>,
  run: RunRow,
  definition: WorkflowDefinition,
  { types, mostSteps, hasKeys = false }: MoveOptions,
): Promise<Moved> {
  const from = toRunState(run);
  const canceled = findCancellation(run);
  if (canceled !== undefined) {
    await recordState(change, run, { state: endedState(from, canceled), completed: 0 });
    return "rests";
  }
  const world = createEngineWorld(change, run, { types, hasKeys });
  const { state, completed, stopped } = await walk(definition, from, world, mostSteps);
  const isPost = stopped === "post";
  if (state !== from || isPost) await recordState(change, run, { state, completed, isPost });
  return stopped;
}

/** Why a run that goes on nowhere is to end, whatever its node says. */
function findCancellation(run: RunRow) {
  if (run.contact_deleted_at !== null) return "contact_deleted";
  return run.ends_runs_up_to !== null && run.id <= run.ends_runs_up_to ? "workflow_unpublished" : undefined;
}

interface StateRecord {
  readonly state: RunState;
  /** How many nodes it has left behind. */
  readonly completed: number;
  /** Whether it has come to a webhook node, whose post is queued. */
  readonly isPost?: boolean;
}

/** Writes where a run that is held stands, or how it ended, of which the timeline tells. */
export async function recordState(
  change: Change<LocationContext>,
  run: RunRow,
  { state, completed, isPost = false }: StateRecord,
): Promise<void> {
  if (!isRunOver(state)) {
    const attempts = completed === 0 ? run.attempts : 0;
    writeState(change, run, state, { attempts, isPost, completed });
    if (isPost) leaveForPosting(change, { ...run, turn: run.turn + completed, attempts });
    return;
  }
  // Its own nodes may have given the contact another name.
  const contact = (await findContactReference(change, run.contact_id)) ?? {
    id: run.contact_id,
    name: run.contact_name,
    phone_display: run.contact_phone_display,
    email: run.contact_email,
  };
  endRun(change, { ...run, current_node_id: state.nodeId }, contact, {
    reason: state.endedReason!,
    ...(state.error === null ? {} : { error: state.error }),
  });
}
