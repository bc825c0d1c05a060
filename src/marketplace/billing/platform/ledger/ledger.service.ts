/** The double-entry ledger of platform billing: each movement is two entries, customer ↔ service and service ↔ owner, in one transaction. */
import type { Rows, Writer } from "../../../../storage/rows.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";

export interface Entry {
  readonly kind: LedgerKind;
  /** Stripe's id of the object that moved the money. */
  readonly stripeId: string;
  readonly amountCents: number;
  readonly occurredAt: Date;
}

const appendText = `insert into ledger_entries (kind, stripe_id, app_id, charge_id, amount_cents, period, occurred_at, recorded_at)
  values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (stripe_id, kind) do nothing returning id`;

/**
 * Appends the entries of a movement, the customer's and those of the owner, which have the same sum, so that gross − refunds − disputes = transfers − reversals holds at every commit. Idempotent: false if they
 * are recorded already. The charge must be locked.
 */
export async function append(
  change: Writer,
  charge: { readonly id: number; readonly app_id: number },
  [customer, ...owner]: readonly [Entry, ...Entry[]],
  now: Date,
): Promise<boolean> {
  // Both entries have the period of the customer's: a transfer follows its charge by a moment, which may be in the next month.
  const period = periodOf(customer.occurredAt);
  const write = ({ kind, stripeId, amountCents, occurredAt }: Entry) => {
    const values = [kind, stripeId, charge.app_id, charge.id, amountCents, period, occurredAt, now];
    return change.rows(appendText, values);
  };
  if ((await write(customer)).length === 0) return false;
  for (const entry of owner) await write(entry);
  return true;
}

const kindsText = "select kind from ledger_entries where stripe_id = ?";

/** The kinds of entries of an object at Stripe, such as `dispute` and `dispute_won`. */
export async function findKinds(rows: Pick<Rows, "rows">, stripeId: string): Promise<ReadonlySet<LedgerKind>> {
  const found = await rows.rows<{ kind: LedgerKind }>(kindsText, [stripeId]);
  return new Set(found.map(({ kind }) => kind));
}

/** The UTC month, as 202611. */
function periodOf(time: Date): number {
  return time.getUTCFullYear() * 100 + time.getUTCMonth() + 1;
}
