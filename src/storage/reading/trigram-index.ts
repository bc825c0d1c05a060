/**
 * A text index by trigrams (runs of three code points), whose rows are candidates that the caller judges again: on SQLite an FTS5 table without
 * texts and positions, on PostgreSQL a table of texts with a GIN index of pg_trgm, if that extension is installed.
 */
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import { listed } from "../json.ts";
import { createTrigrams, hasTrigrams } from "./trigram-extension.ts";
import type { Rows } from "../rows.ts";
import { createEstimates } from "./trigram-estimates.ts";
import type { Estimates, SampleMemory, TrigramEstimate } from "./trigram-estimates.ts";

/** Folded texts of which a row contains at least one. */
export type AnyText = readonly string[];

/** The most trigrams that a text is looked up by: the rarest ones; on PostgreSQL the rarest and those around it. */
const mostTrigrams = 4;
/** The same on PostgreSQL while fewer rows of the sample have the whole text: to compare a list more takes less time than to read rows in vain. */
const mostTrigramsOfCommon = 8;
/** Lists of rows this many times longer than that of the rarest trigram narrow little, and take longer to read. */
const mostTimesLonger = 10;
/** On PostgreSQL, where reading a row in vain takes as long as comparing a thousand entries of a list, lists of this share of all rows narrow enough. */
const narrowingShare = 1 / 4;
/** The same for other groups: SQLite skips in a list, and judging a row takes as long as reading a hundred entries. */
const mostTimesLongerOfGroup = 20;
/** Samples do not tell shorter lists apart. */
const shortList = 3000;
/** The most rows of the rarest trigram, for which reading its list stays a matter of milliseconds. */
const mostRows = 50_000;
/** The same where SQLite looks up several groups together: it skips in their lists, or soon finds too many. */
const mostRowsTogether = 200_000;
/** The same on PostgreSQL, which reads rows of the rarest list in vain, up to half a second, where a scan of the table takes seconds. */
const mostRowsRead = 100_000;
/** The most groups that PostgreSQL looks up together, and the most scans of its index: one for each combination of their texts. */
const mostGroups = 3;
const mostScans = 16;
/** A look-up of more rows takes PostgreSQL long. */
const manyRows = 50_000;
/** The most code points of a text that are looked up; a long text has rare trigrams early. */
const mostPoints = 34;

/** Pages of one step of a merge. */
const mostMerged = 256;

export interface TrigramIndex {
  /** Creates the index on PostgreSQL, if it is missing and pg_trgm is or can be installed. */
  readonly create: SqlText;
  /** A condition. */
  readonly exists: SqlText;
  /** Adds rows, or replaces them: `select` gives ids and texts. */
  put(select: SqlText): SqlText;
  /** Binds a JSON list of ids. */
  readonly remove: SqlText;
  /** Removes all rows. */
  readonly clear: SqlText;
  /** Begins to merge all segments into one, which drops the terms of removed rows from the file; empty where removal does so itself. */
  readonly beginMerge: SqlText;
  /** Merges some more pages. Done once `changes`, before and after it, differ by less than two. */
  readonly merge: SqlText;
  readonly changes: SqlText;
  /** A select of `id` for one candidate more than the most; binds what `choose` returns. Not to be prepared: its plan depends on the texts. */
  readonly candidates: SqlText;
  /** The same for ids above a second value that is bound: on SQLite the next `sliceSize`; PostgreSQL finds all at once. */
  readonly nextCandidates: SqlText;
  readonly sliceSize: number;
  /**
   * The look-up for `candidates`: by the group with the fewest rows, together with others that narrow it. Undefined if it would find too many
   * rows, or the index has no trigrams of any group.
   */
  choose(rows: Rows, groups: readonly AnyText[], options?: ChoiceOptions): Promise<TrigramLookUp | undefined>;
}

export interface ChoiceOptions {
  /** Default: as many as `candidates` gives. */
  readonly most?: number;
  /** Keeps a sample of the texts, on PostgreSQL. */
  readonly memory?: SampleMemory;
}

export interface TrigramLookUp {
  /** Bound by the selects. */
  readonly value: string;
  /** The same by the rarest trigrams alone, whose candidates SQLite finds faster, and are more. */
  readonly broad: string;
  /** About how many rows have the rarest trigrams of one group, at most: more than those found. */
  readonly expected: number;
  /** Whether it may take long, on PostgreSQL. */
  readonly isLong: boolean;
}

/** A text as both databases look it up, and an upper bound of the rows found. */
interface SearchTerm {
  readonly match: string;
  readonly rarest: string;
  readonly pattern: string;
  readonly expected: number;
  /** Whether it is one trigram, and more rows have it than are of use. */
  readonly isCommon: boolean;
  /** Whether rows that match several terms are found by their lists alone: on SQLite. */
  readonly isList: boolean;
}

/** The terms of one group, and an upper bound of the rows found. */
interface SearchGroup {
  readonly texts: AnyText;
  readonly terms: readonly SearchTerm[];
  readonly expected: number;
}

/** `mostCandidates`: more rows than these are no help. */
export function defineTrigramIndex(table: string, mostCandidates: number): TrigramIndex {
  const openEstimates = createEstimates(table);

  async function narrow(estimates: Estimates, text: string, most: number): Promise<SearchTerm | undefined> {
    const points = [...text].slice(0, mostPoints);
    const start = points.join("");
    if (!start.isWellFormed() || start.includes("\0")) return undefined;
    const trigrams = new Set(trigramsOf(points));
    if (trigrams.size === 0) return undefined;
    const estimated = await estimates.of([...trigrams]);
    const [rarest, ...others] = estimated.toSorted((one, other) => one.expected - other.expected);
    if (rarest === undefined) return undefined;
    const useful = others.filter(({ expected }) => expected <= rarest.expected * mostTimesLonger);
    const chosen = [rarest, ...useful].slice(0, mostTrigrams);
    const quoted = chosen.map(({ part }) => `"${part.replaceAll('"', '""')}"`);
    const window = rarest.isList ? start : await windowAround(points, rarest.part, estimated, estimates);
    return {
      match: quoted.join(" AND "),
      rarest: quoted[0]!,
      pattern: `%${window.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
      expected: rarest.expected,
      isCommon: rarest.part === start && rarest.expected > most,
      isList: rarest.isList,
    };
  }

  async function narrowAny(estimates: Estimates, texts: AnyText, most: number): Promise<SearchGroup | undefined> {
    const narrowed = await Promise.all([...new Set(texts)].map((text) => narrow(estimates, text, most)));
    const terms = narrowed.filter((one) => one !== undefined);
    if (terms.length < narrowed.length || terms.length === 0) return undefined;
    return { texts, terms, expected: terms.reduce((sum, { expected }) => sum + expected, 0) };
  }

  /** Which of these groups, in the order of their rows, to look up together. */
  async function chooseGroups(
    estimates: Estimates,
    groups: readonly SearchGroup[],
    most: number,
  ): Promise<readonly SearchGroup[]> {
    const fewest = groups[0]?.expected ?? Number.POSITIVE_INFINITY;
    const longest = Math.max(fewest, mostCandidates) * mostTimesLongerOfGroup;
    const narrowing = groups.filter(({ expected }) => expected <= longest);
    const together = fewScans(narrowing);
    const matching = await estimates.together(together.map(({ texts }) => texts));
    if (matching !== undefined) return matching <= most && fewest <= Math.max(most, mostRowsRead) ? together : [];
    const lists = narrowing.filter(({ terms }) => terms.every(({ isList }) => isList));
    if (fewest <= mostRowsTogether && lists.length > 1) return lists;
    const alone = groups.find(
      ({ terms, expected }) => expected <= Math.max(most, mostRows) && !terms.some(({ isCommon }) => isCommon),
    );
    return alone === undefined ? [] : [alone];
  }

  return {
    create: { sqlite: "", postgres: createTrigrams(table) },
    exists: { sqlite: "true", postgres: hasTrigrams(table) },
    put: (select) => ({
      sqlite: `insert or replace into ${table} (rowid, text) ${select.sqlite}`,
      postgres: `insert into ${table} (id, text) ${select.postgres}
        on conflict (id) do update set text = excluded.text where ${table}.text <> excluded.text`,
    }),
    remove: sql`delete from ${table} where ${{ sqlite: "rowid", postgres: "id" }} in ${listed}`,
    clear: { sqlite: `insert into ${table} (${table}) values ('delete-all')`, postgres: `truncate ${table}` },
    beginMerge: { sqlite: `insert into ${table} (${table}, rank) values ('merge', -${mostMerged})`, postgres: "" },
    merge: { sqlite: `insert into ${table} (${table}, rank) values ('merge', ${mostMerged})`, postgres: "" },
    changes: { sqlite: "select total_changes() as count", postgres: "" },
    candidates: {
      sqlite: `select rowid as id from ${table} where ${table} match json_extract(?, '$.match') limit ${mostCandidates + 1}`,
      postgres: `${selectLike(table)} limit ${mostCandidates + 1}`,
    },
    sliceSize: mostCandidates,
    nextCandidates: {
      sqlite: `select rowid as id from ${table} where ${table} match json_extract(?, '$.match') and rowid > ? order by rowid limit ${mostCandidates}`,
      postgres: `${selectLike(table)} and id > ?`,
    },
    async choose(rows, groups, { most = mostCandidates, memory } = {}) {
      const estimates = openEstimates(rows, memory);
      const narrowed = await Promise.all(groups.map((group) => narrowAny(estimates, group, most)));
      const chosen = await chooseGroups(
        estimates,
        narrowed.filter((one) => one !== undefined).toSorted((one, other) => one.expected - other.expected),
        most,
      );
      const [best] = chosen;
      if (best === undefined) return undefined;
      const isList = best.terms.every((term) => term.isList);
      const likes = isList ? [] : chosen.map(({ terms }) => arrayOf(terms.map(({ pattern }) => pattern)));
      return {
        value: JSON.stringify({ match: chosen.map((group) => anyOf(group, "match")).join(" AND "), likes }),
        broad: JSON.stringify({ match: anyOf(best, "rarest"), likes }),
        expected: best.expected,
        isLong: best.expected > manyRows && !isList,
      };
    },
  };
}

/** The first groups that differ, and that PostgreSQL looks up in few scans. */
function fewScans(groups: readonly SearchGroup[]): readonly SearchGroup[] {
  const chosen = new Map<string, SearchGroup>();
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

/** For FTS5. */
function anyOf({ terms }: SearchGroup, by: "match" | "rarest"): string {
  return `(${terms.map((term) => `(${term[by]})`).join(" OR ")})`;
}

function trigramsOf(points: readonly string[]): string[] {
  return points.slice(2).map((last, place) => `${points[place]}${points[place + 1]}${last}`);
}

/**
 * The part of a text around its rarest trigram: as far as the next trigrams are useful too, and then while fewer rows have the whole text. GIN
 * looks for the rows of the rarest trigram in the lists of all.
 */
async function windowAround(
  points: readonly string[],
  rarest: string,
  estimated: readonly TrigramEstimate[],
  estimates: Estimates,
): Promise<string> {
  const trigrams = trigramsOf(points);
  const expected = new Map(estimated.map((one) => [one.part, one.expected]));
  const all = (await estimates.together([[""]])) ?? 0;
  const longest = Math.max(Math.max(expected.get(rarest)!, shortList) * mostTimesLonger, all * narrowingShare);
  // One across two words is none of the index, but adds those of the ends of the words.
  const rowsOf = (place: number): number =>
    place in trigrams ? (expected.get(trigrams[place]!) ?? longest) : Number.POSITIVE_INFINITY;
  let from = trigrams.indexOf(rarest);
  let last = from;
  while (last - from + 1 < mostTrigrams) {
    const [before, after] = [rowsOf(from - 1), rowsOf(last + 1)];
    if (Math.min(before, after) > longest) break;
    if (before < after) from -= 1;
    else last += 1;
  }
  const part = (first: number, end: number): string => points.slice(first, end + 3).join("");
  const rowsWith = async (first: number, end: number): Promise<number> =>
    first < 0 || end >= trigrams.length
      ? Number.POSITIVE_INFINITY
      : ((await estimates.together([[part(first, end)]])) ?? 0);
  const fewest = await rowsWith(0, trigrams.length - 1);
  while (last - from + 1 < mostTrigramsOfCommon && (await rowsWith(from, last)) > fewest) {
    const [before, after] = await Promise.all([rowsWith(from - 1, last), rowsWith(from, last + 1)]);
    if (before < after || (before === after && rowsOf(from - 1) < rowsOf(last + 1))) from -= 1;
    else last += 1;
  }
  return part(from, last);
}

/** Binds the JSON of a look-up. Planned for it, so that groups that it lacks are no conditions. */
function selectLike(table: string): string {
  const likes = Array.from(
    { length: mostGroups },
    (_, place) => `(given.likes ->> ${place} is null or text like any (cast(given.likes ->> ${place} as text[])))`,
  );
  return `select id from ${table}, (select cast(? as json) -> 'likes' as likes) as given where ${likes.join(" and ")}`;
}

/** A list of texts as PostgreSQL writes arrays. */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
}
