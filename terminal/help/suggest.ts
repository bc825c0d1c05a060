/** "Did you mean": the closest known word. A destructive word is suggested only for a near miss. */
import { nearest, editDistance } from "../../src/kit/nearest.ts";

/** Words that delete data, or skip a confirmation. */
export const destructive: ReadonlySet<string> = new Set([
  "delete",
  "down",
  "forget",
  "merge",
  "remove",
  "revoke",
  "rotate",
  "rotate-secret",
  "uninstall",
  "unpublish",
  "yes",
]);

/** The word that `word` may stand for: a destructive one only if a single letter differs. */
export function suggest(word: string, words: readonly string[]): string | undefined {
  return nearest(word, mayBeSuggested(word, words));
}

/** The words that may be suggested for `word`. */
export function mayBeSuggested(word: string, words: readonly string[]): string[] {
  return words.filter((known) => !destructive.has(known) || editDistance(word.toLowerCase(), known) <= 1);
}
