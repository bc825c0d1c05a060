/**
 * Caches the SQL statements of a list, keyed by the conditions without their values: few statements, each assembled once.
 */
import type { SqlText } from "../sql-text.ts";

/** `what`: the kind of statement. */
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
