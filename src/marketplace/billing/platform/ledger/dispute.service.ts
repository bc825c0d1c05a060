/** Records disputes in the ledger in their current state at Stripe, and reverses the owner's transfer, which Stripe does not do by itself. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { idOf, toDate } from "../stripe-objects.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";
import { refreshCharge } from "./charge.service.ts";
import { findCharge, lockCharge, take } from "./stored-charge.ts";
import type { StoredCharge } from "./stored-charge.ts";
import { append } from "./ledger.service.ts";
import { findReversal, findTransfer } from "./reversal.service.ts";

/** Records a dispute: reverses the owner's transfer by the disputed amount, and transfers it again if the dispute is won. */
export async function refreshDispute(deps: PlatformDeps, stripeId: string): Promise<boolean> {
  const dispute = await callStripe(deps.stripe, (stripe) => stripe.disputes.retrieve(stripeId));
  return writeDispute(deps, dispute);
}

/** Statuses without a movement of money: inquiries and prevented disputes. */
const moveNothing = /^(warning_|prevented$)/;

export async function writeDispute(deps: PlatformDeps, dispute: Stripe.Dispute): Promise<boolean> {
  const chargeId = idOf(dispute.charge);
  if ((await findCharge(deps.database, chargeId)) === undefined && !(await refreshCharge(deps, chargeId))) return false;
  const charge = (await findCharge(deps.database, chargeId))!;
  if (moveNothing.test(dispute.status) || dispute.currency !== "usd") return true;
  const { id: stripeId } = dispute;
  const written = await findEntries(deps, stripeId);
  if (!written.has("dispute")) await takeBack(deps, charge, dispute);
  if (dispute.status === "won" && !written.has("dispute_won")) await giveBack(deps, charge, dispute);
  return true;
}

const entriesText = "select kind from ledger_entries where stripe_id = ?";

async function findEntries({ database }: PlatformDeps, stripeId: string): Promise<Set<LedgerKind>> {
  const rows = await database.rows<{ kind: LedgerKind }>(entriesText, [stripeId]);
  return new Set(rows.map(({ kind }) => kind));
}

async function takeBack(deps: PlatformDeps, charge: StoredCharge, dispute: Stripe.Dispute): Promise<void> {
  const { id: stripeId, amount: amountCents } = dispute;
  const reversal = await findReversal(deps, charge, { cause: stripeId, amountCents });
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const customer = { kind: "dispute", stripeId, amountCents, occurredAt: toDate(dispute.created) } as const;
    const owner = {
      kind: "reversal",
      stripeId: reversal.id,
      amountCents,
      occurredAt: toDate(reversal.created),
    } as const;
    if (await append(change, held, [customer, owner], deps.clock.now())) take(change, held, amountCents);
  });
}

async function giveBack(
  deps: PlatformDeps,
  charge: StoredCharge,
  { id: stripeId, amount: amountCents }: Stripe.Dispute,
) {
  const transfer = await findTransfer(deps, charge, { cause: stripeId, amountCents });
  const occurredAt = toDate(transfer.created);
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const customer = { kind: "dispute_won", stripeId, amountCents, occurredAt } as const;
    const owner = { kind: "transfer", stripeId: transfer.id, amountCents, occurredAt } as const;
    if (await append(change, held, [customer, owner], deps.clock.now())) take(change, held, -amountCents);
  });
}
