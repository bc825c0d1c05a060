/** Looks contacts up in their text indexes, by the way that finds the fewest. */
import type { LocationContext, Reader } from "../events/caller.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import type { AnyText, TrigramLookUp } from "../storage/reading/trigram-index.ts";
import { judged } from "../storage/query-plans.ts";
import { joinSql, sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import type { Value } from "../storage/value.ts";
import { contactTextIndexes, indexOf } from "./contact-texts.ts";
import type { AnyContactText, ContactTextIndex, TextCondition } from "./contact-texts.ts";
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

/** What is looked up in an index: one text of each group; all conditions hold for each match. */
interface AskedPart {
  readonly of: ContactTextIndex;
  readonly groups: readonly AnyText[];
  readonly conditions: readonly TextCondition[];
}

type ChosenPart = AskedPart & { readonly lookUp: TrigramLookUp };

/** Parts of which a match is found by either or by both. */
interface TextWay<Part> {
  readonly isInBoth: boolean;
  readonly parts: readonly Part[];
}

type AskedWay = TextWay<AskedPart>;
type ChosenWay = TextWay<ChosenPart>;

interface AskedWays {
  /** By the groups of one index: "a name contains adams". */
  readonly alone: readonly AskedWay[];
  /** By a group of both, of which the rows of either are united: "a name or a city contains berlin". */
  readonly united: readonly AskedWay[];
  /** By the groups of each, for the rows that are in both: "a name contains adams, and a city berlin". */
  readonly inBoth: AskedWay | undefined;
}

function waysOf(groups: readonly AnyContactText[]): AskedWays {
  const split = groups.map(({ texts, condition }) => {
    const of = contactTextIndexes.filter((one) => texts.some(({ column }) => indexOf(column) === one));
    // One index does not judge texts of the other.
    const judgedBy = of.length === 1 ? condition : undefined;
    return of.map((one): AskedPart => {
      const own = texts.filter(({ column }) => indexOf(column) === one);
      const group = own.map(({ column, ...text }) => ({ ...text, line: one.index.lineOf(column) }));
      return { of: one, groups: [group], conditions: judgedBy ? [judgedBy] : [] };
    });
  });
  const own = contactTextIndexes.flatMap((of) => {
    const mine = split.flatMap((parts) => (parts.length === 1 && parts[0]!.of === of ? parts : []));
    const conditions = mine.flatMap((part) => part.conditions);
    return mine.length > 0 ? [{ of, groups: mine.flatMap((part) => part.groups), conditions }] : [];
  });
  return {
    alone: own.map((part) => ({ isInBoth: false, parts: [part] })),
    united: split.filter((parts) => parts.length > 1).map((parts) => ({ isInBoth: false, parts })),
    inBoth: own.length > 1 ? { isInBoth: true, parts: own } : undefined,
  };
}

/** The most rows of each index of which those in both are looked for. */
const mostOfEach = 50_000;

interface Choice {
  /** The most rows that may match. */
  readonly most: number;
  /** How many records a scan would read instead. */
  readonly scanned?: number | undefined;
}

/** Undefined if an index would find too many rows, or the texts are too short. */
async function choose(
  reader: Reader<LocationContext>,
  { isInBoth, parts }: AskedWay,
  choice: Choice,
): Promise<ChosenWay | undefined> {
  const options = { ...choice, memory: memoryOf(reader) };
  const chosen = await Promise.all(
    parts.map(async (part) => {
      const lookUp = await part.of.index.choose(reader, part.groups, options);
      return lookUp === undefined ? [] : { ...part, lookUp };
    }),
  );
  const whole = chosen.flat();
  return whole.length === parts.length ? { isInBoth, parts: whole } : undefined;
}

/** The way that finds the fewest rows. */
async function chooseFewest(
  reader: Reader<LocationContext>,
  ways: readonly AskedWay[],
  choice: Choice,
): Promise<ChosenWay | undefined> {
  const chosen = await Promise.all(ways.map((way) => choose(reader, way, choice)));
  const found = chosen.filter((way) => way !== undefined);
  return found.toSorted((one, other) => expectedOf(one) - expectedOf(other))[0];
}

const expectedOf = ({ parts }: ChosenWay): number => parts.reduce((sum, { lookUp }) => sum + lookUp.expected, 0);

/**
 * The ids of all contacts of the location that may contain one text of each group, among others; undefined if an index is incomplete, or does
 * not help: the texts are too short or too common. `scanned`: how many records a scan would read instead, if not usually many.
 */
export async function findCandidates(
  reader: Reader<LocationContext>,
  groups: readonly AnyContactText[],
  { scanned }: Pick<Choice, "scanned"> = {},
): Promise<number[] | undefined> {
  const { alone, united, inBoth } = waysOf(groups);
  const fewest = await chooseFewest(reader, [...alone, ...united], { most: mostCandidates, scanned });
  const found = fewest && (await readWay(reader, fewest));
  if (found !== undefined || inBoth === undefined) return found;
  const together = await choose(reader, inBoth, { most: mostOfEach });
  return together && readWay(reader, together);
}

interface BoundSelect {
  readonly text: SqlText;
  readonly values: readonly Value[];
}

/** The ids that the index finds. Where it has the lines of a text, it judges them: few of many rows may have the text where it is looked for. */
function idsOf({ id }: LocationContext, { of: { index }, conditions, lookUp }: ChosenPart): BoundSelect {
  if (!lookUp.hasTexts || conditions.length === 0) return { text: index.rows(lookUp), values: [lookUp.value] };
  const judgedBy = joinSql(
    conditions.map(({ text }) => text),
    " and ",
  );
  return {
    text: sql`select contacts.id from ${index.records(lookUp)} where contacts.location_id = ? and ${judgedBy}`,
    values: [lookUp.value, id, ...conditions.flatMap(({ params }) => params)],
  };
}

const some = (ids: SqlText): SqlText => sql`${ids} limit ${mostCandidates + 1}`;

function inAll(ids: readonly SqlText[]): SqlText {
  const [first, ...others] = ids;
  const isInOthers = joinSql(
    others.map((other) => sql`${judged("id")} in (${other})`),
    " and ",
  );
  return sql`select id from (${first!}) as one where ${isInOthers}`;
}

function readWay(reader: Reader<LocationContext>, { isInBoth, parts }: ChosenWay): Promise<number[] | undefined> {
  const ids = parts.map((part) => idsOf(reader.location, part));
  const texts = ids.map(({ text }) => text);
  const { id } = reader.location;
  return readCandidates(reader, {
    text: writeCandidates(
      parts.map(({ of }) => of),
      isInBoth ? [some(inAll(texts))] : texts.map(some),
    ),
    values: [...ids.flatMap(({ values }) => values), id, id],
    isLong: isInBoth || parts.some(({ lookUp }) => lookUp.isLong),
  });
}

/** What an index knows of texts that any number of contacts may contain. */
export interface IndexedTexts {
  readonly of: ContactTextIndex;
  readonly lookUp: TrigramLookUp;
  /** Whether the index decides by itself which of its rows match all groups. */
  readonly isWhole: boolean;
  /** The contacts that changed since the index was updated, which it may lack or give wrongly. */
  readonly changed: readonly number[];
}

const changedText = new Map(contactTextIndexes.map((of) => [of, writeCandidates([of], [])]));

/** The same without candidates, by one index, however common the texts are. */
export async function findIndexed(
  reader: Reader<LocationContext>,
  groups: readonly AnyContactText[],
): Promise<IndexedTexts | undefined> {
  const way = await chooseFewest(reader, waysOf(groups).alone, { most: Number.POSITIVE_INFINITY });
  const part = way?.parts[0];
  if (part === undefined) return undefined;
  const { of, lookUp, conditions } = part;
  const { id } = reader.location;
  const found = await reader.rows<CandidateRow>(changedText.get(of)!, [id, id]);
  const { complete = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || changed.length > mostChanges) return undefined;
  const isWhole = lookUp.hasTexts && conditions.length === groups.length;
  return { of, lookUp, isWhole, changed: [...new Set(changed.flatMap((row) => row.id ?? []))] };
}
