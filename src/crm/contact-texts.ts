/**
 * The two text indexes of contacts, which follow the event log (contact-texts.follower.ts): one of names, e-mail address and phone number, by which people
 * are looked for, and one of all other texts. So the name of a city that many live in is rare among names.
 */
import type { LocationContext, Reader } from "../events/caller.ts";
import { defineTrigramIndex } from "../storage/reading/trigram-index.ts";
import type { AnyText, TrigramIndex, TrigramLookUp } from "../storage/reading/trigram-index.ts";
import { eventsOf } from "../events/following/positioned-events.ts";
import { byIndex } from "../storage/query-plans.ts";
import { sql } from "../storage/sql-text.ts";
import type { SqlText } from "../storage/sql-text.ts";
import {
  candidatesText,
  memoryOf,
  mostCandidates,
  mostChanges,
  readCandidates,
  textIndexIds,
} from "./text-index/text-index.ts";
import type { CandidateRow, TextIndexName } from "./text-index/text-index.ts";

/** The contacts of a location with texts longer than their keys, as `long`, by the partial index that lists the few. Binds the location. */
export const fromLongTexts = sql`from ${byIndex("contacts", "contacts_with_long_keys", "long")}
  where long.location_id = ? and long.deleted_at is null and long.long_keys is not null`;

export interface ContactTextIndex {
  readonly name: Extract<TextIndexName, "contact_names" | "contact_others">;
  readonly index: TrigramIndex;
}

/** Of the columns in `nameColumns`, and of both names with a space between them. */
export const contactNames: ContactTextIndex = {
  name: "contact_names",
  index: defineTrigramIndex("contact_name_texts", mostCandidates),
};
/** Of all other texts; rows of earlier versions contain the names as well. */
export const contactOthers: ContactTextIndex = {
  name: "contact_others",
  index: defineTrigramIndex("contact_other_texts", mostCandidates),
};
const both = [contactNames, contactOthers];

const nameColumns: ReadonlySet<string> = new Set([
  "name_key",
  "first_name_key",
  "last_name_key",
  "email_key",
  "phone_key",
]);

/** The index that contains a column. */
export const indexOf = (column: string): ContactTextIndex => (nameColumns.has(column) ? contactNames : contactOthers);

/** A folded text, and the column that contains it. */
export interface ContactText {
  readonly column: string;
  readonly text: string;
}

/** Texts of which a contact contains at least one. */
export type AnyContactText = readonly ContactText[];

/** A look-up in one index, or one in each, whose rows are united. */
type TextWay<What> = readonly ({ readonly of: ContactTextIndex } & What)[];
type AskedWay = TextWay<{ readonly groups: readonly AnyText[] }>;

/** The ways to look these groups up: those of one index together, or one of both. */
function waysOf(groups: readonly AnyContactText[]): AskedWay[] {
  const parts = groups.map((group): AskedWay =>
    both.flatMap((of) => {
      const texts = group.flatMap(({ column, text }) => (indexOf(column) === of ? text : []));
      return texts.length > 0 ? [{ of, groups: [texts] }] : [];
    }),
  );
  const alone = both.flatMap((of) => {
    const own = parts.filter((part) => part.length === 1 && part[0]!.of === of);
    return own.length > 0 ? [[{ of, groups: own.flatMap(([part]) => part!.groups) }]] : [];
  });
  return [...alone, ...parts.filter((part) => part.length > 1)];
}

type ChosenWay = TextWay<{ readonly lookUp: TrigramLookUp }>;

/** The way that finds the fewest rows; undefined if all would find more than `most`, or the texts are too short. */
async function chooseWay(
  reader: Reader<LocationContext>,
  ways: readonly AskedWay[],
  most: number,
): Promise<ChosenWay | undefined> {
  const memory = memoryOf(reader);
  const chosen = await Promise.all(
    ways.map((way) =>
      Promise.all(
        way.map(async ({ of, groups }) => {
          const lookUp = await of.index.choose(reader, groups, { most, memory });
          return lookUp === undefined ? [] : { of, lookUp };
        }),
      ),
    ),
  );
  const whole = chosen.map((way) => way.flat()).filter((way, place) => way.length === ways[place]!.length);
  return whole.toSorted((one, other) => expectedOf(one) - expectedOf(other))[0];
}

const expectedOf = (way: ChosenWay): number => way.reduce((sum, { lookUp }) => sum + lookUp.expected, 0);

const changed = (table: string, condition: string): SqlText => {
  const log = sql`(select event_id from ${table} where location_id = ?${condition} limit ${mostChanges + 1})`;
  return sql`select events.contact_id as id from ${eventsOf(log)}`;
};

/** Statements of the indexes, by their names. Each binds the location twice, after the look-ups. */
const statements = new Map(
  [[contactNames], [contactOthers], both].map((indexes) => {
    const names = indexes.map(({ name }) => name);
    const ids = names.map((name) => textIndexIds[name]).join(", ");
    const since = ` and position > (select min(position) from text_indexes where id in (${ids}))`;
    const changedSince = [changed("event_positions", since), changed("unstamped_events", "")];
    return [
      names.join(" "),
      {
        candidates: candidatesText(indexes, changedSince),
        changed: candidatesText(
          names.map((name) => ({ name })),
          changedSince,
        ),
      },
    ];
  }),
);

const statementsOf = (way: ChosenWay) => statements.get(way.map(({ of }) => of.name).join(" "))!;

/**
 * The ids of all contacts of the location that may contain one text of each group, among others; undefined if an index is incomplete, or does
 * not help: the texts are too short or too common.
 */
export async function findCandidates(
  reader: Reader<LocationContext>,
  groups: readonly AnyContactText[],
): Promise<number[] | undefined> {
  const way = await chooseWay(reader, waysOf(groups), mostCandidates);
  if (way === undefined) return undefined;
  const { id } = reader.location;
  const lookUps = way.map(({ lookUp }) => lookUp);
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
  const ways = waysOf(groups).filter((way) => way.length === 1);
  const way = await chooseWay(reader, ways, Number.POSITIVE_INFINITY);
  if (way === undefined) return undefined;
  const { id } = reader.location;
  const found = await reader.rows<CandidateRow>(statementsOf(way).changed, [id, id]);
  const { complete = [], changed = [] } = Object.groupBy(found, ({ origin }) => origin);
  if (complete.length === 0 || changed.length > mostChanges) return undefined;
  return { ...way[0]!, changed: [...new Set(changed.flatMap((row) => row.id ?? []))] };
}
