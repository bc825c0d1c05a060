/** Formats times for the API: ISO 8601 in UTC with a trailing Z. */

const millisecondsOfDay = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/** Cache of `2026-11-21T` by days since 1970. */
const days = new Map<number, string>();
/** Ten years of days; beyond that the cache is cleared. */
const mostDays = 3660;

/**
 * Takes whole milliseconds since 1970, as in rows. Throws a RangeError for what a Date cannot hold. Caches days: the
 * same ones recur, and Date alone takes three times as long.
 */
export function toTimestamp(milliseconds: number): string {
  const day = Math.floor(milliseconds / millisecondsOfDay);
  const rest = milliseconds - day * millisecondsOfDay;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const dayText = days.get(day) ?? addDay(day);
  return `${dayText}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[rest % 1000]}Z`;
}

function addDay(day: number): string {
  const text = new Date(day * millisecondsOfDay).toISOString().slice(0, -"00:00:00.000Z".length);
  if (days.size >= mostDays) days.clear();
  days.set(day, text);
  return text;
}

export function toNullableTimestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toTimestamp(milliseconds);
}
