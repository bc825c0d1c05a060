/**
 * A text index by trigrams (runs of three code points), whose rows are candidates that the caller judges again: on SQLite an FTS5 table without
 * texts and positions, on PostgreSQL a table of texts with a GIN index of pg_trgm (of each line, if it has lines), if that extension is installed.
 */
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";
import { listed } from "../json.ts";
import { createTrigrams, hasTrigrams } from "./trigram-extension.ts";
import type { Rows } from "../rows.ts";
import { toAlphabet } from "./trigram-alphabets.ts";
import { createEstimates } from "./trigram-estimates.ts";
import type { Estimates, SampleMemory, LookedUpText } from "./trigram-estimates.ts";
import { fewScans, selectLikes, toScans } from "./trigram-likes.ts";
import { segmentsOf } from "./trigram-segments.ts";
import type { Segments } from "./trigram-segments.ts";
import { mostTimesLonger, mostTrigrams, trigramsOf, windowAround } from "./trigram-window.ts";

/** Folded texts of which a row contains at least one. */
export type AnyText = readonly LookedUpText[];

/** As `mostTimesLonger`, for other groups: SQLite skips in a list, and judging a row takes as long as reading a hundred entries. */
const mostTimesLongerOfGroup = 20;
/** Estimates of SQLite may miss entries that lie together. Lists are often this many times as long, sometimes much longer. */
const oftenLonger = 4;
/** Those that are shorter than this are not told apart. */
const leastTold = 1000;
/** The most rows of the rarest trigram, for which reading its list stays a matter of milliseconds. */
const mostRows = 50_000;
/** The same where SQLite looks up several groups together: it skips in their lists, or soon finds too many. */
const mostRowsTogether = 200_000;
/** The same on PostgreSQL, which reads rows of the rarest list in vain, up to half a second, where a scan of the table takes seconds. */
const mostRowsRead = 100_000;
/** A look-up of more rows takes PostgreSQL long. */
const manyRows = 50_000;
/** The most code points of a text that are looked up; a long text has rare trigrams early. */
const mostPoints = 34;

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
  readonly segments: Segments;
  /** A select of `id`; binds the `value` of the look-up. Not to be prepared: its plan depends on the texts. */
  rows(lookUp: TrigramLookUp): SqlText;
  /** The same for one candidate more than the most. */
  candidates(lookUp: TrigramLookUp): SqlText;
  /** The same for ids above a second value that is bound: on SQLite the next `sliceSize`; PostgreSQL finds all at once. */
  nextCandidates(lookUp: TrigramLookUp): SqlText;
  readonly sliceSize: number;
  /**
   * The look-up for `candidates`: by the group with the fewest rows, together with others that narrow it. Undefined if it would find too many
   * rows, or the index has no trigrams of any group.
   */
  choose(rows: Rows, groups: readonly AnyText[], options?: ChoiceOptions): Promise<TrigramLookUp | undefined>;
}

export interface ChoiceOptions {
  /** How many rows may match, at the most. Default: as many as `candidates` gives. */
  readonly most?: number;
  /** How many records a scan would read instead: more rows of lines are not read for it. */
  readonly scanned?: number | undefined;
  /** Keeps a sample of the texts, on PostgreSQL. */
  readonly memory?: SampleMemory;
}

export interface TrigramLookUp {
  /** Selects these columns of the table on PostgreSQL, on SQLite the id; binds `value`. */
  select(columns: readonly string[]): SqlText;
  readonly value: string;
  /** The same by the rarest trigrams alone, whose candidates SQLite finds faster, and are more. */
  readonly broad: string;
  /** About how many rows are found: on SQLite by the length of the shortest lists. */
  readonly expected: number;
  /** Whether it may take long, on PostgreSQL. */
  readonly isLong: boolean;
  /** Whether the rows of the index are the texts, which are judged faster than the records: on PostgreSQL. */
  readonly hasTexts: boolean;
}

/** A text as both databases look it up, and about how many rows are found. */
interface SearchTerm {
  readonly match: string;
  readonly rarest: string;
  readonly pattern: string;
  readonly line: number | undefined;
  readonly expected: number;
  /** Whether it is one trigram, and more rows have it than are of use. */
  readonly isCommon: boolean;
  /** Whether rows that match several terms are found by their lists alone: on SQLite. */
  readonly isList: boolean;
}

/** The terms of one group, and about how many rows are found. */
interface SearchGroup {
  readonly texts: AnyText;
  readonly terms: readonly SearchTerm[];
  readonly expected: number;
}

/** How a line of the texts is told from others. */
export interface IndexedLine {
  /** SQL of what PostgreSQL indexes of it. */
  readonly expression: string;
  /** In which SQLite indexes it (trigram-alphabets.ts). */
  readonly alphabet: number;
}

/** `mostCandidates`: more rows than these are no help. `lines`: in the order of the texts, if lines are told apart. */
export function defineTrigramIndex(
  table: string,
  mostCandidates: number,
  lines: readonly IndexedLine[] = [],
): TrigramIndex {
  const openEstimates = createEstimates(table);

  async function narrow(
    estimates: Estimates,
    { text, line, beginsLine = false }: LookedUpText,
    most: number,
  ): Promise<SearchTerm | undefined> {
    const points = [...text].slice(0, mostPoints);
    const start = points.join("");
    if (!start.isWellFormed() || start.includes("\0")) return undefined;
    const trigrams = new Set(trigramsOf(points));
    if (trigrams.size === 0) return undefined;
    const estimated = await estimates.of([...trigrams], line);
    const [rarest, ...others] = estimated.toSorted((one, other) => one.expected - other.expected);
    if (rarest === undefined) return undefined;
    // Where the rarest alone may find too many, any list narrows.
    const longest =
      rarest.expected * oftenLonger > mostCandidates
        ? mostRowsTogether
        : Math.max(rarest.expected, leastTold) * mostTimesLonger;
    const useful = others.filter(({ expected }) => expected <= longest);
    const chosen = [rarest, ...useful].slice(0, mostTrigrams);
    const quoted = chosen.map(({ part }) => `"${part.replaceAll('"', '""')}"`);
    const window = rarest.isList
      ? start
      : await windowAround(points, { rarest: rarest.part, line, estimated }, estimates);
    return {
      match: quoted.join(" AND "),
      rarest: quoted[0]!,
      pattern: patternOf(window, beginsLine && start.startsWith(window)),
      line,
      expected: rarest.expected,
      isCommon: rarest.part === start && rarest.expected > most,
      isList: rarest.isList,
    };
  }

  /** On SQLite, where lines that share an alphabet are one. */
  function inOwnAlphabet({ text, line }: LookedUpText): LookedUpText {
    return { text: line === undefined ? text : toAlphabet(text, lines[line - 1]!.alphabet) };
  }

  async function narrowAny(estimates: Estimates, texts: AnyText, most: number): Promise<SearchGroup | undefined> {
    const asked = (await estimates.isByLine()) ? texts : texts.map(inOwnAlphabet);
    const different = new Map(asked.map((text) => [JSON.stringify(text), text]));
    const narrowed = await Promise.all([...different.values()].map((text) => narrow(estimates, text, most)));
    const terms = narrowed.filter((one) => one !== undefined);
    if (terms.length < narrowed.length || terms.length === 0) return undefined;
    return { texts, terms, expected: terms.reduce((sum, { expected }) => sum + expected, 0) };
  }

  /** Which of these groups, in the order of their rows, to look up together, and about how many rows match all of them where a sample tells. */
  async function chooseGroups(
    estimates: Estimates,
    groups: readonly SearchGroup[],
    { most, scanned }: { readonly most: number; readonly scanned: number | undefined },
  ): Promise<{ readonly chosen: readonly SearchGroup[]; readonly found?: number }> {
    const fewest = groups[0]?.expected ?? Number.POSITIVE_INFINITY;
    const longest = Math.max(fewest, mostCandidates) * mostTimesLongerOfGroup;
    const narrowing = groups.filter(({ expected }) => expected <= longest);
    const together = fewScans(narrowing);
    const matching = await estimates.together(together.map(({ texts }) => texts));
    if (matching !== undefined) {
      const areLines = together.some(({ texts }) => texts.some(({ line }) => line !== undefined));
      const mostRead = areLines && scanned !== undefined ? await mostLines(estimates, scanned) : mostRowsRead;
      const isWorth = matching <= most && fewest <= Math.max(most, mostRead);
      return { chosen: isWorth ? together : [], found: matching };
    }
    const lists = narrowing.filter(({ terms }) => terms.every(({ isList }) => isList));
    if (fewest <= mostRowsTogether && lists.length > 1) return { chosen: lists };
    const alone = groups.find(
      ({ terms, expected }) => expected <= Math.max(most, mostRows) && !terms.some(({ isCommon }) => isCommon),
    );
    return { chosen: alone === undefined ? [] : [alone] };
  }

  const rows = ({ select }: TrigramLookUp): SqlText => select(["id"]);
  const expressionOf = (line: number | undefined): string =>
    line === undefined ? "text" : lines[line - 1]!.expression;

  return {
    create: {
      sqlite: "",
      postgres: createTrigrams(table, lines.length > 0 ? lines.map(({ expression }) => expression) : ["text"]),
    },
    exists: { sqlite: "true", postgres: hasTrigrams(table) },
    put: (select) => ({
      sqlite: `insert or replace into ${table} (rowid, text) ${select.sqlite}`,
      postgres: `insert into ${table} (id, text) ${select.postgres}
        on conflict (id) do update set text = excluded.text where ${table}.text <> excluded.text`,
    }),
    remove: sql`delete from ${table} where ${{ sqlite: "rowid", postgres: "id" }} in ${listed}`,
    clear: { sqlite: `insert into ${table} (${table}) values ('delete-all')`, postgres: `truncate ${table}` },
    segments: segmentsOf(table),
    rows,
    candidates: (lookUp) => sql`${rows(lookUp)} limit ${mostCandidates + 1}`,
    sliceSize: mostCandidates,
    nextCandidates: (lookUp) => ({
      sqlite: `${rows(lookUp).sqlite} and rowid > ? order by rowid limit ${mostCandidates}`,
      postgres: `${rows(lookUp).postgres} and id > ?`,
    }),
    async choose(rows, groups, { most = mostCandidates, scanned, memory } = {}) {
      const estimates = openEstimates(rows, memory);
      const narrowed = await Promise.all(groups.map((group) => narrowAny(estimates, group, most)));
      const { chosen, found } = await chooseGroups(
        estimates,
        narrowed.filter((one) => one !== undefined).toSorted((one, other) => one.expected - other.expected),
        { most, scanned },
      );
      const [best] = chosen;
      if (best === undefined) return undefined;
      const isList = best.terms.every((term) => term.isList);
      const scans = isList ? [] : toScans(chosen);
      const likes = scans.flat().map(({ pattern }) => pattern);
      return {
        select: (columns) => ({
          sqlite: `select rowid as id from ${table} where ${table} match json_extract(?, '$.match')`,
          postgres: selectLikes({ table, columns, scans, expressionOf }),
        }),
        value: JSON.stringify({ match: chosen.map((group) => anyOf(group, "match")).join(" AND "), likes }),
        broad: JSON.stringify({ match: anyOf(best, "rarest"), likes }),
        expected: found ?? best.expected,
        isLong: best.expected > manyRows && !isList,
        hasTexts: !isList,
      };
    },
  };
}

/** Reading all rows of lines takes a third of the time of a scan of as many records, and reading a row by the index more than twice that of one. */
async function mostLines(estimates: Estimates, scanned: number): Promise<number> {
  const all = (await estimates.together([[{ text: "" }]])) ?? 0;
  return all <= 2 * scanned ? all : 0.4 * scanned;
}

/** Of a part of a text, which is anywhere, or begins with the character before a line. */
function patternOf(part: string, beginsLine: boolean): string {
  const escaped = (beginsLine ? part.slice(1) : part).replaceAll(/[\\%_]/g, String.raw`\$&`);
  return beginsLine ? `${escaped}%` : `%${escaped}%`;
}

/** For FTS5. */
function anyOf({ terms }: SearchGroup, by: "match" | "rarest"): string {
  return `(${terms.map((term) => `(${term[by]})`).join(" OR ")})`;
}
