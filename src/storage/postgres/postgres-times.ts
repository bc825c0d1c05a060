/** Parses PostgreSQL timestamps without allocations, for pages of lists. */

/**
 * `2026-11-21 03:44:00.5+00` → milliseconds since 1970, truncated. NaN for times a Date cannot hold (`infinity`, years
 * BC).
 */
export function readTime(text: string): number {
  return isInUtc(text) ? readInUtc(text) : Date.parse(toIso(text));
}

/**
 * `YYYY-MM-DD HH:MM:SS[.ffffff]+00`, the format of a session in UTC for the years 1000 to 9999; below, Date.UTC reads
 * years differently.
 */
function isInUtc(text: string): boolean {
  const { length } = text;
  return (
    length >= 22 && length <= 29 && text.charCodeAt(4) === hyphen && text.charCodeAt(0) !== zero && text.endsWith("+00")
  );
}

const hyphen = 0x2d;
const zero = 0x30;
const fractionStart = 20;

function readInUtc(text: string): number {
  let milliseconds = 0;
  const fractionEnd = Math.min(text.length - 3, fractionStart + 3);
  for (let index = fractionStart, weight = 100; index < fractionEnd; index++, weight /= 10) {
    milliseconds += (text.charCodeAt(index) - zero) * weight;
  }
  return Date.UTC(
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
    milliseconds,
  );
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;
}

/** → `2026-11-21T03:44:00.5+05:30`, which Date.parse reads on every engine. */
function toIso(text: string): string {
  const zoned = /[+-]\d\d$/.test(text) ? `${text}:00` : text;
  return zoned.replace(" ", "T");
}
