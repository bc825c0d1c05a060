/** The pending price change of a subscription: the call to Stripe that is neither done nor given up. */

/** SQL condition on `table`, which is `stripe_calls` or its alias. */
export function isOpenPrice(table: string): string {
  return `${table}.kind = 'price' and ${table}.done_at is null and ${table}.failed_at is null`;
}
