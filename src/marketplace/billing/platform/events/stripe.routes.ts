/** The address of Stripe's webhooks: the signature over the raw body is verified, the event stored once, and applied by a duty. */
import type { Stripe } from "stripe";
import type { CallAs } from "../../../../events/call-as.ts";
import { jsonAnswer } from "../../../../http/answer.ts";
import { route } from "../../../../http/route.ts";
import type { Route } from "../../../../http/route.ts";
import type { Clock } from "../../../../kit/time/clock.ts";
import { operatorOfService } from "../../../../operation/callers.ts";
import type { StripeConnection } from "../../../../outbound/stripe.ts";
import { Refusal } from "../../../../vocabulary/errors.ts";
import { storeEvent, toStorable } from "./stripe-event.service.ts";

interface StripeRouteDeps {
  /** Null without a key. */
  readonly stripe: StripeConnection | null;
  readonly clock: Clock;
  readonly callAs: CallAs;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** Bytes: Stripe's largest events are some hundred kilobytes. */
const eventLimit = 1 << 20;
/** Seconds. */
const tolerance = 300;

export function stripeRoutes({ stripe, clock, callAs, log }: StripeRouteDeps): Route[] {
  /** Refuses `invalid_signature`. */
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
        return jsonAnswer(200, '{"received":true}');
      },
    }),
  ];
}

/** What is signed is JSON of Stripe's; an endpoint of another kind signs other things. */
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
