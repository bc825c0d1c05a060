/** A delivery with its body as it is sent: the payload of the event, redacted for the webhook. */
import { z } from "zod";
import type { Reader } from "../../events/caller.ts";
import { toEnvelope } from "../../events/envelope.ts";
import { operation } from "../../operation/operation.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { hookStatuses } from "../../vocabulary/states.ts";
import type { HookStatus } from "../../vocabulary/states.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { findDelivery } from "../../webhooks/deliveries/delivery.queries.ts";
import { deliveryView } from "../../webhooks/deliveries/delivery.view.ts";
import { redactPayload } from "./event-redaction.ts";

const sentDeliveryView = deliveryView
  .extend({
    hook: z.object({ id: z.int(), target_url: z.string(), status: z.enum(hookStatuses) }),
    body: z
      .string()
      .nullable()
      .describe("As sent; null once the payload is pruned, or if the reader may not see the event."),
  })
  .meta({ id: "SentDelivery", description: "A delivery with its webhook and its body." });

export type SentDelivery = z.output<typeof sentDeliveryView>;

interface SentRow {
  readonly hook_id: number;
  readonly target_url: string;
  readonly status: HookStatus;
  readonly scopes: string;
  readonly event: EventName;
  readonly created_at: number;
  readonly data: string | null;
}

const sentText = `
  select h.id as hook_id, h.target_url, h.status, h.scopes, e.event, e.created_at, e.data
  from deliveries d join hooks h on h.id = d.hook_id join events e on e.id = d.event_id where d.id = ?`;

export const getDelivery = operation({
  name: "getDelivery",
  summary: "Shows a delivery with its attempts and its body as sent.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  find: { delivery: findDelivery },
  gives: sentDeliveryView,
  async read(reader, { delivery }) {
    const [sent] = await reader.rows<SentRow>(sentText, [delivery.id]);
    const { hook_id: id, target_url, status } = sent!;
    return { ...delivery, hook: { id, target_url, status }, body: bodyOf(reader, delivery.id, sent!) };
  },
});

function bodyOf({ grant }: Reader, id: number, { event, created_at, data, scopes }: SentRow): string | null {
  if (data === null || !showsEvent(grant, event)) return null;
  const held = { scopes: JSON.parse(scopes) as ScopeName[] };
  return toEnvelope({ id, event, created_at, data: redactPayload(held, event, data) });
}
