/**
 * Alphabets of a trigram index on SQLite, which tells no columns apart: the characters of a text are moved into a range of Unicode's private use planes,
 * so that a trigram belongs to one alphabet. An entry of a list takes as many bytes as before.
 */

/** Of alphabet 1; alphabet 0 leaves texts as they are. */
const firstCodePoint = 0xf_00_00;
/** Scripts from Latin to Tibetan. Later characters stay, and are found in any alphabet: candidates are judged. */
const charactersOfAlphabet = 0x10_00;
/** Of planes 15 and 16. */
export const mostAlphabets = 32;

export function toAlphabet(text: string, alphabet: number): string {
  if (alphabet === 0) return text;
  const offset = firstCodePoint + (alphabet - 1) * charactersOfAlphabet;
  let moved = "";
  for (const character of text) {
    const point = character.codePointAt(0)!;
    moved += point < charactersOfAlphabet ? String.fromCodePoint(offset + point) : character;
  }
  return moved;
}

/** What SQLite indexes of texts in an alphabet: each that is not empty begins a line. An SQL function of its connection. */
export function indexedLines(alphabet: unknown, ...texts: readonly unknown[]): string {
  const lines = texts.map((text) => (typeof text === "string" && text !== "" ? `\n${text}` : ""));
  return toAlphabet(lines.join(""), Number(alphabet));
}
