/** Looks several groups of texts up together in the GIN index of PostgreSQL, by patterns of LIKE. */

/** A pattern, and the number of the line that it is compared with; without one, the whole text. */
interface LikedTerm {
  readonly pattern: string;
  readonly line?: number | undefined;
}

/** A row is to match the pattern of one of the terms. */
interface LikedGroup {
  readonly terms: readonly LikedTerm[];
}

/** The most groups that are looked up together, and the most scans of the index: one for each combination of their texts. */
const mostGroups = 3;
const mostScans = 16;

/** The first groups that differ, and that few scans look up. */
export function fewScans<Group extends LikedGroup>(groups: readonly Group[]): readonly Group[] {
  const chosen = new Map<string, Group>();
  let scans = 1;
  for (const group of groups) {
    const { terms } = group;
    const patterns = JSON.stringify(terms.map(({ pattern, line }) => [pattern, line]));
    if (chosen.size === mostGroups) break;
    if (chosen.has(patterns) || (chosen.size > 0 && scans * terms.length > mostScans)) continue;
    chosen.set(patterns, group);
    scans *= terms.length;
  }
  return [...chosen.values()];
}

/** A row matches the terms of one of these, all of them: a scan of the index for each combination. */
export function toScans(groups: readonly LikedGroup[]): readonly (readonly LikedTerm[])[] {
  return groups.reduce<readonly (readonly LikedTerm[])[]>(
    (scans, { terms }) => scans.flatMap((scan) => terms.map((term) => [...scan, term])),
    [[]],
  );
}

interface LikeSelect {
  readonly table: string;
  readonly columns: readonly string[];
  readonly scans: readonly (readonly LikedTerm[])[];
  /** SQL of what the index contains of a line. */
  readonly expressionOf: (line: number | undefined) => string;
}

/** Selects these columns. Binds a JSON object whose `likes` are the patterns, in the order of the scans. Planned for them. */
export function selectLikes({ table, columns, scans, expressionOf }: LikeSelect): string {
  let place = 0;
  const either = scans.map((scan) => {
    const all = scan.map(({ line }) => `${expressionOf(line)} like (given.likes ->> ${place++})`);
    return `(${all.join(" and ")})`;
  });
  return `select ${columns.join(", ")} from ${table}, (select cast(? as json) -> 'likes' as likes) as given where (${either.join(" or ")})`;
}
