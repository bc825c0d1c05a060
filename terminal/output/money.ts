/** Amounts as people write them: whole units with two decimals. */

/** 1250000 → 12,500.00 */
export function showCents(cents: number): string {
  return `${Math.trunc(cents / 100).toLocaleString("en")}.${String(cents % 100).padStart(2, "0")}`;
}
