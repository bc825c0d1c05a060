/** Which backups to keep: the newest of each of the last days, weeks and months that have one. */
import type { KeepRule } from "../kit/input/keep-rule.ts";

const day = 86_400_000;

/** Periods in UTC; weeks begin on Monday. */
const periods: Readonly<Record<keyof KeepRule, (at: Date) => number>> = {
  d: (at) => Math.floor(at.getTime() / day),
  // 1 January 1970 was a Thursday.
  w: (at) => Math.floor((Math.floor(at.getTime() / day) + 3) / 7),
  m: (at) => at.getUTCFullYear() * 12 + at.getUTCMonth(),
};

/** Those of `backups`, newest first, that the rule no longer wants; never the newest. */
export function outdated<Backup extends { readonly at: Date }>(backups: readonly Backup[], rule: KeepRule): Backup[] {
  const kept = new Set<Backup>(backups.slice(0, 1));
  for (const [unit, period] of Object.entries(periods)) {
    const newest = Map.groupBy(backups, ({ at }) => period(at));
    for (const [first] of [...newest.values()].slice(0, rule[unit as keyof KeepRule])) kept.add(first!);
  }
  return backups.filter((backup) => !kept.has(backup));
}
