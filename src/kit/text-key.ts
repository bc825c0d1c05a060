/** Comparison keys of texts: equal for all spellings of a text, and short enough to index. */
import { createHash } from "node:crypto";
import { fold, foldEmail } from "./text.ts";

/** In bytes of UTF-8. An index row of PostgreSQL holds 2,704 bytes, and that of the contact list has fourteen keys. */
const longest = 160;
const hashLength = 32;
/** The minimum prefix of a long text in its key: a four-byte character may not have fitted. */
const beginningLength = longest - hashLength - 1 - 3;

/** A, which encodes 0. */
const firstDigit = 65;

/** The key of names and all other texts. */
export function textKey(text: string): string {
  return bounded(fold(text));
}

export function emailKey(email: string): string {
  return bounded(foldEmail(email));
}

/** Whether the key was truncated and so holds only the beginning of the text. */
export function isCut(key: string): boolean {
  const last = key.charCodeAt(key.length - 1);
  return last >= firstDigit && last < firstDigit + 16;
}

/** Whether a folded prefix is visible in the key of any text that begins with it. */
export function isWithinKeys(beginning: string): boolean {
  return Buffer.byteLength(beginning) <= beginningLength;
}

/**
 * Truncates a long text to its beginning and a hash of the whole. The hash is in capital letters, which folded texts
 * lack: it never collides with another key, nor matches a search for part of a text.
 */
function bounded(folded: string): string {
  // A UTF-16 unit takes at most three bytes of UTF-8.
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
