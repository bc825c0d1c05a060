/** Amounts with two decimals, and payers. */

/** 1250000 → 12,500.00 */
export function showCents(cents: number): string {
  return `${Math.trunc(cents / 100).toLocaleString("en")}.${String(cents % 100).padStart(2, "0")}`;
}

/** The payer of an app: a company or a location; the other id is null. */
export function paidBy({ location_id, company_id }: { location_id: number | null; company_id: number | null }): string {
  return location_id === null ? `company ${company_id}` : `location ${location_id}`;
}
