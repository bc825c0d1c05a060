/** Moves the runs that are due: a turn, those whose turn failed or must stand isolated one by one, and a pause in which others work. */
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../../../vocabulary/errors.ts";
import { moveIsolated } from "./isolated-run.ts";
import { findNextDue, postpone } from "./run-rows.ts";
import { moveBatch } from "./move-batch.ts";
import type { EngineDeps } from "./move-batch.ts";
import { NodeFault } from "../walk/walk.ts";

/** Between two turns, in milliseconds: on SQLite a turn does nothing else, and everybody's requests are read in between. */
const pause = 2;

/** Does one bounded piece; resolves to whether there was any. */
export async function moveDueRuns(deps: EngineDeps, signal: AbortSignal): Promise<boolean> {
  const due = await findNextDue(deps.database);
  if (due === null || due > deps.clock.now().getTime()) return false;
  let picked: readonly number[] = [];
  let isolated: readonly number[];
  try {
    ({ picked, isolated } = await moveBatch(deps, (ids) => (picked = ids)));
  } catch (error) {
    if ((error instanceof NodeFault ? error.cause : error) instanceof Unavailable || picked.length === 0) throw error;
    // Which of them it was shows when each is by itself; nothing has moved.
    isolated = picked;
  }
  for (const id of isolated) await moveOrPostpone(deps, id, signal);
  await sleep(pause);
  return picked.length > 0;
}

/** A run that can neither go on nor fail stands in nobody's way: it is tried again so many milliseconds later. */
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
