/**
 * Claims due deliveries for one worker under a lease: round-robin over the webhooks, longest waiting first, a few of
 * each, so that a million deliveries of one webhook cost the others nothing.
 */
import type { Share } from "../../queues/slots.ts";
import type { Transaction } from "../../storage/database.ts";
import { sql } from "../../storage/sql-text.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { takingDeliveries } from "./take-deliveries.ts";
import type { Claimed, DueHook } from "./take-deliveries.ts";

const takeDue = takingDeliveries(sql`update deliveries
  set state = 'delivering', due_at = null, leased_until = ?, leased_by = ?, fence = fence + 1, attempt_at = ?,
    attempt = case when attempt_open then attempt else attempt + 1 end,
    crashed = case when attempt_open then crashed else false end, attempt_open = true
  from ${hookQueue.picked} as picked where deliveries.id = picked.id`);

const none = async (): Promise<Claimed[]> => [];

interface DeliveryClaim {
  readonly shares: readonly Share<DueHook>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  readonly worker: number | null;
}

/**
 * Claims due deliveries and opens their attempts. The caller settles the queues of these webhooks in the same
 * transaction. The returned function gives the deliveries after the commit.
 */
export async function claim(
  transaction: Transaction,
  { shares, now, leaseMilliseconds, worker }: DeliveryClaim,
): Promise<() => Promise<Claimed[]>> {
  if (shares.length === 0) return none;
  const takes = JSON.stringify(shares.map(({ due: { hook_id }, take }) => ({ hook_id, take })));
  const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
  const hooks = shares.map(({ due }) => due);
  return takeDue(transaction, { params: [leasedUntil, worker, now, takes, now], hooks });
}
