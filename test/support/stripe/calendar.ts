/** The periods of a monthly subscription at Stripe: they start on the anchor's day, or on the last day of a shorter month. */

/** The time `months` after `anchor`, in seconds since 1970. */
export function monthsAfter(anchor: number, months: number): number {
  const start = new Date(anchor * 1000);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), lastDay);
  return Date.UTC(year, month, day, start.getUTCHours(), start.getUTCMinutes(), start.getUTCSeconds()) / 1000;
}
