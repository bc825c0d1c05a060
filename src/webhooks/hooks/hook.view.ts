/** The API representation of a webhook (specification, "Webhook registration"). */
import { z } from "zod";
import { pageOf } from "../../kit/page-shapes.ts";
import { toNullableTimestamp, toTimestamp } from "../../kit/time/timestamp.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import type { HookStatus } from "../../vocabulary/states.ts";
import { hookStatuses } from "../../vocabulary/states.ts";

const registered = { id: 1, event: "contact.created", target_url: "https://example.com/hooks/crm" };

export const hookRegistrationView = z
  .object({
    id: z.int(),
    event: z.string(),
    target_url: z.string(),
    secret: z.string().describe("Signs every delivery. It is shown only once."),
  })
  .meta({
    id: "HookRegistration",
    description: "A webhook that was just registered, with its secret.",
    examples: [{ ...registered, secret: "whsec_4bq0T1Xl0v0nq2o5cJ8eXqkq3l1xq4v7sQ2d9Zk1r0w" }],
  });

export const hookView = z
  .object({
    id: z.int(),
    event: z.string().nullable().describe("The event, where there is one alone."),
    events: z.array(z.string()).nullable().describe("The events it receives; null for all."),
    target_url: z.string(),
    location_id: z.int().nullable().describe("The location it is restricted to."),
    status: z.enum(hookStatuses),
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe("Time of the first failure since the last success; null while attempts succeed."),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "Hook",
    description: "A webhook.",
    examples: [
      {
        ...registered,
        events: ["contact.created"],
        location_id: 1,
        status: "active",
        failing_since: null,
        created_at: "2026-03-01T12:00:00.000Z",
      },
    ],
  });

export const newHookView = z
  .object({
    id: z.int(),
    events: z.array(z.enum(eventNames)).readonly().nullable().describe("null: every event."),
    target_url: z.string(),
    location_id: z.int().nullable(),
    secret: z.string().describe("Signs every delivery. It is shown only once."),
  })
  .meta({ id: "NewHook", description: "A webhook that was just registered, with its secret." });

export type NewHookView = z.output<typeof newHookView>;

export const rotatedHookView = z
  .object({
    id: z.int(),
    secret: z.string().describe("It is shown only once."),
    old_secret_until: z.iso.datetime().nullable().describe("Until when the old one also signs."),
  })
  .meta({
    id: "RotatedHookSecret",
    description: "The new secret of a webhook.",
    examples: [{ id: 1, secret: "whsec_Jm3nq0bX9vW2cR5tY8uZ1aS4dF7gH6kLpQ0eT3iO9wE", old_secret_until: null }],
  });

export type HookView = z.output<typeof hookView>;

export const hookListView = pageOf(hookView).meta({ id: "HookList", description: "A page of webhooks, oldest first." });

/** As selected: times in milliseconds. */
export interface HookRow {
  readonly id: number;
  readonly events: string | null;
  readonly target_url: string;
  readonly location_id: number | null;
  readonly status: HookStatus;
  readonly failing_since: number | null;
  readonly created_at: number;
}

export function toHook(row: HookRow): HookView {
  const events = row.events === null ? null : (JSON.parse(row.events) as EventName[]);
  return {
    id: row.id,
    event: events?.length === 1 ? events[0]! : null,
    events,
    target_url: row.target_url,
    location_id: row.location_id,
    status: row.status,
    failing_since: toNullableTimestamp(row.failing_since),
    created_at: toTimestamp(row.created_at),
  };
}
