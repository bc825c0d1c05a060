/** Names that claim to be settings and are none, each with the setting that was probably meant: a misspelt one would else do nothing in silence. */

/** What only the tests read. */
const ofTests = "CRM_TEST_";

/** One sentence on `entry`, found in `place`; undefined when it is a setting of `names` (or its NAME_FILE). */
export function judgeName(entry: string, place: string, names: readonly string[]): string | undefined {
  const known = names.flatMap((name) => [name, `${name}_FILE`]);
  if (known.includes(entry)) return undefined;
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(entry.toUpperCase(), name) }))
    .toSorted((one, other) => one.distance - other.distance);
  const hint = nearest && nearest.distance <= Math.max(2, entry.length / 3) ? ` Did you mean ${nearest.name}?` : "";
  return `${entry} in ${place} is no setting.${hint} crm config show lists them all.`;
}

/** Whether a name that other programs may have given as well claims to be a setting of ours. */
export function claimsToBeOurs(entry: string): boolean {
  return entry.startsWith("CRM_") && !entry.startsWith(ofTests);
}

/** How many letters must be put in, taken out or changed to make one word of the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const changed = row[column - 1]! + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(changed, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
