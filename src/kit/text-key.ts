/** Keys by which texts are compared: one for every spelling of a thing, and short enough for an index to hold many. */
import { createHash } from "node:crypto";
import { fold, foldEmail } from "./text.ts";

/** Bytes of UTF-8. An index row of PostgreSQL has 2,704, and that of the contact list holds fourteen keys. */
const longest = 160;
const hashLength = 32;
/** So much of a long text stands in its key at least: a character of four bytes may not have fitted any more. */
const beginningLength = longest - hashLength - 1 - 3;

/** A, which stands for 0. */
const firstDigit = 65;

/** The key of names, and of all other texts that people compare. */
export function textKey(text: string): string {
  return bounded(fold(text));
}

export function emailKey(email: string): string {
  return bounded(foldEmail(email));
}

/** Whether the text of the key was longer, so that the key tells the beginning of it alone. */
export function isCut(key: string): boolean {
  const last = key.charCodeAt(key.length - 1);
  return last >= firstDigit && last < firstDigit + 16;
}

/** Whether a folded text that begins with `beginning` shows it in its key, however long the text is. */
export function isWithinKeys(beginning: string): boolean {
  return Buffer.byteLength(beginning) <= beginningLength;
}

/**
 * A text that is too long is its beginning and, instead of the rest, a hash of the whole. The hash is written in capital
 * letters, which no folded text has: no other text is the same key, and no part of a text is found in a hash.
 */
function bounded(folded: string): string {
  // No character takes more than three bytes for each of its units.
  if (folded.length * 3 <= longest || Buffer.byteLength(folded) <= longest) return folded;
  const bytes = Buffer.from(folded);
  let end = longest - hashLength - 1;
  while ((bytes[end]! & 0b1100_0000) === 0b1000_0000) end--;
  return `${bytes.toString("utf8", 0, end)} ${capitals(createHash("sha256").update(bytes).digest("hex"))}`;
}

function capitals(hex: string): string {
  return hex
    .slice(0, hashLength)
    .replace(/./g, (digit) => String.fromCharCode(firstDigit + Number.parseInt(digit, 16)));
}
