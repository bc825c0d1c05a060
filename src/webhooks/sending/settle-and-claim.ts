/**
 * One sender turn: acknowledges finished deliveries and claims due ones. On PostgreSQL it takes one round trip for
 * any number of deliveries.
 */
import type { Share } from "../../queues/slots.ts";
import type { Database } from "../../storage/database.ts";
import { keepToLookUps } from "../../storage/query-plans.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { acknowledge } from "./acknowledge.ts";
import type { AttemptResult } from "./acknowledge.ts";
import { claim } from "./claim.ts";
import type { Claimed, DueHook } from "./take-deliveries.ts";

interface Turn {
  readonly ended: readonly AttemptResult[];
  readonly shares: readonly Share<DueHook>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  /** The claiming worker, from `Workers.own`. */
  readonly worker: number | null;
  /** Seconds between attempts. */
  readonly delays: readonly number[];
}

/** Resolves to the claimed deliveries after the commit: only then may they be sent. */
export async function settleAndClaim(
  database: Database,
  { ended, shares, now, leaseMilliseconds, worker, delays }: Turn,
): Promise<Claimed[]> {
  const claimed = await database.transaction(async (transaction) => {
    // One that was given back is due for other workers at once.
    if (ended.every(({ outcome }) => outcome !== undefined))
      transaction.takesFrom(["deliveries", "delivery_attempts", "hook_queues"]);
    keepToLookUps(transaction);
    const others = acknowledge(transaction, ended, { now, delays });
    const taken = await claim(transaction, { shares, now, leaseMilliseconds, worker });
    // Last, so that the queue rows, which fan-out updates too, are locked only until the COMMIT.
    hookQueue.settle(transaction, { served: shares.map(({ due }) => due.hook_id), others, now });
    return taken;
  });
  return claimed();
}
