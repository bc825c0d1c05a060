/** Records disputes in the ledger in their current state at Stripe, and reverses the owner's transfer, which Stripe does not do by itself. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { idOf, isAmount, toDate } from "../stripe-objects.ts";
import { findOrReadCharge } from "./charge.service.ts";
import { lockCharge, addTakenCents } from "./stored-charge.ts";
import type { StoredCharge } from "./stored-charge.ts";
import { append, findKinds } from "./ledger.service.ts";
import { reverseFor } from "./refund-entries.ts";
import { isReversalPlanned, ReversalDeferred } from "./reversal-plan.ts";
import { findTransfer, toReversalEntry } from "./reversal.service.ts";

/** Records a dispute: reverses the owner's transfer by the disputed amount, and transfers it again if the dispute is won. */
export async function refreshDispute(deps: PlatformDeps, stripeId: string): Promise<boolean> {
  const dispute = await callStripe(deps.stripe, (stripe) => stripe.disputes.retrieve(stripeId));
  return writeDispute(deps, dispute);
}

/** Statuses without a movement of money: inquiries and prevented disputes. */
const moveNothing = /^(warning_|prevented$)/;

export async function writeDispute(deps: PlatformDeps, dispute: Stripe.Dispute): Promise<boolean> {
  const charge = await findOrReadCharge(deps, idOf(dispute.charge));
  if (charge === undefined) return false;
  if (moveNothing.test(dispute.status) || dispute.currency !== "usd") return true;
  if (!isAmount(dispute.amount)) return false;
  const { id: stripeId } = dispute;
  const written = await findKinds(deps.database, stripeId);
  if (!written.has("dispute")) {
    const isReversed = dispute.status !== "won" || (await isReversalPlanned(deps.database, charge, stripeId));
    if (!isReversed) return recordWon(deps, charge, dispute);
    await takeBack(deps, charge, dispute);
  }
  if (dispute.status === "won" && !written.has("dispute_won")) await giveBack(deps, charge, dispute);
  return true;
}

async function takeBack(deps: PlatformDeps, charge: StoredCharge, dispute: Stripe.Dispute): Promise<void> {
  const { id: stripeId, amount: amountCents } = dispute;
  const reversed = await reverseFor(deps, charge, { cause: stripeId, amountCents });
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const customer = { kind: "dispute", stripeId, amountCents, occurredAt: toDate(dispute.created) } as const;
    if (await append(change, held, [customer, ...reversed.map(toReversalEntry)], deps.clock.now()))
      addTakenCents(change, held, amountCents);
  });
}

/** A dispute that was won before its amount was reversed moves nothing of the owner's. */
async function recordWon(deps: PlatformDeps, charge: StoredCharge, dispute: Stripe.Dispute): Promise<true> {
  const { id: stripeId, amount: amountCents, created } = dispute;
  const movement = { stripeId, amountCents, occurredAt: toDate(created) };
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    if (await isReversalPlanned(change, held, stripeId))
      throw new ReversalDeferred("Another process reverses it at this moment.");
    if (await append(change, held, [{ kind: "dispute", ...movement }], deps.clock.now()))
      await append(change, held, [{ kind: "dispute_won", ...movement }], deps.clock.now());
  });
  return true;
}

async function giveBack(
  deps: PlatformDeps,
  charge: StoredCharge,
  { id: stripeId, amount: amountCents }: Stripe.Dispute,
) {
  const transfer = await findTransfer(deps, charge, { cause: stripeId, amountCents, group: `dispute-${stripeId}` });
  const occurredAt = toDate(transfer.created);
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const customer = { kind: "dispute_won", stripeId, amountCents, occurredAt } as const;
    const owner = { kind: "transfer", stripeId: transfer.id, amountCents, occurredAt } as const;
    if (await append(change, held, [customer, owner], deps.clock.now())) addTakenCents(change, held, -amountCents);
  });
}
