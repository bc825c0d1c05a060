/** How words of a search match, and are looked up: three or more characters anywhere, fewer where a word begins. All texts are folded. */
import { codePointLength } from "../../kit/text.ts";

const leastAnywhere = 3;

/** Whether a word is long enough to match within words. */
export function isAnywhere(word: string): boolean {
  return codePointLength(word) >= leastAnywhere;
}

/** Each text of an index begins a line, so that two characters are enough to look up how it begins. */
export const beginning = (text: string): string => `\n${text}`;

/** One of these is in each text that matches the word. */
export const textsOfWord = (word: string): readonly string[] =>
  isAnywhere(word) ? [word] : [beginning(word), ` ${word}`];
