/** The list of contacts: newest activity first, with keyset pagination, filters and a total. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { requireScope } from "../../../operation/permission.ts";
import { page } from "../../../kit/page.ts";
import type { PageQuery } from "../../../kit/page.ts";
import { readPhone } from "../../../kit/phone.ts";
import { emailKey } from "../../../kit/text-key.ts";
import type { Position } from "../../../storage/keyset/keyset.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { countContacts } from "../contact-counts.ts";
import { findCandidates } from "../../contact-texts.ts";
import { contactColumns, scopeOfFilter } from "./contact.filter-fields.ts";
import { withRedirects } from "./contact.filter-redirects.ts";
import { parseFilterText } from "./contact.filters.ts";
import type { ContactFilters } from "./contact.filters.ts";
import { withTags } from "./contact.list-tags.ts";
import { planFilters } from "./contact.list-plan.ts";
import type { PlannedConditions } from "./contact.list-plan.ts";
import { costOf, inQueueOf, readInSlices, usualBounds } from "./contact.list-slices.ts";
import type { Bounds } from "./contact.list-slices.ts";
import { countRows, findRows } from "./contact.list-rows.ts";
import { hasNoLongTexts, sizeOfList } from "./contact.list-size.ts";
import { searchConditions } from "./contact.search.ts";
import { definedFields } from "../../custom-fields/custom-values.queries.ts";
import { requireCustomConditions } from "../../custom-fields/filters/custom-condition.ts";
import { findValued } from "./few/contact.valued.ts";
import { findTagged } from "./few/contact.tagged.ts";
import type { LongTexts } from "./substring.ts";
import type { ListedRow } from "../contact.row.ts";
import { toSummary } from "../contact.view.ts";
import type { ContactListView } from "../contact.view.ts";

export interface ContactListQuery {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly filters?: string | null | undefined;
  /** A text search (contact.search.ts). */
  readonly search?: string | undefined;
  readonly cursor?: string | null | undefined;
}

/** The parsed and folded filters. */
interface ContactFilter {
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  readonly filters: ContactFilters;
  readonly search?: string;
}

/**
 * One page. Refuses with 422 invalid `filters` and a cursor of another list, and refuses filters on fields that the reader may not see.
 * `bounds` affect speed only.
 */
export async function listContacts(
  reader: Reader<LocationContext>,
  { email, phone, filters = null, search, cursor, limit }: ContactListQuery & PageQuery,
  bounds: Bounds = usualBounds,
): Promise<ContactListView> {
  const filter: ContactFilter = {
    emailKey: email === undefined ? null : emailKey(email),
    phoneKey: phone === undefined ? null : readPhone(phone, reader.location.country).key,
    filters: filters === null ? [] : parseFilterText(filters),
    ...(search === undefined ? {} : { search }),
  };
  for (const { field } of filter.filters.flat()) requireScope(reader, scopeOfFilter(field));
  await requireCustomConditions(filter.filters.flat(), () => definedFields(reader, "contact"));
  const now = reader.tools.clock.now().getTime();
  const redirected = { ...filter, filters: await withRedirects(reader, filter.filters) };
  let total = 0;
  const { data, next_cursor } = await page(
    reader.tools.cursors,
    { cursor, limit },
    {
      // A cursor is bound to its list: the same location and the same filters.
      list: `contacts ${JSON.stringify([reader.location.id, filter])}`,
      async find(after: Position | undefined, most) {
        const read = await readList(reader, redirected, after, most, bounds);
        total = read.total;
        return withTags(reader, read.found);
      },
      placeOf: ({ row: { last_activity_at, id } }): Position => [last_activity_at, id],
      endsBefore: ({ tags }) => tags === undefined,
      show: ({ row, tags = [] }) => toSummary(row, tags, now),
    },
  );
  return { data, next_cursor, total };
}

interface Found {
  /** The rows of the page, plus one if another page follows. */
  readonly found: readonly ListedRow[];
  /** With filters, counted up to a cap. */
  readonly total: number;
}

/** How the matching contacts are read: at once, or in slices of the list. */
interface PlannedReading {
  readonly conditions: PlannedConditions;
  readonly slices?: { readonly size: number; readonly isOneSlice: boolean };
}

async function planReading(
  reader: Reader<LocationContext>,
  filter: ContactFilter,
  bounds: Bounds,
): Promise<PlannedReading> {
  const noLongTexts = searchesSubstrings(filter) && (await hasNoLongTexts(reader));
  const conditions = toConditions(reader, filter, noLongTexts ? "none" : "few");
  const { texts, plan } = conditions;
  if (texts.length === 0 || plan.isFew || plan.inOrder) return { conditions };
  const { longTexts, each, whole } = costOf(plan.cost, await sizeOfList(reader), bounds);
  if (whole <= bounds.atOnce) return { conditions };
  const few =
    (await findTagged(reader, conditions.tagged)) ??
    (await findValued(reader, conditions.valued)) ??
    (await findCandidates(reader, conditions.searched));
  // A long scan must handle long texts that are written in the meantime.
  const scanned = longTexts === "few" && !noLongTexts ? conditions : toConditions(reader, filter, longTexts);
  if (few !== undefined) return { conditions: amongFew(scanned, few) };
  return { conditions: scanned, slices: { size: bounds.piece / each, isOneSlice: whole <= bounds.piece } };
}

async function readList(
  reader: Reader<LocationContext>,
  filter: ContactFilter,
  after: Position | undefined,
  most: number,
  bounds: Bounds,
): Promise<Found> {
  const { conditions, slices } = await planReading(reader, filter, bounds);
  if (slices === undefined) return readAtOnce(reader, conditions, after, most);
  return inQueueOf(reader, (turn) => readScanning(reader, conditions, after, most, { turn, ...slices }));
}

/** The first `most` (a constant) contacts of the list that match `search`, without a total. */
export async function findNewest(
  reader: Reader<LocationContext>,
  search: string,
  most: number,
  bounds: Bounds = usualBounds,
): Promise<ListedRow[]> {
  const { conditions, slices } = await planReading(
    reader,
    { emailKey: null, phoneKey: null, filters: [], search },
    bounds,
  );
  if (slices === undefined) return findRows(reader, conditions, {}, most);
  return inQueueOf(reader, async (turn) => {
    const found: ListedRow[] = [];
    await readInSlices(reader, conditions, { turn, from: undefined, ...slices }, async (range) => {
      found.push(...(await findRows(reader, conditions, range, most)));
      return found.length >= most;
    });
    return found.slice(0, most);
  });
}

function amongFew(conditions: PlannedConditions, ids: readonly number[]): PlannedConditions {
  return { ...conditions, among: JSON.stringify(ids), plan: { ...conditions.plan, byKey: true, isFew: true } };
}

function searchesSubstrings({ filters, search }: ContactFilter): boolean {
  return (
    search !== undefined || filters.some((group) => group.some(({ op }) => op === "contains" || op === "starts_with"))
  );
}

async function readAtOnce(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  after: Position | undefined,
  most: number,
): Promise<Found> {
  const isNarrowed = conditions.texts.length > 0;
  // Count concurrently, unless the page itself may give the total.
  const counting = isNarrowed && after === undefined ? undefined : count(reader, conditions);
  const [found, counted] = await Promise.all([findRows(reader, conditions, { after }, most), counting]);
  // A first page that is not full is also the total.
  return { found, total: counted ?? (found.length < most ? found.length : await count(reader, conditions)) };
}

async function readScanning(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  after: Position | undefined,
  most: number,
  scan: Omit<Parameters<typeof readInSlices>[2], "from">,
): Promise<Found> {
  const found: ListedRow[] = [];
  await readInSlices(reader, conditions, { ...scan, from: after }, async (range) => {
    found.push(...(await findRows(reader, conditions, range, most)));
    return found.length >= most;
  });
  found.length = Math.min(found.length, most);
  if (after === undefined && found.length < most) return { found, total: found.length };
  // On a first page, counting continues after its last row.
  const last = after === undefined ? found.at(-1)! : undefined;
  let total = last === undefined ? 0 : found.length;
  const from = last && ([last.last_activity_at, last.id] satisfies Position);
  await readInSlices(reader, conditions, { ...scan, from }, async (range) => {
    total += await countRows(reader, conditions, range, limits.filteredTotalCap + 1);
    return total > limits.filteredTotalCap;
  });
  return { found, total: Math.min(total, limits.filteredTotalCap) };
}

async function count(reader: Reader<LocationContext>, conditions: PlannedConditions): Promise<number> {
  if (conditions.texts.length === 0) return countContacts(reader);
  return Math.min(await countRows(reader, conditions, {}, limits.filteredTotalCap + 1), limits.filteredTotalCap);
}

/** Combines `email`, `phone`, `search` and `filters`. */
function toConditions(
  { location }: Reader<LocationContext>,
  { emailKey, phoneKey, filters, search }: ContactFilter,
  longTexts: LongTexts,
): PlannedConditions {
  const {
    plan,
    searched: filtered,
    tagged,
    valued,
    ...compiled
  } = planFilters(filters, contactColumns(location, longTexts));
  const searched =
    search === undefined
      ? { texts: [], params: [], groups: [], cost: { each: 0, parts: 0 } }
      : searchConditions(search, location, longTexts);
  const exact = Object.entries({ email_key: emailKey, phone_key: phoneKey }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return {
    texts: [...exact.map(([column]) => sql`contacts.${column} = ?`), ...compiled.texts, ...searched.texts],
    params: [...exact.map(([, key]) => key), ...compiled.params, ...searched.params],
    searched: [...filtered, ...searched.groups],
    tagged,
    valued,
    plan: {
      byKey: exact.length > 0 || plan.byKey,
      isFew: exact.length > 0 || plan.isFew,
      inOrder: plan.inOrder && search === undefined,
      scanned: plan.scanned,
      cost: { each: plan.cost.each + searched.cost.each, parts: plan.cost.parts + searched.cost.parts },
      repeats: plan.repeats && search === undefined,
    },
  };
}
