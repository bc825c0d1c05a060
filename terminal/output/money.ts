/** Amounts as people write them, whole units with two decimals, and who pays them. */

/** 1250000 → 12,500.00 */
export function showCents(cents: number): string {
  return `${Math.trunc(cents / 100).toLocaleString("en")}.${String(cents % 100).padStart(2, "0")}`;
}

/** Whoever pays for an app; one of both ids is null. */
export function paidBy({ location_id, company_id }: { location_id: number | null; company_id: number | null }): string {
  return location_id === null ? `company ${company_id}` : `location ${location_id}`;
}
