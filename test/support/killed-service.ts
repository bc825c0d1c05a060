/**
 * Kills the service in process at a commit: that transaction is rolled back, or is the last one that commits, and every later one fails until the
 * service is started again. Real processes are killed in test/faults.
 */
import type { Database } from "../../src/storage/database.ts";

/** before: the commit does not happen. after: it does, and what follows it does not. */
export type KillMoment = "before" | "after";

export interface KillSwitch {
  /** Kills at the `commit`th transaction from now; 0: at none. */
  arm(commit: number, moment: KillMoment): void;
  /** Starts the service again; whether it was dead. */
  revive(): boolean;
  readonly isDead: boolean;
  /** The transactions so far. */
  readonly commits: number;
}

class Killed extends Error {}

export function addKillSwitch(database: Database): KillSwitch {
  const commit = database.transaction.bind(database);
  let left = 0;
  let at: KillMoment = "before";
  let isDead = false;
  let commits = 0;

  const transaction: Database["transaction"] = async (work, ...options) => {
    if (isDead) throw new Killed("The service is dead.");
    commits += 1;
    left -= 1;
    if (left !== 0) return commit(work, ...options);
    if (at === "after") await commit(work, ...options);
    else
      await commit(
        async (open) => {
          await work(open);
          isDead = true;
          throw new Killed("Killed before a commit.");
        },
        ...options,
      ).catch(() => {});
    isDead = true;
    throw new Killed(`Killed ${at} a commit.`);
  };
  const { forHolder } = database;
  database.transaction = transaction;
  database.forHolder = (holder) => ({ ...forHolder(holder), transaction });

  return {
    arm(number, moment) {
      left = number;
      at = moment;
    },
    revive() {
      const wasDead = isDead;
      isDead = false;
      left = 0;
      return wasDead;
    },
    get isDead() {
      return isDead;
    },
    get commits() {
      return commits;
    },
  };
}
