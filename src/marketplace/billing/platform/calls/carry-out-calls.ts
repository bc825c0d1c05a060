/** Relays the outbox of calls to Stripe: performs the calls that are due, and retries failed ones with backoff. */
import { retryDelay } from "../../../../kit/time/retry-delay.ts";
import { toSentence } from "../events/apply-events.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { performCall } from "./perform-call.ts";
import type { CallDeps, IntendedCall } from "./intended-call.ts";
import { isOpenCall } from "./stripe-call.service.ts";

/** The most calls in one run. */
const callsPerRun = 50;
const kinds = "('refund', 'cancel', 'resume', 'end', 'price', 'notice', 'void')";
const isWaiting = `${isOpenCall} and kind in ${kinds}`;

/** Calls that change one subscription are performed in the order in which they were recorded: a resume after its cancel. */
const dueText = `select id, kind, key, subject, amount_cents, reason, transfer_id, attempts, due_at, notified_at from stripe_calls k
  where ${isWaiting} and due_at <= ? and (kind in ('refund', 'notice', 'void') or not exists (
    select 1 from stripe_calls earlier where earlier.app_subscription_id = k.app_subscription_id and earlier.id < k.id
      and earlier.done_at is null and earlier.failed_at is null and earlier.kind in ('cancel', 'resume', 'end')))
  order by due_at, id limit ${callsPerRun}`;
const nextText = `select min(due_at) as due_at from stripe_calls where ${isWaiting}`;
const delayedText = "update stripe_calls set due_at = ?, attempts = attempts + 1, error = ? where id = ?";

/** Performs a batch of due calls; resolves to the number of attempts. */
export async function carryOutDueCalls(deps: CallDeps, signal: AbortSignal): Promise<number> {
  const due = await deps.database.rows<IntendedCall>(dueText, [deps.clock.now()]);
  for (const call of due) {
    if (signal.aborted) break;
    try {
      await performCall(deps, call);
    } catch (error) {
      await delay(deps, call, error);
    }
  }
  return due.length;
}

async function delay({ database, clock, log }: PlatformDeps, call: IntendedCall, error: unknown): Promise<void> {
  log.warn("a call to Stripe failed and will be retried", { kind: call.kind, attempts: call.attempts + 1, error });
  const at = new Date(clock.now().getTime() + retryDelay(call.attempts));
  await database.transaction(async (change) => change.send(delayedText, [at, toSentence(error), call.id]));
}

export async function findNextCall({ database }: PlatformDeps): Promise<Date | null> {
  const [row] = await database.rows<{ due_at: number | null }>(nextText);
  const dueAt = row?.due_at ?? null;
  return dueAt === null ? null : new Date(dueAt);
}
