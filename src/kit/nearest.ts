/** The name that somebody may have meant by one that there is not. */

/**
 * The only one of `names` that `word` is the beginning of, else the one that takes the fewest letters to come to from it, case
 * aside; undefined where none is near enough to be meant.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  const begun = word.length < 3 ? [] : all.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  if (begun.length === 1) return begun[0];
  const [found] = all
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  return found !== undefined && found.distance <= Math.max(2, word.length / 3) ? found.name : undefined;
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
