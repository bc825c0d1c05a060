/** Compares versions such as 24.13.0 by their numbers: negative if `one` is older, 0 if they are equal. */
export function compareVersions(one: string, other: string): number {
  const [left = [], right = []] = [one, other].map((version) => version.split(".").map(Number));
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
