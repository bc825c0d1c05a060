/** The rule by which old backups are removed: how many days, weeks and months keep one. */

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
