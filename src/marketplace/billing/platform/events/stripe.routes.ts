/** The endpoint of Stripe's webhooks: verifies the signature over the raw body and stores the event. A duty applies it later. */
import type { Stripe } from "stripe";
import type { CallAs } from "../../../../events/call-as.ts";
import { jsonResponse } from "../../../../http/http-response.ts";
import { route } from "../../../../http/route.ts";
import type { Route } from "../../../../http/route.ts";
import type { Clock } from "../../../../kit/time/clock.ts";
import { operatorOfService } from "../../../../operation/callers.ts";
import type { StripeConnection } from "../../../../outbound/stripe.ts";
import { Refusal } from "../../../../vocabulary/errors.ts";
import { storeEvent, toStorable } from "./stripe-event.service.ts";

interface StripeRouteDeps {
  /** Null without `CRM_STRIPE_SECRET_KEY`. */
  readonly stripe: StripeConnection | null;
  readonly clock: Clock;
  readonly callAs: CallAs;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** The largest body, in bytes; Stripe's largest events have some hundred kilobytes. */
const eventLimit = 1 << 20;
/** The greatest age of a signature, in seconds: an older one may be a replay. */
const tolerance = 300;

export function stripeRoutes({ stripe, clock, callAs, log }: StripeRouteDeps): Route[] {
  /** Parses an event with a valid signature; refuses `invalid_signature` otherwise. */
  async function verify(bytes: Buffer, signature: string): Promise<Stripe.Event> {
    const secret = stripe?.webhookSecret ?? null;
    if (stripe === null || secret === null) throw new Refusal("invalid_signature");
    const { webhooks } = await stripe.client();
    try {
      return webhooks.constructEvent(bytes, signature, secret, tolerance, undefined, clock.now().getTime());
    } catch (error) {
      throw new Refusal("invalid_signature", {}, { cause: error });
    }
  }

  return [
    route({
      method: "POST",
      path: "/api/billing/stripe",
      summary: "Takes the events of Stripe.",
      body: "raw",
      limit: eventLimit,
      async serve(request, bytes) {
        const event = await verify(bytes, request.header("stripe-signature") ?? "");
        const stored = isEvent(event) ? toStorable(event, stripe!) : "it is no event";
        if (typeof stored === "string")
          log.warn(`ignored a Stripe event: ${stored}`, { event: (event as Stripe.Event | null)?.id });
        else await callAs(operatorOfService).change(async (change) => storeEvent(change, stored, change.now));
        return jsonResponse(200, '{"received":true}');
      },
    }),
  ];
}

/** A valid signature does not prove the shape: Stripe endpoints of other kinds sign other JSON. */
function isEvent(given: Partial<Stripe.Event> | null): boolean {
  const { id, type, created, data } = given ?? {};
  return (
    typeof id === "string" &&
    typeof type === "string" &&
    Number.isSafeInteger(created) &&
    typeof data?.object === "object" &&
    data.object !== null
  );
}
