/**
 * Acknowledges deliveries in bulk: records their results. A result is refused if another worker has claimed the
 * delivery since.
 */
import { jsonKeys } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { lockInOrder } from "../../storage/locks.ts";
import type { Writer } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { Claimed } from "./take-deliveries.ts";
import { nextStep } from "./schedule.ts";
import type { AttemptOutcome } from "./schedule.ts";

/** The result of an attempt; `outcome` is undefined if it was released without a known result. */
export interface AttemptResult {
  readonly delivery: Claimed;
  readonly outcome: AttemptOutcome | undefined;
  readonly durationMs: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

const ended = jsonKeys({
  id: "integer",
  fence: "integer",
  state: "text",
  due_at: "time",
  attempt_open: "boolean",
});
/** A worker presumed dead may still acknowledge, as long as no other worker has restarted the attempt. */
const endText = sql`update deliveries set state = ended.state, due_at = ended.due_at, leased_until = null,
    attempt_open = ended.attempt_open
  from ${ended} as ended
  where deliveries.id = ended.id and deliveries.fence = ended.fence and deliveries.attempt_open = true`;

const attempts = jsonKeys({
  id: "integer",
  fence: "integer",
  number: "integer",
  duration_ms: "integer",
  status: "integer",
  error: "text",
  body: "text",
});
/**
 * Runs after the other statement: only the accepted worker closes an attempt and leaves the fence unchanged. A row that is there already is of an older
 * version, which wrote it when the attempt began.
 */
const closeText = sql`insert into delivery_attempts (delivery_id, number, at, duration_ms, status, error, body)
  select closed.id, closed.number, deliveries.attempt_at, closed.duration_ms, closed.status, closed.error, closed.body
  from ${attempts} as closed join deliveries
    on deliveries.id = closed.id and deliveries.fence = closed.fence and deliveries.attempt_open = false
  where true
  on conflict (delivery_id, number) do update
    set at = excluded.at, duration_ms = excluded.duration_ms, status = excluded.status, error = excluded.error, body = excluded.body`;

/** Locks in order: two workers that update the same webhooks would otherwise deadlock. */
const lockText = lockInOrder("hooks", "id", listed, "no key update");
/** What a former target responded says nothing about the one that the webhook has now. */
const attempted = jsonKeys({ hook_id: "integer", target_url: "text", delivery_id: "integer" });
const isAttempted = "hooks.id = attempted.hook_id and hooks.target_url = attempted.target_url";
/** Owners who were notified of an earlier failure are notified of this one as well. */
const failingText = sql`update hooks set failing_since = ?, failing_told_at = null from ${attempted} as attempted
  where ${isAttempted} and failing_since is null`;
const workingText = sql`update hooks set failing_since = null from ${attempted} as attempted
  where ${isAttempted} and failing_since is not null`;
const disableText = sql`update hooks set status = 'disabled' from ${attempted} as attempted
  where ${isAttempted} and status = 'active'
    and exists (select 1 from deliveries where deliveries.id = attempted.delivery_id and state = 'failed')`;

/**
 * `delays`: seconds between attempts. Returns the webhooks with newly due deliveries; the caller settles their queues
 * in the same transaction.
 */
export function acknowledge(
  { send }: Writer,
  all: readonly AttemptResult[],
  { now, delays }: { readonly now: Date; readonly delays: readonly number[] },
): Set<number> {
  if (all.length === 0) return new Set();
  const steps = all.map((one) => ({ ...one, ...stepAfter(one, now, delays) }));
  send(endText, [
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
  const closed = steps.flatMap(({ delivery: { id, fence, attempt }, outcome, durationMs }) =>
    outcome === undefined ? [] : [{ id, fence, number: attempt, duration_ms: Math.round(durationMs), ...outcome }],
  );
  if (closed.length > 0) send(closeText, [JSON.stringify(closed)]);
  noteHealth(send, steps, now);
  return new Set(steps.flatMap(({ delivery: { hook }, dueAt }) => (dueAt === null ? [] : [hook.hook_id])));
}

function stepAfter({ delivery, outcome, endedAt }: AttemptResult, now: Date, delays: readonly number[]) {
  const { attempt, roundStart, data } = delivery;
  // Nothing is left to send.
  if (data === null) return { state: "canceled" as const, dueAt: null, disables: false };
  if (outcome !== undefined) return nextStep(outcome, { attempt, roundStart, endedAt }, delays);
  const state = attempt > roundStart + 1 ? ("retrying" as const) : ("pending" as const);
  return { state, dueAt: now.getTime(), disables: false };
}

/**
 * Writes only on a transition between working and failing, so steady states cost nothing. A response also counts if its
 * acknowledgement is refused.
 */
function noteHealth(
  send: Writer["send"],
  all: readonly (AttemptResult & { readonly disables: boolean })[],
  now: Date,
): void {
  const of = (which: (one: (typeof all)[number]) => boolean): Claimed[] =>
    all.filter(which).map(({ delivery }) => delivery);
  const working = of(
    ({ outcome, delivery }) =>
      outcome?.error === null && delivery.data !== null && delivery.hook.failing_since !== null,
  );
  const failing = of(
    ({ outcome, delivery }) => typeof outcome?.error === "string" && delivery.hook.failing_since === null,
  );
  const disabling = of(({ disables }) => disables);
  const turning = new Set([...failing, ...working, ...disabling].map(({ hook }) => hook.hook_id));
  if (turning.size > 0) send(lockText, [JSON.stringify([...turning])]);
  if (failing.length > 0) send(failingText, [now, JSON.stringify(failing.map(toAttempted))]);
  if (working.length > 0) send(workingText, [JSON.stringify(working.map(toAttempted))]);
  if (disabling.length > 0) send(disableText, [JSON.stringify(disabling.map(toAttempted))]);
}

function toAttempted({ id, hook: { hook_id, target_url } }: Claimed) {
  return { hook_id, target_url, delivery_id: id };
}
