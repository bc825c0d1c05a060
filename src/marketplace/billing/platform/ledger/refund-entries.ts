/** Records the refunds of a charge in the ledger, idempotently: each with its reversal of the owner's transfer, and one that failed with a transfer back. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { isAmount, toDate } from "../stripe-objects.ts";
import { lockCharge, addTakenCents } from "./stored-charge.ts";
import type { StoredCharge } from "./stored-charge.ts";
import { append, findKinds } from "./ledger.service.ts";
import type { Entry } from "./ledger.service.ts";
import { isReversalPlanned, ReversalDeferred } from "./reversal-plan.ts";
import type { MovementCause } from "./reversal-plan.ts";
import { findReversals, findTransfer, toPart, toReversalEntry } from "./reversal.service.ts";
import type { ReversedPart } from "./reversal.service.ts";

/** The refunds of a charge at Stripe, with their reversals. */
export function listRefunds({ stripe }: PlatformDeps, charge: string): Promise<Stripe.Refund[]> {
  const query = { charge, limit: 100, expand: ["data.transfer_reversal"] };
  return callStripe(stripe, (client) => client.refunds.list(query).autoPagingToArray({ limit: 10_000 }));
}

export async function writeRefunds(deps: PlatformDeps, charge: StoredCharge): Promise<void> {
  const refunds = await listRefunds(deps, charge.stripe_id);
  const known = await deps.database.rows<{ kind: LedgerKind; stripe_id: string }>(knownText, [charge.id]);
  const written = new Set(known.map(({ kind, stripe_id }) => `${kind} ${stripe_id}`));
  for (const refund of refunds)
    if (!written.has(`${hasFailed(refund) ? "refund_failed" : "refund"} ${refund.id}`))
      await writeRefund(deps, charge, refund);
}

const knownText =
  "select kind, stripe_id from ledger_entries where charge_id = ? and kind in ('refund', 'refund_failed')";

/** Whether Stripe has returned the amount to the service: the customer's bank rejected the refund, or it was canceled. */
export function hasFailed({ status }: Stripe.Refund): boolean {
  return status === "failed" || status === "canceled";
}

/**
 * Records a refund with its reversal. A refund without a reversal, such as one from Stripe's dashboard, is reversed first, unless it has failed
 * already. Stripe does not undo the reversal of a failed refund: its amount is transferred to the owner again.
 */
export async function writeRefund(deps: PlatformDeps, charge: StoredCharge, refund: Stripe.Refund): Promise<void> {
  const isFailed = hasFailed(refund);
  if (!isFailed && refund.status !== "succeeded" && refund.status !== "pending") return;
  if (!isAmount(refund.amount)) return void deps.log.error("a refund has no valid amount", { refund: refund.id });
  const written = await findKinds(deps.database, refund.id);
  if (!written.has("refund")) {
    const reversed = await findReversed(deps, charge, refund);
    if (reversed.length === 0) return appendRefund(deps, charge, refund, { owner: [], failed: toFailedEntry(refund) });
    await appendRefund(deps, charge, refund, { owner: reversed.map(toReversalEntry) });
  }
  if (isFailed && !written.has("refund_failed")) await giveBack(deps, charge, refund);
}

function isReversedByStripe(
  refund: Stripe.Refund,
): refund is Stripe.Refund & { transfer_reversal: Stripe.TransferReversal } {
  return typeof refund.transfer_reversal === "object" && refund.transfer_reversal !== null;
}

/** The reversals of a refund; none for one that failed before it was reversed. */
async function findReversed(deps: PlatformDeps, charge: StoredCharge, refund: Stripe.Refund) {
  const { id: cause, amount: amountCents } = refund;
  if (isReversedByStripe(refund)) return [toPart(refund.transfer_reversal)];
  if (hasFailed(refund) && !(await isReversalPlanned(deps.database, charge, cause))) return [];
  return reverseFor(deps, charge, { cause, amountCents });
}

/** Finds or creates the reversals for a refund or dispute. Where the owner's transfers have too little left, other refunds that change what they have are recorded first. */
export async function reverseFor(
  deps: PlatformDeps,
  charge: StoredCharge,
  movement: MovementCause,
): Promise<ReversedPart[]> {
  try {
    return await findReversals(deps, charge, movement);
  } catch (error) {
    if (!(error instanceof ReversalDeferred)) throw error;
  }
  for (const refund of await listRefunds(deps, charge.stripe_id)) {
    const isReversed = isReversedByStripe(refund) || (await findKinds(deps.database, refund.id)).has("refund");
    if (isReversed) await writeRefund(deps, charge, refund);
  }
  return findReversals(deps, charge, movement);
}

/** A refund that this service made: its amount was reserved when it was recorded in the outbox, and released if the call failed. */
const ownText = "select failed_at from stripe_calls where kind = 'refund' and key = ?";
const doneText =
  "update stripe_calls set done_at = ?, failed_at = null, result = ?, error = null where kind = 'refund' and key = ? and done_at is null";

interface OtherEntries {
  readonly owner: readonly Entry[];
  /** Of a refund of which nothing was taken from the owner. */
  readonly failed?: Entry;
}

async function appendRefund(
  deps: PlatformDeps,
  charge: StoredCharge,
  refund: Stripe.Refund,
  { owner, failed }: OtherEntries,
): Promise<void> {
  const customer = {
    kind: "refund",
    stripeId: refund.id,
    amountCents: refund.amount,
    occurredAt: toDate(refund.created),
  } as const;
  await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const now = deps.clock.now();
    const key = refund.metadata?.["call"] ?? "";
    const [own] = await change.rows<{ failed_at: number | null }>(ownText, [key]);
    const isReserved = own?.failed_at === null;
    if (owner.length === 0 && (await isReversalPlanned(change, held, refund.id)))
      throw new ReversalDeferred("Another process reverses it at this moment.");
    if (own !== undefined) change.send(doneText, [now, refund.id, key]);
    if (!(await append(change, held, [customer, ...owner], now))) return;
    if (!isReserved) addTakenCents(change, held, refund.amount);
    if (failed !== undefined && (await append(change, held, [failed], now)))
      addTakenCents(change, held, -refund.amount);
  });
}

function toFailedEntry({ id: stripeId, amount: amountCents, created }: Stripe.Refund, at = created): Entry {
  return { kind: "refund_failed", stripeId, amountCents, occurredAt: toDate(at) };
}

async function giveBack(deps: PlatformDeps, charge: StoredCharge, refund: Stripe.Refund): Promise<void> {
  const { id: cause, amount: amountCents } = refund;
  const transfer = await findTransfer(deps, charge, { cause, amountCents, group: `refund-${cause}` });
  const owner = { kind: "transfer", stripeId: transfer.id, amountCents, occurredAt: toDate(transfer.created) } as const;
  const isFirst = await deps.database.transaction(async (change) => {
    const held = await lockCharge(change, charge.stripe_id);
    const appended = await append(change, held, [toFailedEntry(refund, transfer.created), owner], deps.clock.now());
    if (appended) addTakenCents(change, held, -amountCents);
    return appended;
  });
  if (isFirst) deps.log.error("a refund failed at Stripe", { refund: cause, charge: charge.stripe_id });
}
