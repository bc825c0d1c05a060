/** The probe of a trigram index: how many rows contain a text, from a bounded sample. */
import type { Rows } from "../rows.ts";
import type { SqlText } from "../sql-text.ts";

/** On SQLite, a trigram's list is cut into stretches, of each of which some entries are read: numbers assigned in order lie together. */
const stretches = 8;
const entriesAtStretch = 12;
/** The rows that are read on PostgreSQL: the next ones at ids that are spread by the golden ratio, since texts may repeat at round distances. */
const places = 100;
const rowsAtPlace = 5;
const fewPlaces = 3;
const golden = 0.61803398875;
/** The beginnings of the stretches as shares of all ids, spread in the same way. */
const stretchStarts = Array.from({ length: stretches }, (_, step) => (step * golden) % 1).toSorted(
  (one, other) => one - other,
);
/** How long a sample or an estimate serves, in milliseconds, of a table that is too large to become another one meanwhile. */
const keptMilliseconds = 60_000;
const largeTable = 10_000;
/** Estimates of trigrams that are kept: each costs a tenth of a millisecond. */
const mostKept = 5000;

export interface TrigramEstimate {
  readonly part: string;
  /** About how many rows contain it. */
  readonly expected: number;
  /** Whether it is estimated by a list of the index, not counted in a sample of texts. */
  readonly isList: boolean;
}

/** Where samples and estimates are kept, and the time. */
export interface SampleMemory {
  readonly holder: object;
  /** In milliseconds. */
  readonly now: number;
}

/** A folded text, and the number of the line that contains it; without one, any. */
export interface LookedUpText {
  readonly text: string;
  readonly line?: number | undefined;
  /** Whether the line begins with it, but for its first character, which stands for what is before the line. */
  readonly beginsLine?: boolean | undefined;
}

interface SampleRow {
  readonly text: string;
  readonly place: number;
  readonly lines: readonly string[];
  /** The whole text and its lines as pg_trgm reads them: words between single spaces. */
  readonly words: string;
  readonly wordsOfLines: readonly string[];
  /** The highest id, which is about the number of rows. */
  readonly last: number;
  /** Whether the locale of the database knows letters beyond ASCII. */
  readonly knows_letters: boolean;
}

interface Kept<What> {
  readonly until: number;
  readonly what: What;
}

/** An estimate, and the highest id in the table. */
interface ListRow extends Omit<TrigramEstimate, "isList"> {
  readonly last: number | null;
}

/** What was kept is of use: its time is not over, and the clock was not set back. */
function isFresh({ until }: Kept<unknown>, { now }: SampleMemory): boolean {
  return until > now && until <= now + keptMilliseconds;
}

export interface Estimates {
  /**
   * An estimate for those of some trigrams that the index answers: on PostgreSQL those of letters and digits of the database's locale, and those at
   * the beginning or the end of a word.
   */
  of(parts: readonly string[], line?: number): Promise<readonly TrigramEstimate[]>;
  /** About how many rows PostgreSQL finds by these trigrams together: those that it lists. */
  having(trigrams: readonly string[], line?: number): Promise<number>;
  /** Whether it estimates by line, which a sample of PostgreSQL tells. */
  isByLine(): Promise<boolean>;
  /** About how many rows contain one text of each group in its line; undefined where there is no sample. */
  together(groups: readonly (readonly LookedUpText[])[]): Promise<number | undefined>;
}

/** The result gives the estimates of one search of the index of `table`, which share a sample, read with the first. */
export function createEstimates(table: string): (rows: Rows, memory?: SampleMemory) => Estimates {
  const entriesText = `select rowid as id from ${table}
    where ${table} match '"' || replace(parts.value, '"', '""') || '"' and rowid > since and rowid <= until limit ${entriesAtStretch}`;
  const listsText: SqlText = {
    sqlite: `with ends as (select max(id) as last from ${table}_docsize),
      stretches as (select cast(first * last as integer) as since, cast(next * last as integer) as until
        from ends cross join (${stretchStarts.map((share, n) => `select ${share} as first, ${stretchStarts[n + 1] ?? 1} as next`).join(" union all ")}))
      select parts.value as part, (select last from ends) as last, (
        select sum((
          select case when count(*) < ${entriesAtStretch} then count(*) else ${entriesAtStretch} * (until - since) / (max(id) - since) end from (${entriesText})
        )) from stretches
      ) as expected
      from json_each(?) as parts where length(parts.value) = 3`,
    postgres: "",
  };
  const sampleText: SqlText = {
    sqlite: "",
    postgres: `with ends as (select min(id) as first, max(id) as last from ${table})
      select nearby.text, step as place, ends.last,
        (select datctype from pg_database where datname = current_database()) not in ('C', 'POSIX') as knows_letters
      from ends cross join generate_series(0, ${places - 1}) as step cross join lateral (
        select text from ${table} where id >= ends.first + cast((ends.last - ends.first) * mod(step * ${golden}, 1) as bigint) order by id limit ${rowsAtPlace}
      ) as nearby`,
  };
  const samples = new WeakMap<object, Kept<readonly SampleRow[]>>();
  const lists = new WeakMap<object, Map<string, Kept<TrigramEstimate>>>();

  async function readSample(rows: Rows, memory: SampleMemory | undefined): Promise<readonly SampleRow[]> {
    const kept = memory && samples.get(memory.holder);
    if (kept !== undefined && isFresh(kept, memory!)) return kept.what;
    const read = await rows.rows<Omit<SampleRow, "lines" | "words" | "wordsOfLines">>(sampleText);
    const sample = read.map((row) => {
      const lines = row.text.split("\n");
      const wordsIn = (text: string) => ` ${wordsOf(text, row.knows_letters)} `;
      return { ...row, lines, words: wordsIn(row.text), wordsOfLines: lines.map(wordsIn) };
    });
    if (memory !== undefined && (sample[0]?.last ?? 0) >= largeTable)
      samples.set(memory.holder, { until: memory.now + keptMilliseconds, what: sample });
    return sample;
  }

  async function readLists(rows: Rows, memory: SampleMemory | undefined, parts: readonly string[]) {
    const read = async (asked: readonly string[]): Promise<(ListRow & TrigramEstimate)[]> =>
      (await rows.rows<ListRow>(listsText, [JSON.stringify(asked)])).map((row) => ({ ...row, isList: true }));
    if (memory === undefined) return read(parts);
    const kept = lists.get(memory.holder) ?? new Map<string, Kept<TrigramEstimate>>();
    lists.set(memory.holder, kept);
    const known = parts.flatMap((part) => {
      const estimate = kept.get(part);
      return estimate !== undefined && isFresh(estimate, memory) ? [estimate.what] : [];
    });
    const names = new Set(known.map(({ part }) => part));
    const asked = parts.filter((part) => !names.has(part) && [...part].length === 3);
    if (asked.length === 0) return known;
    const lengths = await read(asked);
    if (kept.size + lengths.length > mostKept) kept.clear();
    for (const what of lengths)
      if ((what.last ?? 0) >= largeTable) kept.set(what.part, { until: memory.now + keptMilliseconds, what });
    return [...known, ...lengths];
  }

  return (rows, memory) => {
    let reading: Promise<readonly SampleRow[]> | undefined;
    const read = () => (reading ??= readSample(rows, memory));
    return {
      async of(parts, line) {
        const sample = await read();
        return sample.length === 0 ? readLists(rows, memory, parts) : countIn(sample, parts, line);
      },
      async having(trigrams, line) {
        const sample = await read();
        if (sample.length === 0) return 0;
        const listed = trigrams.flatMap((part) => flagsOf(sample, part, line) ?? []);
        return inTable(sample, countAll(sample, listed));
      },
      isByLine: async () => (await read()).length > 0,
      async together(groups) {
        const sample = await read();
        if (sample.length === 0) return undefined;
        const found = sample.filter((row) => groups.every((group) => group.some((part) => hasText(row, part))));
        return inTable(sample, placesOf(found));
      },
    };
  };
}

/** Lines follow line breaks. */
function hasText({ text, lines }: SampleRow, { text: part, line, beginsLine = false }: LookedUpText): boolean {
  if (line === undefined) return text.includes(part);
  const own = lines[line] ?? "";
  return beginsLine ? own.startsWith(part.slice(1)) : own.includes(part);
}

/** Neighbours resemble each other: those of few places are as one. */
function placesOf(found: readonly SampleRow[]): number {
  const places = new Set(found.map(({ place }) => place));
  return places.size < fewPlaces ? places.size : found.length;
}

/** What pg_trgm takes for letters: those of ASCII alone in the locale C. */
function wordsOf(text: string, knowsLetters: boolean): string {
  return text.replaceAll(knowsLetters ? /[^\p{L}\p{Nd}\p{Nl}]+/gu : /[^A-Za-z0-9]+/g, " ");
}

/** Three characters of a word, or its beginning or end: what pg_trgm lists, and is found in `words`. */
const listedTrigram = /^(?:[^ ]{3}| [^ ]{2}|[^ ]{2} | [^ ] )$/u;

/** One for each row of the sample: whether it has the trigram. */
type Flags = Uint8Array;

/** By sample: the flags of a trigram in a line; undefined for one that is not listed. */
const flagged = new WeakMap<readonly SampleRow[], Map<string, Flags | undefined>>();

/** The program counts, so that a search costs PostgreSQL no sample. Undefined if PostgreSQL does not list the trigram. */
function flagsOf(sample: readonly SampleRow[], part: string, line: number | undefined): Flags | undefined {
  const kept = flagged.get(sample) ?? new Map<string, Flags | undefined>();
  flagged.set(sample, kept);
  if (kept.size > mostKept) kept.clear();
  const key = `${line ?? ""} ${part}`;
  if (!kept.has(key)) {
    const word = wordsOf(part, sample[0]!.knows_letters);
    const isListed = listedTrigram.test(word);
    kept.set(key, isListed ? Uint8Array.from(sample, (row) => Number(hasTrigram(row, word, line))) : undefined);
  }
  return kept.get(key);
}

function countIn(sample: readonly SampleRow[], parts: readonly string[], line: number | undefined): TrigramEstimate[] {
  return parts.flatMap((part) => {
    const flags = flagsOf(sample, part, line);
    return flags === undefined ? [] : [{ part, expected: inTable(sample, countAll(sample, [flags])), isList: false }];
  });
}

/** How many rows of the sample have all of these. */
function countAll(sample: readonly SampleRow[], all: readonly Flags[]): number {
  let count = 0;
  for (let row = 0; row < sample.length; row++) if (all.every((flags) => flags[row] === 1)) count += 1;
  return count;
}

function hasTrigram({ words: all, wordsOfLines }: SampleRow, part: string, line: number | undefined): boolean {
  const words = line === undefined ? all : (wordsOfLines[line] ?? "");
  // A search that begins with the space, which begins each word, takes long.
  return words.includes(part.trim()) && words.includes(part);
}

/** Scales a count of the sample to the table. */
function inTable(sample: readonly SampleRow[], count: number): number {
  return Math.floor((count * sample[0]!.last) / sample.length);
}
