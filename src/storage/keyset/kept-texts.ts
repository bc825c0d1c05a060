/** Statements of a list whose text depends on which conditions are given, not on what they say: few texts, each put together once. */
import type { SqlText } from "../sql-text.ts";

/** `what`: which statement of the list. */
export type KeptTexts = (what: string, conditions: readonly SqlText[], make: () => SqlText) => SqlText;

export function createKeptTexts(): KeptTexts {
  const kept = new Map<string, SqlText>();
  return (what, conditions, make) => {
    const key = [what, ...conditions.map(({ sqlite }) => sqlite)].join(" and ");
    let text = kept.get(key);
    if (text === undefined) kept.set(key, (text = make()));
    return text;
  };
}
