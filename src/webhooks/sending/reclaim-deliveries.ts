/**
 * Reclaims deliveries of dead workers: the first time an attempt restarts under its number; the second time it has
 * failed, and the retry schedule continues.
 */
import type { DeadLeases } from "../../queues/reclaim-leases.ts";
import type { Database } from "../../storage/database.ts";
import { jsonKeys } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { forUpdate } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { nextStep } from "./schedule.ts";

const batch = 500;

const deadText = sql`select id, hook_id, attempt, round_start, crashed from deliveries
  where leased_until is not null and (leased_until < ? or leased_by in ${listed}) and id not in ${listed}
  order by leased_until limit ${batch}${forUpdate("deliveries")}`;

const given = jsonKeys({ id: "integer", state: "text", due_at: "time", attempt_open: "boolean" });
/** A new fencing token once the attempt is over, so that a merely slow worker cannot end it again. */
const giveText = sql`update deliveries set state = given.state, due_at = given.due_at, leased_until = null, crashed = true,
    attempt_open = given.attempt_open, fence = case when given.attempt_open then fence else fence + 1 end
  from ${given} as given where deliveries.id = given.id`;

const crashed = jsonKeys({ id: "integer", number: "integer" });
/** An older version wrote a row when the attempt began, and no time into that of the delivery. */
const crashText = sql`insert into delivery_attempts (delivery_id, number, at, duration_ms, error)
  select crashed.id, crashed.number, coalesce(deliveries.attempt_at, deliveries.created_at), 0, 'crashed'
  from ${crashed} as crashed join deliveries on deliveries.id = crashed.id where true
  on conflict (delivery_id, number) do update set duration_ms = excluded.duration_ms, error = excluded.error`;

interface DeadRow {
  readonly id: number;
  readonly hook_id: number;
  readonly attempt: number;
  readonly round_start: number;
  readonly crashed: boolean | number;
}

interface ReclaimOptions extends DeadLeases {
  /** Seconds between attempts. */
  readonly delays: readonly number[];
  /** Deliveries in flight in this process. */
  readonly flying: readonly number[];
}

/** Reclaims up to five hundred; resolves to their number. */
export function reclaimDeliveries(database: Database, { now, gone, delays, flying }: ReclaimOptions): Promise<number> {
  return database.transaction(async (transaction) => {
    const dead = await transaction.rows<DeadRow>(deadText, [now, JSON.stringify(gone), JSON.stringify(flying)]);
    if (dead.length === 0) return 0;
    const endedAt = now.getTime();
    const steps = dead.map(({ id, hook_id, attempt, round_start: roundStart, crashed: twice }) => {
      if (!twice) {
        const state = attempt > roundStart + 1 ? "retrying" : "pending";
        return { id, hook_id, number: attempt, state, due_at: endedAt, attempt_open: true };
      }
      const outcome = { status: null, error: "crashed" as const, body: null };
      const { state, dueAt } = nextStep(outcome, { attempt, roundStart, endedAt }, delays);
      return { id, hook_id, number: attempt, state, due_at: dueAt, attempt_open: false };
    });
    transaction.send(giveText, [JSON.stringify(steps)]);
    const over = steps.filter(({ attempt_open }) => !attempt_open);
    if (over.length > 0) transaction.send(crashText, [JSON.stringify(over)]);
    hookQueue.bringForward(
      transaction,
      steps.flatMap(({ hook_id, due_at }) => (due_at === null ? [] : [{ holder: hook_id, dueAt: new Date(due_at) }])),
    );
    return dead.length;
  });
}
