/** Moves the runs that are due: a turn, those whose turn failed or must stand alone one by one, and a pause in which others work. */
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../../../vocabulary/errors.ts";
import { moveAlone } from "./alone.ts";
import { findNextDue, putOff } from "./run-rows.ts";
import { moveBatch } from "./turn.ts";
import type { EngineGround } from "./turn.ts";
import { NodeFault } from "../walk/walk.ts";

/** Between two turns, in milliseconds: on SQLite a turn does nothing else, and everybody's requests are read in between. */
const pause = 2;

/** Does one bounded piece; resolves to whether there was any. */
export async function moveDueRuns(ground: EngineGround, signal: AbortSignal): Promise<boolean> {
  const due = await findNextDue(ground.database);
  if (due === null || due > ground.clock.now().getTime()) return false;
  let picked: readonly number[] = [];
  let alone: readonly number[];
  try {
    ({ picked, alone } = await moveBatch(ground, (ids) => (picked = ids)));
  } catch (error) {
    if ((error instanceof NodeFault ? error.cause : error) instanceof Unavailable || picked.length === 0) throw error;
    // Which of them it was shows when each is by itself; nothing has moved.
    alone = picked;
  }
  for (const id of alone) await moveOrPutOff(ground, id, signal);
  await sleep(pause);
  return picked.length > 0;
}

/** A run that can neither go on nor fail stands in nobody's way: it is tried again so many milliseconds later. */
const putOffFor = 300_000;

async function moveOrPutOff(ground: EngineGround, id: number, signal: AbortSignal): Promise<void> {
  try {
    await moveAlone(ground, id, signal);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    ground.report(error, { id, nodeId: null });
    await putOff(ground.database, id, new Date(ground.clock.now().getTime() + putOffFor));
  }
}
