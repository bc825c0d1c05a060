/** Reverses a transfer to an owner, or makes a new one, exactly once per cause: a dispute, a refund without a reversal, a won dispute. */
import { callStripe } from "../../../../outbound/stripe.ts";
import type { StoredCharge } from "./stored-charge.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { intendOnce, markDone } from "../calls/stripe-call.service.ts";

interface MovementCause {
  /** Stripe's id of the dispute or refund. */
  readonly cause: string;
  readonly amountCents: number;
}

interface MoneyMovement {
  readonly id: string;
  readonly created: number;
}

const openTransferText =
  "select stripe_id from ledger_entries where charge_id = ? and kind = 'transfer' order by id desc limit 1";

/** The latest transfer of a charge, the only one that can be reversed: a dispute reverses the rest of it, and a won dispute makes a new one. */
export async function findOpenTransfer({ database }: PlatformDeps, { id, transfer_id }: StoredCharge): Promise<string> {
  const [transfer] = await database.rows<{ stripe_id: string }>(openTransferText, [id]);
  return transfer?.stripe_id ?? transfer_id;
}

/** Finds or creates the reversal for `cause`. Stripe's idempotency keys expire, so an existing reversal is looked up by its metadata first. */
export async function findReversal(
  deps: PlatformDeps,
  charge: StoredCharge,
  movement: MovementCause,
): Promise<MoneyMovement> {
  const { cause, amountCents: amount } = movement;
  const { stripe } = deps;
  const transferId = await findOpenTransfer(deps, charge);
  const made = await callStripe(stripe, (client) =>
    client.transfers.listReversals(transferId, { limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const earlier = made.find(({ metadata }) => metadata?.["cause"] === cause);
  if (earlier !== undefined) return earlier;
  return carryOut(deps, charge, { kind: "reversal", ...movement }, (idempotencyKey) =>
    callStripe(stripe, (client) =>
      client.transfers.createReversal(transferId, { amount, metadata: { cause } }, { idempotencyKey }),
    ),
  );
}

/** Finds or creates the transfer that returns the amount of a won dispute to the owner; looked up by its transfer group. */
export async function findTransfer(
  deps: PlatformDeps,
  charge: StoredCharge,
  movement: MovementCause,
): Promise<MoneyMovement> {
  const { cause, amountCents: amount } = movement;
  const { stripe } = deps;
  const group = `dispute-${cause}`;
  const made = await callStripe(stripe, (client) => client.transfers.list({ transfer_group: group, limit: 1 }));
  if (made.data[0] !== undefined) return made.data[0];
  return carryOut(deps, charge, { kind: "transfer", ...movement }, (idempotencyKey) =>
    callStripe(stripe, (client) =>
      client.transfers.create(
        { amount, currency: "usd", destination: charge.destination, transfer_group: group, metadata: { cause } },
        { idempotencyKey },
      ),
    ),
  );
}

async function carryOut(
  { database, clock }: PlatformDeps,
  charge: StoredCharge,
  { kind, cause, amountCents }: MovementCause & { readonly kind: "reversal" | "transfer" },
  call: (idempotencyKey: string) => Promise<MoneyMovement>,
): Promise<MoneyMovement> {
  const key = `${kind}-${cause}`;
  const { id, app_subscription_id: subscription } = charge;
  await database.transaction(async (change) =>
    intendOnce(change, { kind, key, subscription, subject: cause, charge: id, amountCents, now: clock.now() }),
  );
  const moved = await call(key);
  await database.transaction(async (change) => markDone(change, key, moved.id, clock.now()));
  return moved;
}
