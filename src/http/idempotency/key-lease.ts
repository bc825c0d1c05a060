/**
 * A lease of an Idempotency-Key, for work in several changes: it is claimed before the first one and renewed meanwhile, so that a concurrent
 * request waits instead of doing the work too. The key of a process that died is free again when its lease expires.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller, Change } from "../../events/caller.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { AlreadyAnswered, takeKey } from "./idempotency.ts";
import type { Claim } from "./idempotency.ts";

/** In milliseconds. */
const leaseMilliseconds = 60_000;
const renewalMilliseconds = 15_000;
/** How long a request waits for the answer of another one, as long as a change waits for a lock. */
const patience = 5000;
const pollMilliseconds = 100;

/** The fencing token of a lease: the row of the key has it in place of the hash of the body, which may not have arrived. */
export type KeyLease = string;

/**
 * Runs `work` under a lease of the key, which ends with it. While another request holds the key, waits for its response (`findEarlier`), and
 * refuses `request_in_progress` on timeout.
 */
export async function underKeyLease<Result>(
  caller: Caller,
  claim: Claim,
  findEarlier: () => Promise<Result | undefined>,
  work: (lease: KeyLease) => Promise<Result>,
): Promise<Result> {
  const lease = randomUUID();
  const end = performance.now() + patience;
  while (!(await caller.change((change) => claimLease(change, claim, lease)))) {
    const earlier = await findEarlier();
    if (earlier !== undefined) return earlier;
    if (performance.now() >= end) throw new Refusal("request_in_progress");
    await sleep(pollMilliseconds);
  }
  const held = [claim.holder, claim.operation, claim.key, lease];
  // A lease that is not renewed expires.
  const ignore = (): void => {};
  const renewing = setInterval(() => {
    caller.change(async (change) => change.send(renewText, [change.now, ...held])).catch(ignore);
  }, renewalMilliseconds);
  try {
    return await work(lease);
  } finally {
    clearInterval(renewing);
    await caller.change(async (change) => change.send(releaseText, held)).catch(ignore);
  }
}

function claimLease(change: Change, claim: Claim, lease: KeyLease): Promise<boolean> {
  return takeKey(change, claim, lease, new Date(change.now.getTime() - leaseMilliseconds));
}

const ofLease = "where holder = ? and operation = ? and key = ? and body_hash = ?";
const renewText = `update idempotency_keys set created_at = ? ${ofLease}`;
const settleText = `update idempotency_keys set created_at = ?, body_hash = ? ${ofLease} returning id`;
const releaseText = `delete from idempotency_keys ${ofLease}`;

/** Turns the lease into the claim of the change that stores the response. */
export async function settleLease(change: Change, claim: Claim, lease: KeyLease): Promise<void> {
  const given = [change.now, await claim.hashInput(), claim.holder, claim.operation, claim.key, lease];
  // Another request has taken over a lease that expired.
  if ((await change.rows(settleText, given)).length === 0) throw new AlreadyAnswered();
}
