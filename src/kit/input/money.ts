/** Money: decimal dollars in JSON, integer cents in storage, formatted dollars in text. */

/** In dollars: a millionth of a cent, more than the error of a computed amount (0.1 + 0.2). */
const tolerance = 1e-8;

/** 2^53 − 1 cents. */
const most = 90_071_992_547_409.91;

/** Converts to cents; undefined for anything but a whole number of cents from 0 to 2^53 − 1. */
export function toCents(amount: unknown): number | undefined {
  if (typeof amount !== "number" || !(amount >= 0 && amount <= most)) return undefined;
  // The nearest cent, computed exactly: `amount * 100` is off by one for large amounts.
  const cents = Number(amount.toFixed(2).replace(".", ""));
  return Math.abs(amount - cents / 100) <= tolerance ? cents : undefined;
}

/** As typed: `29` or `29.00`; undefined for anything else. */
export function parseDollars(text: string): number | undefined {
  return /^[0-9]{1,9}([.][0-9]{1,2})?$/.test(text.trim()) ? toCents(Number(text)) : undefined;
}

/** Cached: creating a formatter takes longer than rendering a page. */
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** 2900 → `$29.00` */
export function toDollars(cents: number): string {
  return dollars.format(cents / 100);
}
