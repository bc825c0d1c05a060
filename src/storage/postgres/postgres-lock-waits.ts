/** Keeps lock waits from exhausting the pool: after a short timeout, a change retries among a few patient ones. */
import { isLockTimeout } from "../faults.ts";
import type { Pipeline } from "./postgres-pipeline.ts";
import { once } from "./postgres-texts.ts";

/**
 * The usual lock timeout, in milliseconds. Conflicting changes hold locks for a few of them; a lock held longer may be
 * held indefinitely by a foreign session.
 */
export const briefLockWait = 200;

/** The total wait for a lock, in milliseconds; including the rest, a request then ends within five seconds. */
const lockPatience = 4500;

/** Number of changes that may wait longer at a time. Each occupies a connection; further ones queue without one. */
const places = 4;

/**
 * The lock timeout of a schema change. Later statements queue behind it, so it gives up before a session that reads for
 * hours can stop the service.
 */
const schemaLockWait = "10s";

/** Sends the settings at the beginning of a transaction. */
type Prepare = (pipeline: Pipeline) => void;

/** A row lock is waited for as two locks in sequence, each with its own timeout: the statement timeout bounds both. */
const waitUntil =
  (deadline: number): Prepare =>
  (pipeline) => {
    const left = `${Math.max(1, Math.ceil(deadline - performance.now()))}ms`;
    pipeline.send(once("select set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)"), [
      left,
      left,
    ]);
  };

/** For schema changes, whose statements have no timeout. */
export const waitForTables: Prepare = (pipeline) =>
  pipeline.send(once("select set_config('lock_timeout', ?, true)"), [schemaLockWait]);

export interface LockWaits {
  /**
   * Retries the attempt after `error`, `begun` by performance.now(), in a transaction that sends `patiently` first and
   * so waits for locks until the deadline. Throws `error` if it was no lock timeout, or if no slot becomes free in
   * time.
   */
  again<Result>(error: unknown, begun: number, attempt: (patiently: Prepare) => Promise<Result>): Promise<Result>;
}

export function createLockWaits(): LockWaits {
  let free = places;
  /** Resolvers of the waiters for a slot, first in first out. */
  const line = new Set<() => void>();

  /** Resolves to whether a slot was free before `deadline`. */
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
      const timer = setTimeout(() => leaveLine(false), Math.max(0, deadline - performance.now()));
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
