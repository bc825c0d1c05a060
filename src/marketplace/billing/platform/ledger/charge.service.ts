/** Records charges and their refunds in the ledger, idempotently, in their current state at Stripe. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { idOf, toChargeFacts } from "../stripe-objects.ts";
import type { ChargeFacts } from "../stripe-objects.ts";
import { refreshSubscription } from "../subscription-state.service.ts";
import { refundIfUnwanted } from "../void.service.ts";
import { findCharge, lockCharge } from "./stored-charge.ts";
import type { StoredCharge } from "./stored-charge.ts";
import { append } from "./ledger.service.ts";
import { writeRefund, writeRefunds } from "./refund-entries.ts";

/** Reads a charge from Stripe and records it with its refunds. False if it belongs to another service. */
export async function refreshCharge(deps: PlatformDeps, stripeId: string): Promise<boolean> {
  const found = await callStripe(deps.stripe, (stripe) => stripe.charges.retrieve(stripeId, { expand: ["transfer"] }));
  return writeCharge(deps, found);
}

/** Records a charge that was just read, with its transfer expanded. */
export async function writeCharge(deps: PlatformDeps, charge: Stripe.Charge): Promise<boolean> {
  const facts = toChargeFacts(charge);
  if (facts === undefined) return false;
  const known = (await findCharge(deps.database, facts.id)) ?? (await addCharge(deps, facts));
  if (known === undefined) return false;
  if (facts.refundedCents > 0) await writeRefunds(deps, known);
  return true;
}

/** Reads a refund from Stripe and records it. False if its charge belongs to another service. */
export async function refreshRefund(deps: PlatformDeps, stripeId: string): Promise<boolean> {
  const query = { expand: ["transfer_reversal"] };
  return recordRefund(deps, await callStripe(deps.stripe, (stripe) => stripe.refunds.retrieve(stripeId, query)));
}

/** Records a refund that was just read, with its reversal expanded. */
export async function recordRefund(deps: PlatformDeps, refund: Stripe.Refund): Promise<boolean> {
  const chargeId = idOf(refund.charge);
  const charge = chargeId === null ? undefined : await findOrReadCharge(deps, chargeId);
  if (charge !== undefined) await writeRefund(deps, charge, refund);
  return charge !== undefined;
}

/** A charge that is recorded, if necessary after it was read from Stripe. Undefined for one of another service. */
export async function findOrReadCharge(deps: PlatformDeps, stripeId: string): Promise<StoredCharge | undefined> {
  const known = await findCharge(deps.database, stripeId);
  if (known !== undefined) return known;
  return (await refreshCharge(deps, stripeId)) ? findCharge(deps.database, stripeId) : undefined;
}

const sellerText = `select s.id, s.app_id from platform_checkouts k join app_subscriptions s on s.id = k.app_subscription_id
  where k.subscription_id = ?`;
const addText = `insert into platform_charges (stripe_id, app_id, app_subscription_id, transfer_id, destination, amount_cents, charged_at)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (stripe_id) do nothing`;

async function addCharge(deps: PlatformDeps, facts: ChargeFacts): Promise<StoredCharge | undefined> {
  const { database, clock } = deps;
  const subscriptionId = await findSubscriptionOf(deps, facts);
  if (subscriptionId === undefined) return undefined;
  const findSeller = () => database.rows<{ id: number; app_id: number }>(sellerText, [subscriptionId]);
  let [seller] = await findSeller();
  if (seller === undefined && (await refreshSubscription(deps, subscriptionId))) [seller] = await findSeller();
  if (seller === undefined) return undefined;
  const { id: subscription, app_id } = seller;
  const { id: stripeId, transferId, destination, amountCents, chargedAt: occurredAt } = facts;
  return database.transaction(async (change) => {
    change.send(addText, [stripeId, app_id, subscription, transferId, destination, amountCents, occurredAt]);
    const held = await lockCharge(change, stripeId);
    const customer = { kind: "charge", stripeId, amountCents, occurredAt } as const;
    const owner = { kind: "transfer", stripeId: transferId, amountCents, occurredAt } as const;
    const isNew = await append(change, held, [customer, owner], clock.now());
    if (isNew) await refundIfUnwanted(change, held, { subject: subscriptionId, chargedAt: occurredAt }, clock.now());
    return held;
  });
}

/** The subscription that a charge paid for: only the invoice names it. */
async function findSubscriptionOf(
  { stripe }: PlatformDeps,
  { paymentIntentId }: ChargeFacts,
): Promise<string | undefined> {
  if (paymentIntentId === null) return undefined;
  const payments = await callStripe(stripe, (client) =>
    client.invoicePayments.list({
      payment: { type: "payment_intent", payment_intent: paymentIntentId },
      expand: ["data.invoice"],
      limit: 1,
    }),
  );
  const invoice = payments.data[0]?.invoice;
  if (typeof invoice !== "object" || !("parent" in invoice)) return undefined;
  return idOf(invoice.parent?.subscription_details?.subscription) ?? undefined;
}
