/** "Did you mean": the known name closest to an unknown one. */

/**
 * The only name with the prefix `word`, else the one with the smallest edit distance, ignoring case; undefined if none
 * is close enough: at most a third of the word may differ, and less than half of it.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  const begun = word.length < 3 ? [] : all.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  if (begun.length === 1) return begun[0];
  const [found] = all
    .map((name) => ({ name, slips: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ name, slips }) => slips <= Math.max(2, word.length / 3) && 2 * slips < Math.max(word.length, name.length),
    )
    .toSorted((one, other) => one.slips - other.slips);
  return found?.name;
}

/** The edit distance: insertions, deletions, substitutions and transpositions (optimal string alignment). */
export function editDistance(one: string, other: string): number {
  const first = Array.from({ length: other.length + 1 }, (_, column) => column);
  let [before, row] = [first, first];
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const hit = one[line - 1] === other[column - 1];
      const swapped =
        line > 1 && column > 1 && one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1];
      next.push(
        Math.min(
          row[column - 1]! + (hit ? 0 : 1),
          row[column]! + 1,
          next[column - 1]! + 1,
          swapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
