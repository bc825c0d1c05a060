/** Parses durations: 30s, 15m, 1h, 2d, 1w. */

const milliseconds: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A century: beyond it a date is meaningless. */
const longest = 100 * 366 * 86_400_000;

/** The accepted format, for error messages. */
export const acceptedDuration = "a duration such as 30s, 15m, 12h, 90d or 4w";

/** The duration in milliseconds; undefined for anything but a positive integer and a unit. */
export function readDuration(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^([0-9]{1,9})([smhdw])$/.exec(text.trim()) ?? [];
  const duration = Number(digits) * (milliseconds[unit] ?? 0);
  return duration > 0 && duration <= longest ? duration : undefined;
}
