/** A stored charge: found by Stripe's id, and locked until the commit when its ledger entries are written. */
import { forUpdate } from "../../../../storage/locks.ts";
import { sql } from "../../../../storage/sql-text.ts";
import type { Rows, Writer } from "../../../../storage/rows.ts";

export interface StoredCharge {
  readonly id: number;
  readonly stripe_id: string;
  readonly app_id: number;
  readonly app_subscription_id: number;
  readonly transfer_id: string;
  readonly destination: string;
  readonly amount_cents: number;
  readonly taken_cents: number;
}

const selectText = `select c.id, c.stripe_id, c.app_id, c.app_subscription_id, c.transfer_id, c.destination, c.amount_cents, c.taken_cents
  from platform_charges c where c.stripe_id = ?`;
const lockText = sql`${selectText}${forUpdate("c")}`;

export async function findCharge(rows: Pick<Rows, "rows">, stripeId: string): Promise<StoredCharge | undefined> {
  const [row] = await rows.rows<StoredCharge>(selectText, [stripeId]);
  return row;
}

/** Locks a charge that is known to be stored: no other change writes its entries until the commit. */
export async function lockCharge(change: Writer, stripeId: string): Promise<StoredCharge> {
  const [row] = await change.rows<StoredCharge>(lockText, [stripeId]);
  return row!;
}

const addTakenText = "update platform_charges set taken_cents = taken_cents + ? where id = ?";

/** Adds the amount of a refund or dispute to a locked charge; a negative amount releases it. */
export function addTakenCents(change: Writer, { id }: Pick<StoredCharge, "id">, amountCents: number): void {
  change.send(addTakenText, [amountCents, id]);
}
