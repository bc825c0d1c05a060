/** Test deliveries and replays. */
import type { Caller, Change } from "../../events/caller.ts";
import { defineInsert, insertRows } from "../../storage/inserting/insert.ts";
import { judged } from "../../storage/query-plans.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { ping } from "../hooks/hook.events.ts";
import { findHook } from "../hooks/hook.queries.ts";
import { findDelivery } from "./delivery.queries.ts";
import type { DeliveryView } from "./delivery.view.ts";
import { hookQueue } from "./hook-queue.ts";

export const deliveryInsert = defineInsert("deliveries", ["hook_id", "event_id", "state", "due_at", "created_at"], {
  leaves: ["attempt", "round_start", "attempt_open", "attempt_at", "crashed", "fence", "leased_until", "leased_by"],
});

/**
 * Queues a ping, which is signed, delivered and logged like any event. Refuses `hook.not_found`, and a disabled
 * webhook.
 */
export async function sendTest(change: Change, hookId: number): Promise<DeliveryView> {
  const hook = await findHook(change, hookId);
  if (hook === undefined) throw new Refusal("hook.not_found");
  refuseDisabled(hook);
  const message = "This is a test: the webhook works.";
  const more = hook.location_id === null ? {} : { locationId: hook.location_id };
  const [eventId] = await change.record(ping.of({ message, hook_id: hookId }, more));
  const [id] = await insertRows(change, deliveryInsert, [
    { hook_id: hookId, event_id: eventId!, state: "pending", due_at: change.now, created_at: change.now },
  ]);
  hookQueue.bringForward(change, [{ holder: hookId, dueAt: change.now }]);
  const queued = await findDelivery(change, id!);
  // Another change has removed the webhook meanwhile.
  if (queued === undefined) throw new Refusal("hook.not_found");
  return queued;
}

/**
 * A new round of five attempts under the same ID. A delivery in flight is left alone; a released attempt counts as the
 * first.
 */
const replayed = `state = 'pending', due_at = ?, round_start = case when attempt_open then attempt - 1 else attempt end`;
const replayText = `update deliveries set ${replayed} where id = ? and state <> 'delivering' returning hook_id`;

const factsText = `select deliveries.hook_id, hooks.status, events.data is not null as kept
  from deliveries join hooks on hooks.id = deliveries.hook_id join events on events.id = deliveries.event_id
  where deliveries.id = ?`;

/** Redelivers a delivery in any state. Refuses `delivery.not_found`, a pruned payload, and a disabled webhook. */
export async function replayDelivery(change: Change, id: number): Promise<DeliveryView> {
  await getDelivery(change, id);
  const [facts] = await change.rows<{ hook_id: number; status: string; kept: boolean | number }>(factsText, [id]);
  if (facts === undefined) throw new Refusal("delivery.not_found");
  if (!facts.kept) {
    throw new Invalid({ delivery: ["The payload of this delivery has been pruned: it is too old to be sent again."] });
  }
  refuseDisabled(facts);
  const moved = await change.rows(replayText, [change.now, id]);
  if (moved.length > 0) hookQueue.bringForward(change, [{ holder: facts.hook_id, dueAt: change.now }]);
  // Again: another change may have removed the webhook meanwhile.
  return getDelivery(change, id);
}

async function getDelivery(change: Change, id: number): Promise<DeliveryView> {
  const delivery = await findDelivery(change, id);
  if (delivery === undefined) throw new Refusal("delivery.not_found");
  return delivery;
}

/** Deliveries per transaction, to keep locks short. */
const piece = 1000;

const ofHook = { owner: "deliveries.hook_id", place: "deliveries.id" };
/** Judged again as it is written: another replay, and a worker, may have been first. */
const replayFailedText = sql`update deliveries set ${replayed} where id in
  (select deliveries.id from ${ownedBy("deliveries")} join events on events.id = deliveries.event_id
   where ${inOwnedRange(ofHook, {})} and deliveries.state = 'failed' and deliveries.created_at >= ? and events.data is not null
   order by ${inOwnedOrder(ofHook, "desc")} limit ${piece}) and ${judged("state")} = 'failed' returning id`;

/**
 * Redelivers all failed deliveries of a webhook created since a time; resolves to their number. Refuses
 * `hook.not_found`.
 */
export async function replayFailed(
  caller: Caller,
  hookId: number,
  since: Date,
  progress: (done: number) => unknown = () => {},
): Promise<number> {
  const hook = await findHook(caller, hookId);
  if (hook === undefined) throw new Refusal("hook.not_found");
  refuseDisabled(hook);
  let count = 0;
  for (let moved = piece; moved === piece;) {
    moved = await caller.change(async (change) => {
      const found = await change.rows(replayFailedText, [change.now, hookId, since]);
      if (found.length > 0) hookQueue.bringForward(change, [{ holder: hookId, dueAt: change.now }]);
      return found.length;
    });
    count += moved;
    progress(count);
  }
  return count;
}

function refuseDisabled({ status }: { readonly status: string }): void {
  if (status === "disabled")
    throw new Invalid({
      hook: ["The webhook is disabled because its receiver responded with 410 Gone. Resume it first."],
    });
}
