/** The word that was probably meant by one that is not known. A command line is not led to destroying something by a distant guess. */
import { nearest, editDistance } from "../../src/kit/nearest.ts";

/** Words that destroy something, or keep a command from asking first. */
export const destructive: ReadonlySet<string> = new Set([
  "delete",
  "down",
  "remove",
  "revoke",
  "rotate",
  "rotate-secret",
  "uninstall",
  "unpublish",
  "yes",
]);

/** The one of `words` that `word` may stand for: a destructive one only where a single letter is wrong. */
export function suggest(word: string, words: readonly string[]): string | undefined {
  return nearest(word, mayBeSuggested(word, words));
}

/** Those of `words` that may be suggested for `word`. */
export function mayBeSuggested(word: string, words: readonly string[]): string[] {
  return words.filter((known) => !destructive.has(known) || editDistance(word.toLowerCase(), known) <= 1);
}
