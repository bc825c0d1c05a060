/** Deliveries in the lists of pages: each with its last attempt, without bodies. */
import { z } from "zod";
import { pageOf, shortPageQuery } from "../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { attemptErrors, deliveryStates } from "../../vocabulary/states.ts";
import type { AttemptError, DeliveryState } from "../../vocabulary/states.ts";

/** What a list is limited to. `waiting`: the next attempt is scheduled. */
export const deliveryFilters = ["waiting", "failed", "delivered"] as const;
export type DeliveryFilter = (typeof deliveryFilters)[number];

export const deliverySummaryQuery = shortPageQuery.extend({ state: z.enum(deliveryFilters).optional() });

const deliverySummaryView = z
  .object({
    id: z.int(),
    event: z.string(),
    state: z.enum(deliveryStates),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    last_attempt: z
      .object({
        number: z.int(),
        at: z.iso.datetime(),
        duration_ms: z.int().nullable(),
        status: z.int().nullable(),
        error: z.literal([...attemptErrors, null]),
      })
      .nullable(),
  })
  .meta({ id: "DeliverySummary", description: "A delivery with its last attempt." });

export type DeliverySummary = z.output<typeof deliverySummaryView>;

export const deliverySummaryListView = pageOf(deliverySummaryView).meta({
  id: "DeliverySummaryList",
  description: "A page of deliveries.",
});

export const deliveryCountsView = z
  .object({
    waiting: z.int(),
    failed: z.int(),
    failed_in_hours: z.int(),
    hours: z.array(z.object({ begins_at: z.iso.datetime(), created: z.int(), has_failed: z.boolean() })),
  })
  .meta({
    id: "DeliveryCounts",
    description: "Deliveries of a webhook by state, and by hour of the last day, each counted up to a limit.",
  });

export type DeliveryCounts = z.output<typeof deliveryCountsView>;

/** As selected: times in milliseconds. */
export interface DeliverySummaryRow {
  readonly id: number;
  readonly event: string;
  readonly state: DeliveryState;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly number: number | null;
  readonly at: number | null;
  readonly duration_ms: number | null;
  readonly status: number | null;
  readonly error: AttemptError | null;
}

export function toDeliverySummary(row: DeliverySummaryRow): DeliverySummary {
  const { number, at, duration_ms, status, error } = row;
  return {
    id: row.id,
    event: row.event,
    state: row.state,
    created_at: toTimestamp(row.created_at),
    next_attempt_at: toNullableTimestamp(row.due_at),
    last_attempt: number === null || at === null ? null : { number, at: toTimestamp(at), duration_ms, status, error },
  };
}
