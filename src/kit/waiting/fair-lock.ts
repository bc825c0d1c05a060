/** Keeps long work from holding up the event loop: it is done in pieces, each in a turn of its own, and one after the other in a line. */
import { setImmediate as turn } from "node:timers/promises";
import { TooManyRequests } from "../../vocabulary/errors.ts";
import { createSemaphore } from "./semaphore.ts";

/** Resolves in the next turn of the event loop, after whatever came in meanwhile was begun. */
export async function yieldToEventLoop(): Promise<void> {
  await turn();
}

export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Each that stands in the line begins when the one before it is done, and what follows on that has had its turn. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(yieldToEventLoop).then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** Runs one piece of long work when its turn has come. */
export type RunPiece = SerialQueue;

/** `work` does what takes long in pieces, each through the `RunPiece` that it is handed. Refuses, as too many requests, what has too many of its holder before it. */
export type FairLock = <Result>(holder: string, work: (turn: RunPiece) => Promise<Result>) => Promise<Result>;

/** So much of one holder's stands in line at most: nobody is told when a client leaves, and one that asks again and again would fill the memory. */
const mostStanding = 100;

/** When to come again, in seconds: a few of those before are done by then. */
const comeAgain = 5;

/**
 * A line for the long work of many holders. Each holder's stands one behind the other; of all holders at most `places` pieces
 * are done at a time, in the order in which they were asked for, and no two begin in one turn of the event loop. So who has much to do
 * waits for himself, and everybody else for single pieces.
 */
export function createFairLock(places: number): FairLock {
  const lines = new Map<string, { readonly line: SerialQueue; standing: number }>();
  const starts = createSerialQueue();
  const gate = createSemaphore(places);
  const turn: RunPiece = (piece) =>
    gate(async () => {
      await starts(async () => {});
      return piece();
    });

  return async (holder, work) => {
    const own = lines.get(holder) ?? { line: createSerialQueue(), standing: 0 };
    if (own.standing >= mostStanding) throw new TooManyRequests(comeAgain);
    lines.set(holder, own);
    own.standing += 1;
    try {
      return await own.line(() => work(turn));
    } finally {
      own.standing -= 1;
      if (own.standing === 0) lines.delete(holder);
    }
  };
}

/** From so many characters on, what makes an answer of them takes turns. */
const large = 64 << 10;
const pages = createSerialQueue();

/** To be awaited before an answer of so much text is made: at once while it is little, else when its turn has come. Resolves to whether it is much. */
export async function awaitRenderTurn(characters: number): Promise<boolean> {
  const isLarge = characters > large;
  if (isLarge) await pages(async () => {});
  return isLarge;
}
