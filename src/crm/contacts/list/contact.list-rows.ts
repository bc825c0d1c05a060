/** The statements of the list: its rows and their count, for the whole list or a range. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { listedAsGiven } from "../../../storage/json.ts";
import { createKeptTexts } from "../../../storage/keyset/kept-texts.ts";
import { defineKeyset } from "../../../storage/keyset/keyset.ts";
import type { Position, Range } from "../../../storage/keyset/keyset.ts";
import type { Value } from "../../../storage/value.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { byIndex } from "../../../storage/query-plans.ts";
import { listIndex } from "../../contact.entity.ts";
import { contactsBy, contactsWithJoins, selectListed, selectRanked } from "../contact.row.ts";
import type { ListedRow, RankedRow } from "../contact.row.ts";
import type { PlannedConditions } from "./contact.list-plan.ts";
import { contactsOfKey, isKeyAlone } from "./few/contact.keyed.ts";
import { inSearchQueue } from "../../text-index/search-queue.ts";
import { limits } from "../../../vocabulary/limits.ts";

const givenContacts = sql`${listedAsGiven} cross join contacts`;
const isGiven = sql`contacts.id = given.value`;
const notDeleted = sql`contacts.location_id = ? and contacts.deleted_at is null`;

const feed = defineKeyset({ time: "contacts.last_activity_at", id: "contacts.id", estimates: true });
/** The same order in a form that no index matches: without statistics, SQLite would scan the whole feed for a single address. */
const keyed = defineKeyset({
  time: "coalesce(contacts.last_activity_at, contacts.created_at)",
  id: "contacts.id",
  estimates: true,
});

/** The first matching contacts of the range, in list order. */
export function findRows(...asked: AskedRows): Promise<ListedRow[]> {
  return findColumns(listedColumns, ...asked);
}

/** The same with their names and addresses alone: many are ranked, and few are shown. */
export function findRanked(...asked: AskedRows): Promise<RankedRow[]> {
  return findColumns(rankedColumns, ...asked);
}

type AskedRows = readonly [reader: Reader<LocationContext>, conditions: PlannedConditions, range: Range, most: number];

/** What is read of a contact, and the tables for that: of a whole list, and of the ids of `page`. */
interface ShownColumns {
  readonly what: string;
  readonly select: string;
  readonly from: string;
  readonly ofPage: string;
}

const listedColumns: ShownColumns = {
  what: "page",
  select: selectListed,
  from: contactsWithJoins,
  ofPage: contactsBy("page"),
};
const rankedColumns: ShownColumns = {
  what: "ranked",
  select: selectRanked,
  from: "contacts",
  ofPage: "contacts on contacts.id = page.id",
};

async function findColumns<Row>(
  { what, select, from, ofPage }: ShownColumns,
  ...[reader, conditions, range, most]: AskedRows
): Promise<Row[]> {
  const { texts, params, among, plan } = conditions;
  const keyset = plan.byKey ? keyed : feed;
  const bounds = keyset.within(range);
  const all = [...(among === undefined ? [] : [isGiven]), notDeleted, ...texts, ...bounds.texts];
  return ask<Row>(
    reader,
    conditions,
    { what, most },
    all,
    () =>
      texts.length === 0
        ? sql`${select} from ${from} where ${joinSql(all, " and ")} order by ${keyset.order} limit ${most}`
        : // A deferred join: the subquery finds the ids in the covering index, without visiting rows that are filtered out.
          sql`${select} from (${idsText(all, conditions, most)}) as page join ${ofPage} order by ${feed.order}`,
    [...(among === undefined ? [] : [among]), reader.location.id, ...params, ...bounds.params],
  );
}

/** The first matching contacts among few, and how many match: one look at each. */
export async function findAmong(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions & { readonly among: string },
  most: number,
): Promise<{ readonly found: ListedRow[]; readonly total: number }> {
  const { texts, params, among } = conditions;
  const all = [isGiven, notDeleted, ...texts];
  const rows = await ask<ListedRow & { readonly matching: number }>(
    reader,
    conditions,
    { what: "among", most },
    all,
    () => sql`${selectListed}, page.matching from (select contacts.id, count(*) over () as matching from ${givenContacts} where ${joinSql(all, " and ")} order by ${keyed.order} limit ${most}) as page
      join ${contactsBy("page")} order by ${feed.order}`,
    [among, reader.location.id, ...params],
  );
  return { found: rows.map(({ matching: _matching, ...row }) => row), total: Number(rows[0]?.matching ?? 0) };
}

/** Counts the matching contacts of the range, up to `most`, which bounds the cost. */
export async function countRows(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  range: Range,
  most: number,
): Promise<number> {
  const { texts, params, among, plan } = conditions;
  const keyset = plan.byKey ? keyed : feed;
  const bounds = keyset.within(range);
  const all = [...(among === undefined ? [] : [isGiven]), notDeleted, ...texts, ...bounds.texts];
  const [row] = await ask<{ total: number }>(
    reader,
    conditions,
    { what: "count", most },
    all,
    () => sql`select count(*) as total from (${idsText(all, conditions, most)}) as counted`,
    [...(among === undefined ? [] : [among]), reader.location.id, ...params, ...bounds.params],
  );
  return row?.total ?? 0;
}

/** The same among the first `first` contacts of the range. */
export async function countAmongFirst(
  reader: Reader<LocationContext>,
  { texts, params, plan: { scanned, isNarrowed } }: PlannedConditions,
  range: Range,
  { first, most }: { readonly first: number; readonly most: number },
): Promise<number> {
  const bounds = feed.within(range);
  const from = isNarrowed ? sql`contacts` : contactsInOrder;
  const inSlice = joinSql([notDeleted, ...scanned.texts, ...bounds.texts], " and ");
  const [row] = await reader.rowsOnce<{ total: number }>(
    sql`select count(*) as total from (select 1 as one from
      (select ${joinSql(texts, " and ")} as matches from ${from} where ${inSlice} order by ${feed.order} limit ?) as slice
      where matches limit ${most}) as counted`,
    [...params, reader.location.id, ...scanned.params, ...bounds.params, first],
  );
  return Number(row?.total ?? 0);
}

/** The position `count` contacts after `after`; undefined if there are fewer. */
export async function findPositionAfter(
  reader: Reader<LocationContext>,
  { plan: { scanned } }: PlannedConditions,
  after: Position | undefined,
  count: number,
): Promise<Position | undefined> {
  const bounds = feed.within({ after });
  const [row] = await reader.rowsOnce<{ last_activity_at: number; id: number }>(
    feed.positionText("contacts", [notDeleted, ...scanned.texts, ...bounds.texts]),
    [reader.location.id, ...scanned.params, ...bounds.params, count - 1],
  );
  return row && [row.last_activity_at, row.id];
}

/** How the same conditions are read. */
function wayOf({ inSlices, plan }: PlannedConditions): string {
  return inSlices === true ? "in slices" : plan.byKey ? "by key" : "at once";
}

const contactsInOrder = byIndex("contacts", listIndex);

function idsText(all: readonly SqlText[], conditions: PlannedConditions, most: number): SqlText {
  const { among, plan, inSlices = false } = conditions;
  const { order } = plan.byKey ? keyed : feed;
  if (isKeyAlone(conditions)) {
    const few = contactsOfKey(all.slice(0, 2));
    return sql`select contacts.id from ${few} where ${joinSql([sql`1 = 1`, ...all.slice(2)], " and ")} order by ${order} limit ${most}`;
  }
  const contacts = inSlices && !plan.isNarrowed ? contactsInOrder : sql`contacts`;
  const from = among === undefined ? contacts : givenContacts;
  return sql`select contacts.id from ${from} where ${joinSql(all, " and ")} order by ${order} limit ${most}`;
}

const keptText = createKeptTexts();

/**
 * The limits of pages and counts over HTTP: each limit is a statement of its own, by which PostgreSQL plans. Agents choose others, for which none is
 * kept. What is ranked always has the same.
 */
const repeatedLimits: ReadonlySet<number> = new Set([
  limits.pageSize + 1,
  limits.filteredTotalCap,
  limits.filteredTotalCap + 1,
]);

/**
 * Runs the statement that `make` builds of `all` conditions; among candidates, in the queue of searches. Common statements are memoized and prepared: building one
 * costs as much as a small read.
 */
function ask<Row>(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  { what, most }: { readonly what: string; readonly most: number },
  all: readonly SqlText[],
  make: () => SqlText,
  params: readonly Value[],
): Promise<Row[]> {
  const repeats = conditions.plan.repeats && (what === rankedColumns.what || repeatedLimits.has(most));
  const read = () =>
    repeats
      ? reader.rows<Row>(keptText(`${what} of ${most} ${wayOf(conditions)}`, all, make), params)
      : reader.rowsOnce<Row>(make(), params);
  return conditions.among === undefined ? read() : inSearchQueue(reader, read);
}
