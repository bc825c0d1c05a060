/**
 * One turn at the database: writes down what came of deliveries and takes what is due. On PostgreSQL its statements leave in three
 * journeys, however many deliveries they are about.
 */
import type { Share } from "../../queues/sender.ts";
import type { Database } from "../../storage/database.ts";
import { keepToIndexes } from "../../storage/query-plans.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { acknowledge } from "./acknowledge.ts";
import type { AttemptResult } from "./acknowledge.ts";
import { claim } from "./claim.ts";
import type { Claimed, DueHook } from "./claim.ts";

interface ClaimOptions {
  readonly ended: readonly AttemptResult[];
  readonly shares: readonly Share<DueHook>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  /** Who takes them, as `Workers.own` tells. */
  readonly worker: number | null;
  /** Seconds between attempts. */
  readonly delays: readonly number[];
}

/** Resolves to what was taken, when that is on disk: only then may it be sent. */
export function claimDeliveries(
  database: Database,
  { ended, shares, now, leaseMilliseconds, worker, delays }: ClaimOptions,
): Promise<Claimed[]> {
  return database.transaction(async (transaction) => {
    keepToIndexes(transaction);
    const others = acknowledge(transaction, ended, { now, delays });
    const claimed = await claim(transaction, { shares, now, leaseMilliseconds, worker });
    // Last, so that the queues, which fan-out writes too, are held no longer than the COMMIT takes.
    hookQueue.settle(transaction, { served: shares.map(({ due }) => due.hook_id), others, now });
    return claimed;
  });
}
