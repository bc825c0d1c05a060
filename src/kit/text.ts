/** Text comparison: folding for look-ups that ignore case and spacing; lengths in code points; counts for people; and words for a shell. */

/** ASCII with single spaces between words only. */
const plain = /^(?! )[!-~]*(?: [!-~]+)*$/;

/**
 * Folds a text to the form that all of its spellings share; for key columns, never for display. Applies NFKC
 * (full-width letters, ligatures, composed and decomposed accents) and lower case, trims, and collapses inner white
 * space. Where lower case leaves two forms, full case folding decides: "Straße" and "STRASSE" both become "strasse",
 * and both small sigmas become σ. Accents are kept: "É" is "é" and never "e", because they distinguish words and names.
 * Language-specific rules are not applied (the Turkish I is an i). Folding is idempotent.
 */
export function fold(text: string): string {
  // Most texts are plain, and every contact is folded.
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ")
    .normalize("NFKC") // lower case can leave a sequence that composes
    .replace(/\s+/gu, " ")
    .trim();
}

/**
 * Folds an e-mail address: lower case and composed accents, nothing more. What else `fold` unifies may be different
 * mailboxes: `straße@` is not `strasse@`. Idempotent.
 */
export function foldEmail(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * Characters without a visible form: control characters, spaces, joiners, bidi marks, fillers, the blank Braille
 * pattern.
 */
const invisible = /^[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether the text has no visible character. */
export function isBlank(text: string): boolean {
  return invisible.test(text);
}

/** The length in code points, as in "max 255 characters": an emoji counts once. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) length--;
  }
  return length;
}

/** Whether the text has more than `most` code points: a text of fewer UTF-16 code units is not counted. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && codePointLength(text) > most;
}

/** Splits after `length` code points; a surrogate pair stays whole. */
export function splitAt(text: string, length: number): [string, string] {
  if (text.length <= length) return [text, ""];
  let index = 0;
  for (let count = 0; count < length && index < text.length; count++)
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return [text.slice(0, index), text.slice(index)];
}

/** Truncates to `length` code points, the last being an ellipsis. */
export function truncate(text: string, length: number): string {
  const [, rest] = splitAt(text, length);
  return rest === "" ? text : `${splitAt(text, length - 1)[0]}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** On one line and without control characters, for text from outside that must not start a new line. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** A number and its noun for people: "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A text as one word of a POSIX shell, quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
