/** A delivery with its body: the payload of the event, redacted for the webhook and for the reader. */
import { z } from "zod";
import type { Reader } from "../../events/caller.ts";
import { toEnvelope } from "../../events/envelope.ts";
import { unpackPayload } from "../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../events/payloads/stored-payload.ts";
import { operation } from "../../operation/operation.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { DeliveredName } from "../../vocabulary/events.ts";
import { hookStatuses } from "../../vocabulary/states.ts";
import type { HookStatus } from "../../vocabulary/states.ts";
import { within } from "../../vocabulary/scopes.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { findDelivery } from "../../webhooks/deliveries/delivery.queries.ts";
import { deliverySpecimen, deliveryView } from "../../webhooks/deliveries/delivery.view.ts";
import { redactPayload, showsWhole } from "./event-redaction.ts";

const sentDeliveryView = deliveryView
  .extend({
    hook: z.object({ id: z.int(), target_url: z.string(), status: z.enum(hookStatuses) }),
    body: z
      .string()
      .nullable()
      .describe(
        "The JSON as sent, without members that need a scope the credential lacks; null once the payload is pruned, or without the scope of the event.",
      ),
  })
  .meta({
    id: "SentDelivery",
    description: "A delivery with its attempts, its webhook and its body.",
    examples: [
      {
        ...deliverySpecimen,
        hook: { id: 3, target_url: "https://example.com/hooks/crm", status: "active" },
        body: '{"id":1,"event":"contact.created","created_at":"2026-03-01T12:00:00.000Z","data":{"id":1,"name":"Ada Lovelace","location_id":1}}',
      },
    ],
  });

export type SentDelivery = z.output<typeof sentDeliveryView>;

interface SentRow {
  readonly hook_id: number;
  readonly target_url: string;
  readonly status: HookStatus;
  readonly scopes: string;
  readonly event: DeliveredName;
  readonly created_at: number;
  readonly data: StoredPayload | null;
}

const sentText = `
  select h.id as hook_id, h.target_url, h.status, h.scopes, e.event, e.created_at, e.data
  from deliveries d join hooks h on h.id = d.hook_id join events e on e.id = d.event_id where d.id = ?`;

export const getDelivery = operation({
  name: "getDelivery",
  summary: "Shows a delivery with its attempts, its webhook and its body.",
  noun: "Webhooks",
  within: "workspace",
  may: { scope: "webhooks.readonly", role: "manager" },
  find: { delivery: findDelivery },
  gives: sentDeliveryView,
  async read(reader, { delivery }) {
    const [sent] = await reader.rows<SentRow>(sentText, [delivery.id]);
    const { hook_id: id, target_url, status } = sent!;
    const { body, isWhole } = bodyOf(reader, delivery.id, sent!);
    // A receiver may echo the payload, and with it what the reader may not see.
    const attempts = delivery.attempts.map((attempt) => (isWhole ? attempt : { ...attempt, body: null }));
    return { ...delivery, attempts, hook: { id, target_url, status }, body };
  },
});

/** The body for a reader, and whether it is all that the webhook receives. */
function bodyOf(
  { grant }: Reader,
  id: number,
  { event, created_at, data: stored, scopes }: SentRow,
): { readonly body: string | null; readonly isWhole: boolean } {
  if (!showsEvent(grant, event)) return { body: null, isWhole: false };
  if (stored === null) return { body: null, isWhole: showsWhole(grant, event) };
  const data = unpackPayload(stored);
  const held = JSON.parse(scopes) as ScopeName[];
  const shown = redactPayload({ scopes: within(held, grant.scopes) }, event, data);
  const isWhole = shown === redactPayload({ scopes: held }, event, data);
  return { body: toEnvelope({ id, event, created_at, data: shown }), isWhole };
}
