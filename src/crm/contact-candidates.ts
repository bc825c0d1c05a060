/** Looks contacts up in their text indexes, by the way that finds the fewest. */
import type { LocationContext, Reader } from "../events/caller.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import type { AnyText, TrigramLookUp } from "../storage/reading/trigram-index.ts";
import { judged } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import { contactTextIndexes, indexOf } from "./contact-texts.ts";
import type { AnyContactText, ContactTextIndex } from "./contact-texts.ts";
import {
  candidatesText,
  memoryOf,
  mostCandidates,
  mostChanges,
  readCandidates,
  textIndexIds,
} from "./text-index/text-index.ts";
import type { CandidateRow } from "./text-index/text-index.ts";

const changed = (table: string, condition: string): SqlText => {
  const log = sql`(select event_id from ${table} where location_id = ?${condition} limit ${mostChanges + 1})`;
  return sql`select events.contact_id as id from ${eventsOf(log)}`;
};

/** `found` selects the ids that the indexes find, and binds their look-ups; the location is bound twice after them. */
function writeCandidates(indexes: readonly ContactTextIndex[], found: readonly SqlText[]): SqlText {
  const names = indexes.map(({ name }) => name);
  const ids = names.map((name) => textIndexIds[name]).join(", ");
  const since = ` and position > (select min(position) from text_indexes where id in (${ids}))`;
  return candidatesText(names, found, [changed("event_positions", since), changed("unstamped_events", "")]);
}

/** An index, its candidates, and the changes alone that it may lack. */
interface SearchedIndex extends ContactTextIndex {
  readonly candidates: SqlText;
  readonly changed: SqlText;
}

const indexes = contactTextIndexes.map((one): SearchedIndex => ({
  ...one,
  candidates: writeCandidates([one], [one.index.candidates]),
  changed: writeCandidates([one], []),
}));

const ofEither = writeCandidates(
  indexes,
  indexes.map(({ index }) => index.candidates),
);
const [nameRows, otherRows] = indexes.map(({ index }) => index.rows);
const ofBoth = writeCandidates(indexes, [
  sql`select id from (${nameRows!}) as names where ${judged("id")} in (select id from (${otherRows!}) as others) limit ${mostCandidates + 1}`,
]);

/** A look-up in one index or in both, and the statement that it is bound to. */
interface TextWay<What> {
  readonly candidates: SqlText;
  readonly parts: readonly ({ readonly of: SearchedIndex } & What)[];
}

type AskedWay = TextWay<{ readonly groups: readonly AnyText[] }>;
type ChosenWay = TextWay<{ readonly lookUp: TrigramLookUp }>;

interface AskedWays {
  /** By the groups of one index: "a name contains adams". */
  readonly alone: readonly AskedWay[];
  /** By a group of both, of which the rows of either are united: "a name or a city contains berlin". */
  readonly united: readonly AskedWay[];
  /** By the groups of each, for the rows that are in both: "a name contains adams, and a city berlin". */
  readonly inBoth: AskedWay | undefined;
}

function waysOf(groups: readonly AnyContactText[]): AskedWays {
  const split = groups.map((group) =>
    indexes.flatMap((of) => {
      const texts = group.flatMap(({ column, text }) => (indexOf(column).name === of.name ? text : []));
      return texts.length > 0 ? [{ of, groups: [texts] }] : [];
    }),
  );
  const own = indexes.flatMap((of) => {
    const mine = split.flatMap((parts) => (parts.length === 1 && parts[0]!.of === of ? parts : []));
    return mine.length > 0 ? [{ of, groups: mine.flatMap((part) => part.groups) }] : [];
  });
  return {
    alone: own.map((part) => ({ candidates: part.of.candidates, parts: [part] })),
    united: split.filter((parts) => parts.length > 1).map((parts) => ({ candidates: ofEither, parts })),
    inBoth: own.length > 1 ? { candidates: ofBoth, parts: own } : undefined,
  };
}

/** The most rows of each index of which those in both are looked for. */
const mostOfEach = 50_000;

/** Undefined if an index would find more than `most` rows, or the texts are too short. */
async function choose(
  reader: Reader<LocationContext>,
  { candidates, parts }: AskedWay,
  most: number,
): Promise<ChosenWay | undefined> {
  const memory = memoryOf(reader);
  const chosen = await Promise.all(
    parts.map(async ({ of, groups }) => {
      const lookUp = await of.index.choose(reader, groups, { most, memory });
      return lookUp === undefined ? [] : { of, lookUp };
    }),
  );
  const whole = chosen.flat();
  return whole.length === parts.length ? { candidates, parts: whole } : undefined;
}

/** The way that finds the fewest rows. */
async function chooseFewest(
  reader: Reader<LocationContext>,
  ways: readonly AskedWay[],
  most: number,
): Promise<ChosenWay | undefined> {
  const chosen = await Promise.all(ways.map((way) => choose(reader, way, most)));
  const found = chosen.filter((way) => way !== undefined);
  return found.toSorted((one, other) => expectedOf(one) - expectedOf(other))[0];
}

const expectedOf = ({ parts }: ChosenWay): number => parts.reduce((sum, { lookUp }) => sum + lookUp.expected, 0);

/**
 * The ids of all contacts of the location that may contain one text of each group, among others; undefined if an index is incomplete, or does
 * not help: the texts are too short or too common.
 */
export async function findCandidates(
  reader: Reader<LocationContext>,
  groups: readonly AnyContactText[],
): Promise<number[] | undefined> {
  const { alone, united, inBoth } = waysOf(groups);
  const fewest = await chooseFewest(reader, [...alone, ...united], mostCandidates);
  const found = fewest && (await readWay(reader, fewest));
  if (found !== undefined || inBoth === undefined) return found;
  const together = await choose(reader, inBoth, mostOfEach);
  return together && readWay(reader, together);
}

function readWay(reader: Reader<LocationContext>, { candidates, parts }: ChosenWay): Promise<number[] | undefined> {
  const { id } = reader.location;
  return readCandidates(reader, {
    text: candidates,
    values: [...parts.map(({ lookUp }) => lookUp.value), id, id],
    isLong: candidates === ofBoth || parts.some(({ lookUp }) => lookUp.isLong),
  });
}

/** What an index knows of texts that any number of contacts may contain. */
export interface IndexedTexts {
  readonly of: ContactTextIndex;
  readonly lookUp: TrigramLookUp;
  /** The contacts that changed since the index was updated, which it may lack or give wrongly. */
  readonly changed: readonly number[];
}

/** The same without candidates, by one index, however common the texts are. */
export async function findIndexed(
  reader: Reader<LocationContext>,
  groups: readonly AnyContactText[],
): Promise<IndexedTexts | undefined> {
  const way = await chooseFewest(reader, waysOf(groups).alone, Number.POSITIVE_INFINITY);
  const part = way?.parts[0];
  if (part === undefined) return undefined;
  const { id } = reader.location;
  const found = await reader.rows<CandidateRow>(part.of.changed, [id, id]);
  const { complete = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || changed.length > mostChanges) return undefined;
  return { ...part, changed: [...new Set(changed.flatMap((row) => row.id ?? []))] };
}
