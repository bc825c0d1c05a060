/** Amounts of money as JSON writes them, units with decimals, and as they are kept: integer cents. */

/** In units: a millionth of a cent. Where a number is computed (0.1 + 0.2), it may miss a whole cent by as much. */
const tolerance = 1e-8;

/** 2^53 − 1 cents. */
const most = 90_071_992_547_409.91;

/** The cents of `amount`; undefined for anything but a number of whole cents from 0 to 2^53 − 1 of them. */
export function toCents(amount: unknown): number | undefined {
  if (typeof amount !== "number" || !(amount >= 0 && amount <= most)) return undefined;
  // The nearest cent, computed exactly: `amount * 100` is off by a whole one where amounts are large.
  const cents = Number(amount.toFixed(2).replace(".", ""));
  return Math.abs(amount - cents / 100) <= tolerance ? cents : undefined;
}
