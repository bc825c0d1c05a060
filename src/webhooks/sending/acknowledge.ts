/** Writes down what came of deliveries, many in one transaction: one that somebody else has taken since is refused. */
import type { Transaction } from "../../storage/database.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { bringForward } from "../deliveries/hook-queue.ts";
import type { Claimed } from "./claim.ts";
import { nextStep } from "./schedule.ts";
import type { Outcome } from "./schedule.ts";

/** What came of one; `outcome` is undefined where it was given back, and nobody knows. */
export interface Ended {
  readonly delivery: Claimed;
  readonly outcome: Outcome | undefined;
  readonly durationMs: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

const ended = jsonRows({
  id: "integer",
  fence: "integer",
  state: "text",
  due_at: "time",
  attempt_open: "boolean",
});
/** Who was taken for dead and was not may still say so, as long as nobody else has begun again. */
const endText = sql`update deliveries set state = ended.state, due_at = ended.due_at, leased_until = null,
    attempt_open = ended.attempt_open
  from ${ended} as ended
  where deliveries.id = ended.id and deliveries.fence = ended.fence and deliveries.attempt_open = true
  returning deliveries.id`;

const attempts = jsonRows({
  id: "integer",
  number: "integer",
  duration_ms: "integer",
  status: "integer",
  error: "text",
  body: "text",
});
const closeText = sql`update delivery_attempts
  set duration_ms = closed.duration_ms, status = closed.status, error = closed.error, body = closed.body
  from ${attempts} as closed where delivery_attempts.delivery_id = closed.id and delivery_attempts.number = closed.number`;

const failingText = sql`update hooks set failing_since = ? where failing_since is null and id in ${listed}`;
const workingText = sql`update hooks set failing_since = null where failing_since is not null and id in ${listed}`;
const disableText = sql`update hooks set status = 'disabled' where status = 'active' and id in ${listed}`;

/** Resolves to how many were refused. `delays`: seconds between attempts. */
export async function acknowledge(
  transaction: Transaction,
  all: readonly Ended[],
  { now, delays }: { readonly now: Date; readonly delays: readonly number[] },
): Promise<number> {
  if (all.length === 0) return 0;
  const { rows } = transaction;
  const steps = all.map((one) => ({ ...one, ...stepAfter(one, now, delays) }));
  const accepted = await rows<{ id: number }>(endText, [
    JSON.stringify(
      steps.map(({ delivery: { id, fence }, state, dueAt, outcome }) => ({
        id,
        fence,
        state,
        due_at: dueAt,
        attempt_open: outcome === undefined,
      })),
    ),
  ]);
  const kept = new Set(accepted.map(({ id }) => id));
  const ours = steps.filter(({ delivery }) => kept.has(delivery.id));
  const closed = ours.flatMap(({ delivery: { id, attempt }, outcome, durationMs }) =>
    outcome === undefined ? [] : [{ id, number: attempt, duration_ms: Math.round(durationMs), ...outcome }],
  );
  if (closed.length > 0) await rows(closeText, [JSON.stringify(closed)]);
  await bringForward(
    transaction,
    ours.flatMap(({ delivery: { hook }, dueAt }) =>
      dueAt === null ? [] : [{ hookId: hook.hook_id, dueAt: new Date(dueAt) }],
    ),
  );
  await noteHealth(transaction, ours, now);
  return all.length - ours.length;
}

function stepAfter({ delivery, outcome, endedAt }: Ended, now: Date, delays: readonly number[]) {
  const { attempt, roundStart, data } = delivery;
  // There is nothing left to send.
  if (data === null) return { state: "canceled" as const, dueAt: null, disables: false };
  if (outcome !== undefined) return nextStep(outcome, { attempt, roundStart, endedAt }, delays);
  const state = attempt > roundStart + 1 ? ("retrying" as const) : ("pending" as const);
  return { state, dueAt: now.getTime(), disables: false };
}

/** Writes only where something turns: a webhook that works on, or fails on, costs nothing here. */
async function noteHealth(
  { rows }: Transaction,
  all: readonly (Ended & { readonly disables: boolean })[],
  now: Date,
): Promise<void> {
  const ids = (which: (one: (typeof all)[number]) => boolean): number[] => [
    ...new Set(all.filter(which).map(({ delivery }) => delivery.hook.hook_id)),
  ];
  const working = ids(
    ({ outcome, delivery }) =>
      outcome?.error === null && delivery.data !== null && delivery.hook.failing_since !== null,
  );
  const failing = ids(
    ({ outcome, delivery }) => typeof outcome?.error === "string" && delivery.hook.failing_since === null,
  );
  const disabled = ids(({ disables }) => disables);
  if (failing.length > 0) await rows(failingText, [now, JSON.stringify(failing)]);
  if (working.length > 0) await rows(workingText, [JSON.stringify(working)]);
  if (disabled.length > 0) await rows(disableText, [JSON.stringify(disabled)]);
}
