/** The tables of deliveries: deliveries, their attempts, and the queue rows of webhooks. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { attemptErrors, deliveryStates } from "../../vocabulary/states.ts";
import { Hook } from "../hooks/hook.entity.ts";

export const Delivery = defineEntity({
  name: "Delivery",
  tableName: "deliveries",
  indexes: [
    { name: "deliveries_of_hook", properties: ["hook", "id"] },
    // How many there were in each hour.
    { name: "deliveries_by_time", properties: ["hook", "createdAt"] },
    // Expressions, because MikroORM's comparison reports a partial index given by properties as changed every time.
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
    // In which hours some failed.
    {
      name: "deliveries_failed_by_time",
      expression: `create index "deliveries_failed_by_time" on "deliveries" ("hook_id", "created_at") where "state" = 'failed'`,
    },
    {
      name: "deliveries_delivered",
      expression: `create index "deliveries_delivered" on "deliveries" ("hook_id", "id") where "state" = 'delivered'`,
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    hook: () => p.manyToOne(Hook).deleteRule("cascade").index(false),
    /** Its payload, frozen, is stored with the event. */
    eventId: p.type(Integer),
    state: p.enum(deliveryStates),
    /** The number of the last attempt, and of the last one before this round of five: a replay starts a new round. */
    attempt: p.type(Integer).default(0),
    roundStart: p.type(Integer).default(0),
    /** Whether that attempt is open, and when it began; whether its worker died once already. */
    attemptOpen: p.boolean().default(false),
    attemptAt: p.datetime(3).nullable(),
    crashed: p.boolean().default(false),
    /** The fencing token, incremented by each claim: an acknowledgement with an older one is refused. */
    fence: p.type(Integer).default(0),
    /** Set while queued. */
    dueAt: p.datetime(3).nullable(),
    /** Set while leased to a worker: after that time the worker counts as dead. */
    leasedUntil: p.datetime(3).nullable(),
    /** The last worker that leased it. */
    leasedBy: p.type(Integer).nullable(),
    createdAt: p.datetime(3),
  },
});

/** An attempt that has ended; an open one is in the row of its delivery. */
export const DeliveryAttempt = defineEntity({
  name: "DeliveryAttempt",
  tableName: "delivery_attempts",
  uniques: [{ name: "delivery_attempts_number", properties: ["delivery", "number"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    delivery: () => p.manyToOne(Delivery).deleteRule("cascade").index(false),
    number: p.type(Integer),
    at: p.datetime(3),
    /** null while in flight, where an older version began the attempt. */
    durationMs: p.type(Integer).nullable(),
    status: p.type(Integer).nullable(),
    error: p.enum(attemptErrors).nullable(),
    /** The beginning of the response body. */
    body: p.text().nullable(),
  },
});

/** One row per webhook, in a separate table because it is updated constantly. */
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
    /** No later than the first due delivery of the webhook; null while none is queued. */
    dueAt: p.datetime(3).nullable(),
    /** When it was last served: the longest waiting webhook comes first. */
    servedAt: p.datetime(3),
  },
});
