/** Records the refunds of a charge in the ledger, each with its reversal of the owner's transfer, idempotently. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { toDate } from "../stripe-objects.ts";
import { lockCharge, take } from "./stored-charge.ts";
import type { StoredCharge } from "./stored-charge.ts";
import { append } from "./ledger.service.ts";
import { findReversal } from "./reversal.service.ts";

export async function writeRefunds(deps: PlatformDeps, charge: StoredCharge): Promise<void> {
  const query = { charge: charge.stripe_id, limit: 100, expand: ["data.transfer_reversal"] };
  const refunds = await callStripe(deps.stripe, (stripe) =>
    stripe.refunds.list(query).autoPagingToArray({ limit: 10_000 }),
  );
  const known = await deps.database.rows<{ stripe_id: string }>(knownText, [charge.id]);
  const written = new Set(known.map(({ stripe_id }) => stripe_id));
  for (const refund of refunds) if (!written.has(refund.id)) await writeRefund(deps, charge, refund);
}

const knownText = "select stripe_id from ledger_entries where charge_id = ? and kind = 'refund'";

/** A refund that this service made: its amount was reserved when it was recorded in the outbox. */
const ownText = "select id from stripe_calls where kind = 'refund' and key = ?";
const doneText =
  "update stripe_calls set done_at = ?, failed_at = null, result = ?, error = null where kind = 'refund' and key = ? and done_at is null";

/** Records a refund with its reversal. A refund without a reversal, such as one from Stripe's dashboard, is reversed first. */
export async function writeRefund(deps: PlatformDeps, charge: StoredCharge, refund: Stripe.Refund): Promise<void> {
  if (refund.status !== "succeeded" && refund.status !== "pending") return;
  const { transfer_reversal: made } = refund;
  const reversal =
    made !== null && typeof made === "object"
      ? { id: made.id, created: made.created }
      : await findReversal(deps, charge, { cause: refund.id, amountCents: refund.amount });
  const [customer, owner] = [
    { kind: "refund", stripeId: refund.id, amountCents: refund.amount, occurredAt: toDate(refund.created) },
    { kind: "reversal", stripeId: reversal.id, amountCents: refund.amount, occurredAt: toDate(reversal.created) },
  ] as const;
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const now = deps.clock.now();
    const key = refund.metadata?.["call"] ?? "";
    const [own] = await change.rows<{ id: number }>(ownText, [key]);
    if (own !== undefined) change.send(doneText, [now, refund.id, key]);
    if ((await append(change, held, [customer, owner], now)) && own === undefined) take(change, held, refund.amount);
  });
}
