/** The list of contacts: newest activity first, with keyset pagination, filters and a total. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { requireScope } from "../../../operation/permission.ts";
import { page } from "../../../kit/page.ts";
import type { PageQuery } from "../../../kit/page.ts";
import { readPhone } from "../../../kit/phone.ts";
import { emailKey } from "../../../kit/text-key.ts";
import type { Position } from "../../../storage/keyset/keyset.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { countContacts } from "../contact-counts.ts";
import { scopeOfFilter } from "./contact.filter-fields.ts";
import { withRedirects } from "./contact.filter-redirects.ts";
import { parseFilterText } from "./contact.filters.ts";
import { withTags } from "./contact.list-tags.ts";
import type { PlannedConditions } from "./contact.list-plan.ts";
import { amongIds, planReading, planScan } from "./contact.list-reading.ts";
import type { ContactFilter, PlannedReading } from "./contact.list-reading.ts";
import { countInSlices, forPage, inQueueOf, readInSlices, usualBounds } from "./contact.list-slices.ts";
import type { Bounds } from "./contact.list-slices.ts";
import { countRows, findAmong, findRanked, findRows } from "./contact.list-rows.ts";
import { countByIndex } from "./counting/indexed-count.ts";
import { beginTotal } from "./counting/remembered-totals.ts";
import { isKeyAlone } from "./few/contact.keyed.ts";
import { mostFoundFirst } from "./few/fewest-contacts.ts";
import { definedFields } from "../../custom-fields/custom-values.queries.ts";
import { requireCustomConditions } from "../../custom-fields/filters/custom-condition.ts";
import type { ListedRow, RankedRow } from "../contact.row.ts";
import { toSummary } from "../contact.view.ts";
import type { ContactListView } from "../contact.view.ts";

export interface ContactListQuery {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly filters?: string | undefined;
  /** A text search (contact.search.ts). */
  readonly search?: string | undefined;
  readonly cursor?: string | null | undefined;
}

/**
 * One page. Refuses with 422 invalid `filters` and a cursor of another list, and refuses filters on fields that the reader may not see.
 * `bounds` affect speed only.
 */
export async function listContacts(
  reader: Reader<LocationContext>,
  { email, phone, filters, search, cursor, limit }: ContactListQuery & PageQuery,
  bounds: Bounds = usualBounds,
): Promise<ContactListView> {
  const filter: ContactFilter = {
    emailKey: email === undefined ? null : emailKey(email),
    phoneKey: phone === undefined ? null : readPhone(phone, reader.location.country).key,
    filters: filters === undefined ? [] : parseFilterText(filters),
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
      charactersOf: (rows) => rows.at(-1)?.characters_so_far ?? 0,
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

async function readList(
  reader: Reader<LocationContext>,
  filter: ContactFilter,
  after: Position | undefined,
  most: number,
  bounds: Bounds,
): Promise<Found> {
  const read = async ({ conditions, slices }: PlannedReading): Promise<Found> =>
    slices === undefined
      ? readAtOnce(reader, conditions, after, most)
      : inQueueOf(reader, (turn) => readScanning(reader, conditions, after, most, { turn, ...slices }));
  const planned = await planReading(reader, filter, bounds);
  const found = await read(planned);
  // Not all that share the key were found.
  if (isKeyAlone(planned.conditions) && found.total > mostFoundFirst)
    return read(await planScan(reader, filter, bounds, false));
  return found;
}

/** The first `most` (a constant) contacts of the list that match `search`, without a total. */
export async function findNewest(
  reader: Reader<LocationContext>,
  search: string,
  most: number,
  bounds: Bounds = usualBounds,
): Promise<RankedRow[]> {
  const { conditions, slices } = await planReading(
    reader,
    { emailKey: null, phoneKey: null, filters: [], search },
    bounds,
  );
  if (slices === undefined) return findRanked(reader, conditions, {}, most);
  return inQueueOf(reader, async (turn) => {
    const found: RankedRow[] = [];
    await readInSlices(reader, conditions, { turn, from: undefined, ...forPage(slices) }, async (range) => {
      found.push(...(await findRanked(reader, conditions, range, most)));
      return found.length >= most;
    });
    return found.slice(0, most);
  });
}

async function readAtOnce(
  reader: Reader<LocationContext>,
  conditions: PlannedConditions,
  after: Position | undefined,
  most: number,
): Promise<Found> {
  const { among } = conditions;
  if (among !== undefined && after === undefined) return findAmong(reader, { ...conditions, among }, most);
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
  const findTotal = await beginTotal(reader, conditions);
  const found: ListedRow[] = [];
  await readInSlices(reader, conditions, { ...forPage(scan), from: after }, async (range) => {
    found.push(...(await findRows(reader, conditions, range, most)));
    return found.length >= most;
  });
  found.length = Math.min(found.length, most);
  if (after === undefined && found.length < most) return { found, total: found.length };
  // On a first page, counting continues after its last row.
  const last = after === undefined ? found.at(-1)! : undefined;
  const from = last && ([last.last_activity_at, last.id] satisfies Position);
  const total = await findTotal(async (enough) => {
    const countAmong = (ids: string) => countRows(reader, amongIds(conditions, ids), {}, enough);
    const byIndex = await countByIndex(reader, conditions, { most: enough, turn: scan.turn, countAmong });
    if (byIndex !== undefined) return byIndex;
    const shown = last === undefined ? 0 : found.length;
    return shown + (await countInSlices(reader, conditions, { ...scan, from }, enough));
  });
  return { found, total };
}

async function count(reader: Reader<LocationContext>, conditions: PlannedConditions): Promise<number> {
  if (conditions.texts.length === 0) return countContacts(reader);
  return Math.min(await countRows(reader, conditions, {}, limits.filteredTotalCap + 1), limits.filteredTotalCap);
}
