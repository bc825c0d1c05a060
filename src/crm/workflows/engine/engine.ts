/** Moves due runs: a batch, then one by one those that it could not move, then a pause for other work. */
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../../../vocabulary/errors.ts";
import { moveIsolated } from "./isolated-run.ts";
import { findNextDue, postpone } from "./run-rows.ts";
import { moveBatch, paceOf } from "./move-batch.ts";
import type { EngineDeps } from "./move-batch.ts";
import { NodeFault } from "../walk/walk.ts";

/** Moves one batch; resolves to whether any run was due. */
export async function moveDueRuns(deps: EngineDeps, signal: AbortSignal): Promise<boolean> {
  const due = await findNextDue(deps.database);
  if (due === null || due > deps.clock.now().getTime()) return false;
  let picked: readonly number[] = [];
  let isolated: readonly number[];
  try {
    ({ picked, isolated } = await moveBatch(deps, (ids) => (picked = ids)));
  } catch (error) {
    if ((error instanceof NodeFault ? error.cause : error) instanceof Unavailable || picked.length === 0) throw error;
    // Nothing was committed: each is moved by itself, which isolates the failing one.
    isolated = picked;
  }
  for (const id of isolated) await moveOrPostpone(deps, id, signal);
  const { pauseMilliseconds } = paceOf(deps.database);
  if (pauseMilliseconds > 0) await sleep(pauseMilliseconds);
  return picked.length > 0;
}

/** The delay of a run that can be neither moved nor failed, so that it blocks no other. */
const postponeMilliseconds = 300_000;

async function moveOrPostpone(deps: EngineDeps, id: number, signal: AbortSignal): Promise<void> {
  try {
    await moveIsolated(deps, id, signal);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    deps.report(error, { id, nodeId: null });
    await postpone(deps.database, id, new Date(deps.clock.now().getTime() + postponeMilliseconds));
  }
}
