/** The API representation of a delivery. */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { withScopes } from "../../operation/redaction.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { readJson } from "../../storage/json.ts";
import { showsEvent } from "../../operation/permission.ts";
import { eventScopes } from "../../vocabulary/events.ts";
import type { DeliveredName } from "../../vocabulary/events.ts";
import { attemptErrors, deliveryStates } from "../../vocabulary/states.ts";
import type { AttemptError, DeliveryState } from "../../vocabulary/states.ts";

const attemptView = z.object({
  number: z.int(),
  at: z.iso.datetime(),
  duration_ms: z.int().nullable().describe("null while it is in flight."),
  status: z.int().nullable().describe("The response status of the receiver, if any."),
  error: z.literal([...attemptErrors, null]).describe("Why it failed; null if it succeeded or is in flight."),
  body: z
    .string()
    .nullable()
    .describe("The first 4 KiB of the answer; null where the credential may not hear of the event."),
});

/** An example for the documents. */
export const deliverySpecimen = {
  id: 1,
  event: "contact.created",
  state: "retrying",
  created_at: "2026-03-01T12:00:00.000Z",
  next_attempt_at: "2026-03-01T12:01:00.120Z",
  attempts: [
    {
      number: 1,
      at: "2026-03-01T12:00:00.020Z",
      duration_ms: 100,
      status: 503,
      error: "http_5xx",
      body: "Try again later.",
    },
  ],
} as const;

export const deliveryView = z
  .object({
    id: z.int().describe("The same as `id` of the body and `X-Service-Delivery`, in every attempt."),
    event: z.string(),
    state: z.enum(deliveryStates),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    attempts: withScopes(
      eventScopes,
      z.array(attemptView).describe("The latest ten, in order."),
      // A receiver may echo the payload.
      (held, attempts, { event }) =>
        showsEvent(held, event as DeliveredName) ? attempts : attempts.map((attempt) => ({ ...attempt, body: null })),
    ),
  })
  .meta({
    id: "Delivery",
    description: "A delivery of an event to a webhook, with its attempts.",
    examples: [deliverySpecimen],
  });

export type DeliveryView = z.output<typeof deliveryView>;

export const deliveryListView = pageOf(deliveryView).meta({
  id: "DeliveryList",
  description: "A page of deliveries, newest first.",
});

interface AttemptRow {
  readonly number: number;
  readonly at: number;
  readonly duration_ms: number | null;
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly body: string | null;
}

/** As selected: times in milliseconds. */
export interface DeliveryRow {
  readonly id: number;
  readonly event: string;
  readonly state: DeliveryState;
  readonly created_at: number;
  readonly due_at: number | null;
  /** The attempt that is in flight, or was interrupted; null without one. */
  readonly open_number: number | null;
  readonly open_at: number | null;
  /** A JSON list of AttemptRow, newest first; an open one was begun by an older version. */
  readonly attempts: string;
}

/** The attempts that are shown. */
export const shownAttempts = 10;

/** Newest first. */
function attemptsOf({ open_number: number, open_at: at, attempts }: DeliveryRow): AttemptRow[] {
  const written = readJson<AttemptRow>(attempts);
  if (number === null || at === null || written[0]?.number === number) return written;
  return [{ number, at, duration_ms: null, status: null, error: null, body: null }, ...written].slice(0, shownAttempts);
}

export function toDelivery(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    event: row.event,
    state: row.state,
    created_at: toTimestamp(row.created_at),
    next_attempt_at: toNullableTimestamp(row.due_at),
    attempts: attemptsOf(row)
      .map(({ at, ...attempt }) => ({ ...attempt, at: toTimestamp(at) }))
      .map(({ number, at, duration_ms, status, error, body }) => ({ number, at, duration_ms, status, error, body }))
      .toReversed(),
  };
}

export const replayedView = z
  .object({ hook_id: z.int(), replayed: z.int().describe("Number of deliveries queued again.") })
  .meta({ id: "ReplayedDeliveries", description: "Deliveries of a webhook that are queued again." });
