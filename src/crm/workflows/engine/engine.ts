/** Moves due runs: a batch, then one by one those that it could not move, then a pause for other work. */
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../../../vocabulary/errors.ts";
import { moveIsolated } from "./isolated-run.ts";
import { findNextDue, postpone } from "./run-rows.ts";
import { mostRuns, moveBatch, paceOf } from "./move-batch.ts";
import type { EngineDeps } from "./move-batch.ts";
import { NodeFault } from "../walk/walk.ts";

/** Moves one batch, or several concurrently when more runs are due; resolves to whether any run was. */
export async function moveDueRuns(deps: EngineDeps, signal: AbortSignal): Promise<boolean> {
  const due = await findNextDue(deps.database);
  if (due === null || due > deps.clock.now().getTime()) return false;
  const { concurrentBatches, pauseMilliseconds } = paceOf(deps.database);
  const moving: Promise<boolean>[] = [];
  const begin = (): void => {
    // After a full batch has picked its runs, the next one begins: it skips the contacts that are locked.
    const next = (): void => (moving.length < concurrentBatches ? begin() : undefined);
    const batch = moveOneBatch(deps, signal, next);
    // Its error is thrown below, once all have ended.
    batch.catch(() => {});
    moving.push(batch);
  };
  begin();
  for (let ended = 0; ended < moving.length;) {
    ended = moving.length;
    await Promise.allSettled(moving);
  }
  if (pauseMilliseconds > 0) await sleep(pauseMilliseconds);
  return (await Promise.all(moving)).includes(true);
}

/** Resolves to whether any run was due. `isFull` is called once a full batch is picked. */
async function moveOneBatch(deps: EngineDeps, signal: AbortSignal, isFull: () => void): Promise<boolean> {
  let picked: readonly number[] = [];
  let isolated: readonly number[];
  try {
    ({ picked, isolated } = await moveBatch(deps, (ids) => {
      picked = ids;
      if (ids.length === mostRuns) isFull();
    }));
  } catch (error) {
    if ((error instanceof NodeFault ? error.cause : error) instanceof Unavailable || picked.length === 0) throw error;
    // Nothing was committed: each is moved by itself, which isolates the failing one.
    isolated = picked;
  }
  for (const id of isolated) await moveOrPostpone(deps, id, signal);
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
