/** Which backups to keep: the newest of each of the last days, weeks and months that have one. */

/** The number of days, weeks and months. */
export interface KeepRule {
  readonly d: number;
  readonly w: number;
  readonly m: number;
}

/** Reads `7d,4w,6m`; undefined for another form, and for a rule that keeps nothing. */
export function readKeepRule(text: string): KeepRule | undefined {
  const parts = text.split(",").map((part) => /^([1-9]\d{0,3})([dwm])$/.exec(part.trim()));
  const units = parts.map((part) => part?.[2]);
  if (units.includes(undefined) || new Set(units).size !== units.length) return undefined;
  return { d: 0, w: 0, m: 0, ...Object.fromEntries(parts.map((part) => [part![2], Number(part![1])])) };
}

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
