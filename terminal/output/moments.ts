/** Times in the time zone of a location. */

/** 2026-03-02T22:00:00.000Z → 2026-03-02 17:00; null stays null. */
export function showMoment(timestamp: string | null, timeZone: string): string | null {
  if (timestamp === null) return null;
  return new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" }).format(
    new Date(timestamp),
  );
}
