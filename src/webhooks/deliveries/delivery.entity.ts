/** The tables of deliveries: what is owed to a webhook, each attempt at it, and when a webhook has something due next. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { attemptErrors, deliveryStates } from "../../vocabulary/states.ts";
import { Hook } from "../hooks/hook.entity.ts";

export const Delivery = defineEntity({
  name: "Delivery",
  tableName: "deliveries",
  indexes: [
    { name: "deliveries_of_hook", properties: ["hook", "id"] },
    // As expressions, because a partial index written as properties is seen as changed at every comparison.
    {
      name: "deliveries_due",
      expression:
        'create index "deliveries_due" on "deliveries" ("hook_id", "due_at", "id") where "due_at" is not null',
    },
    {
      name: "deliveries_leased",
      expression: 'create index "deliveries_leased" on "deliveries" ("leased_until") where "leased_until" is not null',
    },
    {
      name: "deliveries_failed",
      expression: `create index "deliveries_failed" on "deliveries" ("hook_id", "id") where "state" = 'failed'`,
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    hook: () => p.manyToOne(Hook).deleteRule("cascade").index(false),
    /** Its payload, frozen, lies in the event. */
    eventId: p.type(Integer),
    state: p.enum(deliveryStates),
    /** The number of the last attempt, and of the last one before this round of five: a replay begins a new one. */
    attempt: p.type(Integer).default(0),
    roundStart: p.type(Integer).default(0),
    /** Whether that attempt was begun and has not ended; whether its worker died once already. */
    attemptOpen: p.boolean().default(false),
    crashed: p.boolean().default(false),
    /** Counts the claims: an acknowledgement of an earlier one is refused. */
    fence: p.type(Integer).default(0),
    /** Set while it waits. */
    dueAt: p.datetime(3).nullable(),
    /** Set while a worker has it: after that it is taken for dead. */
    leasedUntil: p.datetime(3).nullable(),
    /** The worker that had it last. */
    leasedBy: p.type(Integer).nullable(),
    createdAt: p.datetime(3),
  },
});

export const DeliveryAttempt = defineEntity({
  name: "DeliveryAttempt",
  tableName: "delivery_attempts",
  uniques: [{ name: "delivery_attempts_number", properties: ["delivery", "number"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    delivery: () => p.manyToOne(Delivery).deleteRule("cascade").index(false),
    number: p.type(Integer),
    at: p.datetime(3),
    /** null while it is under way. */
    durationMs: p.type(Integer).nullable(),
    status: p.type(Integer).nullable(),
    error: p.enum(attemptErrors).nullable(),
    /** The beginning of what was answered. */
    body: p.text().nullable(),
  },
});

/** One row a webhook, apart from it: it is written all the time. */
export const HookQueue = defineEntity({
  name: "HookQueue",
  tableName: "hook_queues",
  indexes: [
    {
      name: "hook_queues_due",
      expression: 'create index "hook_queues_due" on "hook_queues" ("due_at") where "due_at" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    hook: () => p.manyToOne(Hook).unique("hook_queues_hook").deleteRule("cascade").index(false),
    /** No later than what waits for the webhook is due; null while nothing waits. */
    dueAt: p.datetime(3).nullable(),
    /** When something of it was last taken: whoever waited longest comes first. */
    servedAt: p.datetime(3),
  },
});
