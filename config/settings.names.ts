/** Names that claim to be settings and are none, each with the setting that was probably meant: a misspelt one would else do nothing in silence. */
import { nearest } from "../src/kit/nearest.ts";

/** What only the tests read. */
const ofTests = "CRM_TEST_";

/** One sentence on `entry`, found in `place`; undefined when it is a setting of `names` (or its NAME_FILE). */
export function judgeName(entry: string, place: string, names: readonly string[]): string | undefined {
  const known = names.flatMap((name) => [name, `${name}_FILE`]);
  if (known.includes(entry)) return undefined;
  const meant = nearest(entry, known);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return `${entry} in ${place} is no setting.${hint} crm config show lists them all.`;
}

/** Whether a name that other programs may have given as well claims to be a setting of ours. */
export function claimsToBeOurs(entry: string): boolean {
  return entry.startsWith("CRM_") && !entry.startsWith(ofTests);
}
