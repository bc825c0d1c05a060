/** Reverses the transfers to an owner, or makes a new one, exactly once per cause: a dispute, a refund without a reversal; a won dispute, a failed refund. */
import type { Stripe } from "stripe";
import { callStripe, StripeRefusal } from "../../../../outbound/stripe.ts";
import { intendOnce, markDone, markFailed } from "../calls/stripe-call.service.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { toDate } from "../stripe-objects.ts";
import { closeUnplanned, planReversals, ReversalDeferred } from "./reversal-plan.ts";
import type { MovementCause, PlannedReversal, TransferRest } from "./reversal-plan.ts";
import { lockCharge } from "./stored-charge.ts";
import type { StoredCharge } from "./stored-charge.ts";

interface MoneyMovement {
  readonly id: string;
  readonly created: number;
}

/** A part of a reversal: what one transfer gives back. */
export interface ReversedPart extends MoneyMovement {
  readonly amountCents: number;
}

/**
 * Finds or creates the reversals for `cause`: after a won dispute or a failed refund the owner has the amount of a charge in several transfers, and
 * the latest gives back first. Stripe's idempotency keys expire, so existing reversals are looked up by their metadata first. Throws a ReversalDeferred.
 */
export async function findReversals(
  deps: PlatformDeps,
  charge: StoredCharge,
  movement: MovementCause,
): Promise<ReversedPart[]> {
  const { database, clock } = deps;
  const { cause, amountCents } = movement;
  const transfers = await readTransfers(deps, charge);
  const made = transfers.flatMap(({ reversals }) => reversals).filter(({ metadata }) => metadata?.["cause"] === cause);
  const parts = made.map(toPart);
  const madeCents = parts.reduce((sum, part) => sum + part.amountCents, 0);
  const planned = await database.transaction(async (change) => {
    await lockCharge(change, charge.stripe_id);
    for (const { id, metadata } of made) markDone(change, metadata?.["call"] ?? "", id, clock.now());
    closeUnplanned(change, charge, cause, clock.now());
    if (madeCents >= amountCents) return [];
    const calls = new Set(made.map(({ metadata }) => metadata?.["call"] ?? ""));
    const read = { rests: transfers, made: calls, madeCents, now: clock.now() };
    return planReversals(change, charge, { ...movement, ...read });
  });
  if (planned.some(({ done_at }) => done_at !== null))
    throw new ReversalDeferred("Another process has reversed it since the transfers were read.");
  for (const part of planned) parts.push(await reverse(deps, part, cause));
  return parts;
}

interface ReadTransfer extends TransferRest {
  readonly reversals: readonly Stripe.TransferReversal[];
}

const transfersText = "select stripe_id from ledger_entries where charge_id = ? and kind = 'transfer' order by id desc";

/** The transfers of a charge to the owner, the latest first, in their state at Stripe. */
async function readTransfers({ database, stripe }: PlatformDeps, charge: StoredCharge): Promise<ReadTransfer[]> {
  const rows = await database.rows<{ stripe_id: string }>(transfersText, [charge.id]);
  const ids = rows.length === 0 ? [charge.transfer_id] : rows.map(({ stripe_id }) => stripe_id);
  const read: ReadTransfer[] = [];
  for (const id of ids) {
    const { amount, amount_reversed, reversals } = await callStripe(stripe, (client) => client.transfers.retrieve(id));
    // A transfer carries its latest ten reversals.
    const all = reversals.has_more
      ? await callStripe(stripe, (client) =>
          client.transfers.listReversals(id, { limit: 100 }).autoPagingToArray({ limit: 10_000 }),
        )
      : reversals.data;
    read.push({ id, restCents: amount - amount_reversed, reversals: all });
  }
  return read;
}

/** Carries out a part of a plan. A refused call was not made: the next attempt plans anew, since Stripe repeats its refusal of a key for a day. */
async function reverse(
  deps: PlatformDeps,
  { key, transfer_id, amount_cents: amount }: PlannedReversal,
  cause: string,
): Promise<ReversedPart> {
  const { database, clock } = deps;
  const params = { amount, metadata: { cause, call: key } };
  try {
    const made = await callStripe(deps.stripe, (client) =>
      client.transfers.createReversal(transfer_id, params, { idempotencyKey: key }),
    );
    await recordDone(deps, key, made.id);
    return toPart(made);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    await database.transaction((change) => markFailed(change, key, error.message, clock.now()));
    throw new ReversalDeferred(`Stripe refused to reverse ${transfer_id}: ${error.message}`, { cause: error });
  }
}

export function toPart({
  id,
  created,
  amount,
}: Pick<Stripe.TransferReversal, "id" | "created" | "amount">): ReversedPart {
  return { id, created, amountCents: amount };
}

/** The entry of the ledger. */
export function toReversalEntry({ id, created, amountCents }: ReversedPart) {
  return { kind: "reversal", stripeId: id, amountCents, occurredAt: toDate(created) } as const;
}

/** Finds or creates the transfer that returns the amount of a won dispute or a failed refund to the owner; looked up by its transfer group. */
export async function findTransfer(
  deps: PlatformDeps,
  charge: StoredCharge,
  { group, ...movement }: MovementCause & { readonly group: string },
): Promise<MoneyMovement> {
  const { cause, amountCents: amount } = movement;
  const { stripe, database, clock } = deps;
  const key = `transfer-${cause}`;
  const { data } = await callStripe(stripe, (client) => client.transfers.list({ transfer_group: group, limit: 1 }));
  const [made] = data;
  if (made !== undefined) {
    await recordDone(deps, key, made.id);
    return made;
  }
  const { id, app_subscription_id: subscription, destination } = charge;
  await database.transaction(async (change) =>
    intendOnce(change, {
      kind: "transfer",
      key,
      subscription,
      subject: cause,
      charge: id,
      amountCents: amount,
      now: clock.now(),
    }),
  );
  const params = { amount, currency: "usd", destination, transfer_group: group, metadata: { cause } };
  const moved = await callStripe(stripe, (client) => client.transfers.create(params, { idempotencyKey: key }));
  await recordDone(deps, key, moved.id);
  return moved;
}

/** Also for a movement that is found at Stripe: a process that died before Stripe's response left its call open. */
async function recordDone({ database, clock }: PlatformDeps, key: string, result: string): Promise<void> {
  await database.transaction(async (change) => markDone(change, key, result, clock.now()));
}
