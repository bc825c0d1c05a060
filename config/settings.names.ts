/** Detects misspelt setting names and suggests the closest: they would otherwise be ignored silently. */
import { nearest } from "../src/kit/nearest.ts";

/** Variables of the tests. */
const ofTests = "CRM_TEST_";

/** The message for `entry` in `place`; undefined for a setting in `names` (or its NAME_FILE). */
export function judgeName(entry: string, place: string, names: readonly string[]): string | undefined {
  const known = names.flatMap((name) => [name, `${name}_FILE`]);
  if (known.includes(entry)) return undefined;
  const meant = nearest(entry, known);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `${entry} in ${place} is not a setting.${hint} crm config show lists all settings.`;
}

/** Whether a name in the shared environment looks like one of our settings. */
export function claimsToBeOurs(entry: string): boolean {
  return entry.startsWith("CRM_") && !entry.startsWith(ofTests);
}
