/** Says whether a folded text matches a search, and how well. */
import { fold } from "../../kit/text.ts";
import { toWords } from "../contacts/list/contact.search.ts";
import { isAnywhere } from "../text-index/words.ts";

/** A search of which every word must match: three or more characters anywhere, fewer at the beginning of a word. */
export interface SearchedText {
  readonly whole: string;
  readonly words: readonly string[];
}

/** The best first. `spread`: the words match in several texts of a record. */
export const ranks = { equal: 0, beginning: 1, beginningOfWord: 2, anywhere: 3, spread: 4 };

/** `folded`: how both texts are folded; names are folded by default. */
export function readSearch(q: string, folded: (text: string) => string = fold): SearchedText {
  return {
    whole: folded(q.trim()),
    words: toWords(q)
      .map(folded)
      .filter((word) => word !== ""),
  };
}

/** Undefined: the text does not match. A search without words matches nothing. */
export function rankOf({ whole, words }: SearchedText, text: string): number | undefined {
  if (words.length === 0 || !words.every((word) => containsWord(text, word))) return undefined;
  if (text === whole) return ranks.equal;
  if (text.startsWith(whole)) return ranks.beginning;
  return text.includes(` ${whole}`) ? ranks.beginningOfWord : ranks.anywhere;
}

export function containsWord(text: string, word: string): boolean {
  if (isAnywhere(word)) return text.includes(word);
  return text.startsWith(word) || text.includes(` ${word}`);
}
