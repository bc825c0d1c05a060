/**
 * Payloads of events as their rows hold them: JSON whose frequent phrases (phrases.ts) are control characters, which JSON never contains as
 * such. A payload that was stored in full reads as itself.
 */
import { phrases } from "./phrases.ts";

declare const packed: unique symbol;

/** A text that only `unpackPayload` reads. */
export interface StoredPayload {
  readonly [packed]: true;
}

/**
 * Longer payloads are stored as they are. A page of events is bounded by the bytes of its rows, so this bounds by how much a response may exceed
 * it: a client chooses what reported events consist of.
 */
const mostCharacters = 4096;

/** The first character of those that stand for `others`; a printable character follows. */
const prefix = "\u001f";
const firstPrintable = 0x21;

const codes = new Map([
  // From 1: PostgreSQL stores no NUL.
  ...phrases.ofContacts.map((phrase, place) => [phrase, String.fromCharCode(place + 1)] as const),
  ...phrases.others.map((phrase, place) => [phrase, prefix + String.fromCharCode(firstPrintable + place)] as const),
]);
const phraseOf = new Map([...codes].map(([phrase, code]) => [code, phrase]));

/** Of two phrases that begin alike, the longer one. */
const anyPhrase = new RegExp(
  [...codes.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((phrase) => RegExp.escape(phrase))
    .join("|"),
  "g",
);
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const anyCode = /[\u0001-\u001e]|\u001f[^]/g;

/** `json`: as JSON.stringify writes it, which escapes control characters. */
export function packPayload(json: string): string {
  return json.length > mostCharacters ? json : json.replace(anyPhrase, (phrase) => codes.get(phrase)!);
}

/** The JSON that was packed, character for character. */
export function unpackPayload(stored: StoredPayload): string {
  return (stored as unknown as string).replace(anyCode, (code) => phraseOf.get(code)!);
}

/** The same for a payload that may have been pruned. */
export function unpackKept(stored: StoredPayload | null): string | null {
  return stored === null ? null : unpackPayload(stored);
}
