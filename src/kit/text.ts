/** Text as people compare it: folding for look-ups that ignore case and spacing, and lengths in code points. */

/** ASCII in which blanks stand alone, and between words. */
const plain = /^[!-~]*(?: [!-~]+)*$/;

/**
 * The form that two spellings of one thing share; made for key columns, never for showing.
 * Unicode compatibility forms become one (NFKC: full-width letters, ligatures, composed and decomposed accents), case goes
 * away, outer blanks go, inner blanks become one space. Where lower case alone leaves two forms, full case folding decides:
 * "Straße" and "STRASSE" meet in "strasse", and the two small sigmas in σ. Accents are kept: "É" is "é" and never "e",
 * since they part words and people's names. Rules of one language are not applied (the Turkish I is an i).
 * Folding twice changes nothing.
 */
export function fold(text: string): string {
  // What most people write needs none of it, and is folded with every contact.
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
 * The form that two spellings of one e-mail address share: lower case and composed accents, nothing more. What
 * else `fold` takes for the same belongs to different mailboxes: `straße@` is not `strasse@`. Twice changes nothing.
 */
export function foldEmail(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}

/** Control characters, blanks, and what shows nothing: joiners, marks of direction, fillers, the blank of Braille. */
const invisible = /^[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nobody could see that anything stands there. */
export function isBlank(text: string): boolean {
  return invisible.test(text);
}

/** How many code points the text has: what "max 255 characters" counts, so that an emoji is not two. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) length--;
  }
  return length;
}

/** The first `length` code points, and what follows them: no emoji is cut in two. */
export function splitAt(text: string, length: number): [string, string] {
  if (text.length <= length) return [text, ""];
  let index = 0;
  for (let count = 0; count < length && index < text.length; count++)
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return [text.slice(0, index), text.slice(index)];
}

/** The text, or its first `length` - 1 code points and an ellipsis where it is longer. */
export function beginningOf(text: string, length: number): string {
  const [, rest] = splitAt(text, length);
  return rest === "" ? text : `${splitAt(text, length - 1)[0]}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** In one line and without control characters: what somebody outside said, or what must not begin a line of its own. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
