/**
 * Reclaims deliveries of dead workers: the first time an attempt restarts under its number; the second time it has
 * failed, and the retry schedule continues.
 */
import type { DeadLeases } from "../../queues/reclaim-leases.ts";
import type { Database } from "../../storage/database.ts";
import { jsonKeys } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { untilCommit } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { nextStep } from "./schedule.ts";

const batch = 500;

const deadText = sql`select id, hook_id, attempt, round_start, crashed from deliveries
  where leased_until is not null and (leased_until < ? or leased_by in ${listed}) and id not in ${listed}
  order by leased_until limit ${batch}${untilCommit("deliveries")}`;

const given = jsonKeys({ id: "integer", state: "text", due_at: "time", attempt_open: "boolean" });
/** A new fencing token once the attempt is over, so that a merely slow worker cannot end it again. */
const giveText = sql`update deliveries set state = given.state, due_at = given.due_at, leased_until = null, crashed = true,
    attempt_open = given.attempt_open, fence = case when given.attempt_open then fence else fence + 1 end
  from ${given} as given where deliveries.id = given.id`;

const crashed = jsonKeys({ id: "integer", number: "integer" });
const crashText = sql`update delivery_attempts set duration_ms = 0, error = 'crashed'
  from ${crashed} as crashed where delivery_attempts.delivery_id = crashed.id and delivery_attempts.number = crashed.number`;

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
