/**
 * Locks for long synchronous work: it runs in pieces, yields to the event loop between them, and is fair to many
 * holders.
 */
import { setImmediate as turn } from "node:timers/promises";
import { TooManyRequests } from "../../vocabulary/errors.ts";
import { createSemaphore } from "./semaphore.ts";

/** Yields: resolves in the next turn of the event loop, after pending I/O was handled. */
export async function yieldToEventLoop(): Promise<void> {
  await turn();
}

export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A mutex: each piece of work starts when the one before it is done and the event loop has turned. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(yieldToEventLoop).then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** Runs one piece of long work under the lock. */
export type RunPiece = SerialQueue;

/**
 * Runs `work`, which does its long parts in pieces through the given `RunPiece`. Refuses with TooManyRequests when too
 * much of this holder is queued.
 */
export type FairLock = <Result>(holder: string, work: (turn: RunPiece) => Promise<Result>) => Promise<Result>;

/**
 * Maximum queue length per holder: clients that disconnect stay queued, and one that retries repeatedly would exhaust
 * the memory.
 */
const mostStanding = 100;

/** Retry-After in seconds: a few queued pieces are done by then. */
const comeAgain = 5;

/**
 * A fair lock over many holders. The work of one holder runs sequentially. At most `places` pieces of all holders run
 * at a time, in the order requested, and no two start in the same turn of the event loop. A holder with much work waits
 * for itself; others wait for single pieces.
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

/** Responses above this many characters take turns. */
const large = 64 << 10;
const pages = createSerialQueue();

/** Await it before each piece of a large response that is rendered, hashed or sent: one piece per turn of the event loop. */
export function awaitPieceTurn(): Promise<void> {
  return pages(async () => {});
}

/** `yieldToEventLoop` in a change, which holds locks that others wait for: it must not wait for the pieces of all reads. */
export type PieceTurn = typeof awaitPieceTurn;

/**
 * Await it before rendering a response with this many characters: immediate if small, else serialized with others.
 * Resolves to whether it is large.
 */
export async function awaitRenderTurn(characters: number, pieceTurn: PieceTurn = awaitPieceTurn): Promise<boolean> {
  const isLarge = characters > large;
  if (isLarge) await pieceTurn();
  return isLarge;
}
