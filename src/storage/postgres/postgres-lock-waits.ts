/** Keeps those who wait for a lock from taking the whole pool: who does not get it at once stands aside, with few others. */
import { isLockTimeout } from "../faults.ts";
import type { Pipeline } from "./postgres-pipeline.ts";
import { once } from "./postgres-texts.ts";

/**
 * How long a statement waits for a lock like everybody, in milliseconds. Changes that meet hold their locks for a few of
 * them; what is held longer may be held for ever, by a session that is not ours.
 */
export const briefLockWait = 200;

/** How long it waits altogether before it is given up, in milliseconds: with the rest of its way a request ends in five seconds. */
const lockPatience = 4500;

/** So many may wait longer at the same time. Each has a place of the pool meanwhile; the others wait for their turn without one. */
const places = 4;

/**
 * How long a change of the schema waits for a table. Whoever asks for the table meanwhile stands in line behind it, so it
 * gives up before a session that reads for hours stops the service.
 */
const schemaLockWait = "10s";

/** Sends what a transaction begins with. */
type Prepare = (pipeline: Pipeline) => void;

/** To wait for a row is to wait for two locks, one after the other and each as long as allowed: the statement bounds them both. */
const waitUntil =
  (deadline: number): Prepare =>
  (pipeline) => {
    const left = `${Math.max(1, Math.ceil(deadline - performance.now()))}ms`;
    pipeline.send(once("select set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)"), [
      left,
      left,
    ]);
  };

/** For a change of the schema, whose statements may take as long as they need. */
export const waitForTables: Prepare = (pipeline) =>
  pipeline.send(once("select set_config('lock_timeout', ?, true)"), [schemaLockWait]);

export interface LockWaits {
  /**
   * After `error`, which ended what had `begun` then (as performance.now() says): runs the attempt once more, in a transaction
   * that sends `patiently` first and so waits for locks as long as is left. Throws `error` when it is no lock that was
   * waited for, or when no place gets free in time.
   */
  again<Result>(error: unknown, begun: number, attempt: (patiently: Prepare) => Promise<Result>): Promise<Result>;
}

export function createLockWaits(): LockWaits {
  let free = places;
  /** What lets each of those who wait for a place go on, the first first. */
  const line = new Set<() => void>();

  /** Resolves to whether a place was to be had until `deadline`. */
  async function enter(deadline: number): Promise<boolean> {
    if (free > 0) {
      free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const leaveLine = (entered: boolean) => {
        clearTimeout(timer);
        line.delete(goOn);
        resolve(entered);
      };
      const goOn = () => leaveLine(true);
      const timer = setTimeout(() => leaveLine(false), deadline - performance.now());
      line.add(goOn);
    });
  }

  function leave(): void {
    const [goOn] = line;
    if (goOn === undefined) free += 1;
    else goOn();
  }

  return {
    async again(error, begun, attempt) {
      const deadline = begun + lockPatience;
      if (!isLockTimeout(error) || !(await enter(deadline))) throw error;
      try {
        return await attempt(waitUntil(deadline));
      } finally {
        leave();
      }
    },
  };
}
