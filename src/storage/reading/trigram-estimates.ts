/** The probe of a trigram index: how many rows contain a text, from a bounded sample. */
import type { Rows } from "../rows.ts";
import type { SqlText } from "../sql-text.ts";

/** The entries of a trigram's list that are read on SQLite. */
const entries = 100;
/** The rows that are read on PostgreSQL: the next ones at ids that are spread by the golden ratio, since texts may repeat at round distances. */
const places = 100;
const rowsAtPlace = 5;
const golden = 0.61803398875;
/** How long a sample or an estimate serves, in milliseconds, of a table that is too large to become another one meanwhile. */
const keptMilliseconds = 60_000;
const largeTable = 10_000;
/** Estimates of trigrams that are kept: each costs SQLite a tenth of a millisecond. */
const mostKept = 5000;

export interface TrigramEstimate {
  readonly part: string;
  /** About how many rows contain it. */
  readonly expected: number;
  /** Whether it is the length of a list of the index, not counted in a sample. */
  readonly isList: boolean;
}

/** Where samples and estimates are kept, and the time. */
export interface SampleMemory {
  readonly holder: object;
  /** In milliseconds. */
  readonly now: number;
}

interface SampleRow {
  readonly text: string;
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

/**
 * Gives an estimate for those of some texts that the index answers: on SQLite trigrams; on PostgreSQL trigrams of letters and digits of the
 * database's locale, and longer texts.
 */
export type Estimate = (parts: readonly string[]) => Promise<readonly TrigramEstimate[]>;

/** The result gives the estimates of one search of the index of `table`, which share a sample, read with the first. */
export function createEstimates(table: string): (rows: Rows, memory?: SampleMemory) => Estimate {
  const listsText: SqlText = {
    sqlite: `select value as part, (select max(id) from ${table}_docsize) as last, (
        select case when count(*) < ${entries} then count(*) else ${entries} * (select max(id) from ${table}_docsize) / max(id) end
        from (select rowid as id from ${table} where ${table} match '"' || replace(parts.value, '"', '""') || '"' limit ${entries})
      ) as expected
      from json_each(?) as parts where length(value) = 3`,
    postgres: "",
  };
  const sampleText: SqlText = {
    sqlite: "",
    postgres: `with ends as (select min(id) as first, max(id) as last from ${table})
      select nearby.text, ends.last,
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
    const sample = await rows.rows<SampleRow>(sampleText);
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
    return async (parts) => {
      const sample = await (reading ??= readSample(rows, memory));
      return sample.length === 0 ? readLists(rows, memory, parts) : countIn(sample, parts);
    };
  };
}

/** The program counts, so that a search costs PostgreSQL no sample. */
function countIn(sample: readonly SampleRow[], parts: readonly string[]): TrigramEstimate[] {
  const [{ last, knows_letters: knowsLetters }] = sample as readonly [SampleRow];
  return parts.flatMap((part) => {
    const isAnswered =
      [...part].length > 3 || (/^[\p{L}\p{N}]+$/u.test(part) && (knowsLetters || /^[!-~]+$/.test(part)));
    if (!isAnswered) return [];
    const hits = sample.filter(({ text }) => text.includes(part)).length;
    return [{ part, expected: Math.floor((hits * last) / sample.length), isList: false }];
  });
}
