/** Moves one run, which is locked as its contact is: walks its definition, and records the new state or the end. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { holdContact, lockIfNotDeleted } from "../../contact-activity.ts";
import { endRun } from "../../workflow-runs/workflow-run.service.ts";
import type { StepLog } from "../../workflow-runs/run-steps.ts";
import type { RunStep } from "../../workflow-runs/run-step.view.ts";
import type { WorkflowDefinition } from "../definition/definition.schema.ts";
import type { NodeTypes } from "../definition/node-types.ts";
import type { EventWaits } from "./event-waits.ts";
import { createEngineWorld } from "./engine-world.ts";
import type { SharedReads } from "./shared-reads.ts";
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
  /** The caller writes it, at the end of the transaction. */
  readonly log: StepLog;
  /** The same. */
  readonly waits: EventWaits;
  /** Those of the transaction. */
  readonly reads: SharedReads;
  /** Whether `run` has been read since its contact was last changed in this transaction. */
  readonly knowsContact: boolean;
  /** Whether the key locks of its node, which come before the contact (ADR 18), are taken already. */
  readonly hasKeys?: boolean;
}

/** Throws a NodeFault with what a node threw. */
export async function moveRun(
  change: Change<LocationContext>,
  run: RunRow,
  definition: WorkflowDefinition,
  { types, mostSteps, log, waits, reads, knowsContact, hasKeys = false }: MoveOptions,
): Promise<Moved> {
  const from = toRunState(run);
  const canceled = findCancellation(run);
  if (canceled !== undefined) {
    await recordState(change, run, { state: endedState(from, canceled), completed: 0, steps: [], log });
    return "rests";
  }
  if (knowsContact) holdContact(change, contactOf(run));
  const world = createEngineWorld(change, run, { types, reads, hasKeys });
  const { state, completed, steps, stopped } = await walk(definition, from, world, mostSteps, run.attempts);
  const isPost = stopped === "post";
  const beginsWait = state.status === "waiting" && (completed > 0 || from.status !== "waiting");
  if (beginsWait && state.waitReason === "event") waits.add(run, state.awaitedEvent!);
  if (state !== from || isPost) await recordState(change, run, { state, completed, steps, log, isPost });
  return stopped;
}

/** Why a run ends whatever its node says; undefined if it does not. */
function findCancellation(run: RunRow) {
  if (run.contact_deleted_at !== null) return "contact_deleted";
  return run.ends_runs_up_to !== null && run.id <= run.ends_runs_up_to ? "workflow_unpublished" : undefined;
}

function contactOf(run: RunRow) {
  return {
    id: run.contact_id,
    name: run.contact_name,
    phone_display: run.contact_phone_display,
    email: run.contact_email,
  };
}

interface StateRecord {
  readonly state: RunState;
  /** How many nodes it has completed. */
  readonly completed: number;
  readonly steps: readonly RunStep[];
  /** The caller writes it, at the end of the transaction. */
  readonly log: StepLog;
  /** Whether it has come to a webhook node, whose post is queued. */
  readonly isPost?: boolean;
}

/** Writes the state of a locked run, or its end, which raises an event on the timeline. */
export async function recordState(
  change: Change<LocationContext>,
  run: RunRow,
  { state, completed, steps, log, isPost = false }: StateRecord,
): Promise<void> {
  const stepCount = log.add(run, steps);
  if (!isRunOver(state)) {
    const attempts = completed === 0 ? run.attempts : 0;
    writeState(change, run, state, { attempts, isPost, completed, stepCount });
    if (isPost) leaveForPosting(change, { ...run, turn: run.turn + completed, attempts });
    return;
  }
  // Its own nodes may have renamed the contact.
  const contact = (await lockIfNotDeleted(change, run.contact_id)) ?? contactOf(run);
  endRun(change, { ...run, current_node_id: state.nodeId }, contact, {
    reason: state.endedReason!,
    stepCount,
    ...(state.error === null ? {} : { error: state.error }),
  });
}
