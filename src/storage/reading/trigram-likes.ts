/** Looks several groups of texts up together in the GIN index of PostgreSQL, by patterns of LIKE. */

/** A row is to match the pattern of one of the terms. */
interface LikedGroup {
  readonly terms: readonly { readonly pattern: string }[];
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
    const patterns = terms.map(({ pattern }) => pattern).join("\n");
    if (chosen.size === mostGroups) break;
    if (chosen.has(patterns) || (chosen.size > 0 && scans * terms.length > mostScans)) continue;
    chosen.set(patterns, group);
    scans *= terms.length;
  }
  return [...chosen.values()];
}

/** What the JSON of a look-up holds for each group. */
export function toLikes(groups: readonly LikedGroup[]): string[] {
  return groups.map(({ terms }) => arrayOf(terms.map(({ pattern }) => pattern)));
}

/** Selects these columns. Binds the JSON of a look-up. Planned for it, so that groups that it lacks are no conditions. */
export function selectLikes(table: string, columns: readonly string[]): string {
  const likes = Array.from(
    { length: mostGroups },
    (_, place) => `(given.likes ->> ${place} is null or text like any (cast(given.likes ->> ${place} as text[])))`,
  );
  return `select ${columns.join(", ")} from ${table}, (select cast(? as json) -> 'likes' as likes) as given where ${likes.join(" and ")}`;
}

/** A list of texts as PostgreSQL writes arrays. */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
}
