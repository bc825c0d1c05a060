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

/**
 * A look-up in one index, or in both: of the rows of either ("a name or a city contains berlin"), or of those in both ("a name contains adams, and a city
 * berlin").
 */
interface TextWay<What> {
  readonly kind: "one" | "either" | "both";
  readonly parts: readonly ({ readonly of: ContactTextIndex } & What)[];
}

type AskedWay = TextWay<{ readonly groups: readonly AnyText[] }>;
type ChosenWay = TextWay<{ readonly lookUp: TrigramLookUp }>;

interface AskedWays {
  readonly ways: readonly AskedWay[];
  /** Of groups of both indexes, where no other way finds few rows. */
  readonly inBoth: AskedWay | undefined;
}

function waysOf(groups: readonly AnyContactText[]): AskedWays {
  const split = groups.map((group) =>
    contactTextIndexes.flatMap((of) => {
      const texts = group.flatMap(({ column, text }) => (indexOf(column) === of ? text : []));
      return texts.length > 0 ? [{ of, groups: [texts] }] : [];
    }),
  );
  const alone = contactTextIndexes.flatMap((of) => {
    const own = split.filter((parts) => parts.length === 1 && parts[0]!.of === of);
    return own.length > 0 ? [{ of, groups: own.flatMap(([part]) => part!.groups) }] : [];
  });
  return {
    ways: [
      ...alone.map((part): AskedWay => ({ kind: "one", parts: [part] })),
      ...split.filter((parts) => parts.length > 1).map((parts): AskedWay => ({ kind: "either", parts })),
    ],
    inBoth: alone.length > 1 ? { kind: "both", parts: alone } : undefined,
  };
}

/** The most rows of each index of which those in both are looked for. */
const mostOfEach = 50_000;

/** Undefined if an index would find more than `most` rows, or the texts are too short. */
async function choose(
  reader: Reader<LocationContext>,
  { kind, parts }: AskedWay,
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
  return whole.length === parts.length ? { kind, parts: whole } : undefined;
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

const changed = (table: string, condition: string): SqlText => {
  const log = sql`(select event_id from ${table} where location_id = ?${condition} limit ${mostChanges + 1})`;
  return sql`select events.contact_id as id from ${eventsOf(log)}`;
};

const [names, others] = contactTextIndexes.map(({ index }) => index.rows);
const idsInBoth = sql`select id from (${names!}) as names where ${judged("id")} in (select id from (${others!}) as others) limit ${mostCandidates + 1}`;

/** Of each kind of look-up: the indexes, and what selects the ids that it finds. */
const lookUps = [
  ...contactTextIndexes.map((one) => ({ kind: "one", indexes: [one], found: [one.index.candidates] })),
  { kind: "either", indexes: contactTextIndexes, found: contactTextIndexes.map(({ index }) => index.candidates) },
  { kind: "both", indexes: contactTextIndexes, found: [idsInBoth] },
];

const keyOf = (kind: string, indexes: readonly ContactTextIndex[]): string =>
  [kind, ...indexes.map(({ name }) => name)].join(" ");

/** Statements of the look-ups, and of the changes alone. Each binds the location twice, after the look-ups. */
const statements = new Map(
  lookUps.map(({ kind, indexes, found }) => {
    const names = indexes.map(({ name }) => name);
    const ids = names.map((name) => textIndexIds[name]).join(", ");
    const since = ` and position > (select min(position) from text_indexes where id in (${ids}))`;
    const changedSince = [changed("event_positions", since), changed("unstamped_events", "")];
    const texts = {
      candidates: candidatesText(names, found, changedSince),
      changed: candidatesText(names, [], changedSince),
    };
    return [keyOf(kind, indexes), texts];
  }),
);

function statementsOf({ kind, parts }: ChosenWay) {
  const indexes = parts.map(({ of }) => of);
  return statements.get(keyOf(kind, indexes))!;
}

/**
 * The ids of all contacts of the location that may contain one text of each group, among others; undefined if an index is incomplete, or does
 * not help: the texts are too short or too common.
 */
export async function findCandidates(
  reader: Reader<LocationContext>,
  groups: readonly AnyContactText[],
): Promise<number[] | undefined> {
  const { ways, inBoth } = waysOf(groups);
  const fewest = await chooseFewest(reader, ways, mostCandidates);
  const found = fewest && (await readWay(reader, fewest));
  if (found !== undefined || inBoth === undefined) return found;
  const together = await choose(reader, inBoth, mostOfEach);
  return together && readWay(reader, together);
}

function readWay(reader: Reader<LocationContext>, way: ChosenWay): Promise<number[] | undefined> {
  const { id } = reader.location;
  const isLong = way.kind === "both";
  const lookUps = way.parts.map(({ lookUp }) => ({ ...lookUp, isLong: lookUp.isLong || isLong }));
  return readCandidates(reader, { text: statementsOf(way).candidates, lookUps, params: [id, id] });
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
  const ways = waysOf(groups).ways.filter(({ kind }) => kind === "one");
  const way = await chooseFewest(reader, ways, Number.POSITIVE_INFINITY);
  if (way === undefined) return undefined;
  const { id } = reader.location;
  const found = await reader.rows<CandidateRow>(statementsOf(way).changed, [id, id]);
  const { complete = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || changed.length > mostChanges) return undefined;
  return { ...way.parts[0]!, changed: [...new Set(changed.flatMap((row) => row.id ?? []))] };
}
