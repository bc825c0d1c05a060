/** Decides how a list of contacts is read: by an index, among a few contacts that are found first, or in slices. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { joinSql, sql } from "../../../storage/sql-text.ts";
import { findCandidates } from "../../contact-candidates.ts";
import { contactColumns } from "./contact.filter-fields.ts";
import type { ContactFilters } from "./contact.filters.ts";
import { planFilters } from "./contact.list-plan.ts";
import type { PlannedConditions } from "./contact.list-plan.ts";
import { costOf, hasNoLongTexts, sizeOfList } from "./contact.list-slices.ts";
import type { Bounds } from "./contact.list-slices.ts";
import { searchConditions } from "./contact.search.ts";
import { isKeyAlone, withoutKey } from "./few/contact.keyed.ts";
import { mostFoundFirst } from "./few/fewest-contacts.ts";
import { findTagged } from "./few/contact.tagged.ts";
import { findValued } from "./few/contact.valued.ts";
import type { LongTexts } from "./substring.ts";

/** The parsed and folded filters. */
export interface ContactFilter {
  readonly emailKey: string | null;
  readonly phoneKey: string | null;
  readonly filters: ContactFilters;
  readonly search?: string;
}

/** How the matching contacts are read: at once, or in slices of the list. */
export interface PlannedReading {
  readonly conditions: PlannedConditions;
  readonly slices?: { readonly size: number; readonly isOneSlice: boolean };
}

export async function planReading(
  reader: Reader<LocationContext>,
  filter: ContactFilter,
  bounds: Bounds,
): Promise<PlannedReading> {
  const noLongTexts = searchesSubstrings(filter) && (await hasNoLongTexts(reader));
  const conditions = toConditions(reader, filter, noLongTexts ? "none" : "few");
  if (conditions.texts.length === 0 || conditions.plan.inOrder) return { conditions };
  if (conditions.plan.isFew && !(await isShared(reader, conditions))) return { conditions };
  return planScan(reader, filter, bounds, noLongTexts);
}

/** Whether too many contacts share the key for judging the other conditions among them. */
async function isShared(reader: Reader<LocationContext>, conditions: PlannedConditions): Promise<boolean> {
  const { key } = conditions;
  if (key === undefined || isKeyAlone(conditions)) return false;
  if ((await sizeOfList(reader)).contacts <= mostFoundFirst) return false;
  const shared = sql`select 1 from contacts where contacts.location_id = ? and contacts.deleted_at is null and ${joinSql(key.texts, " and ")}
    limit 1 offset ${mostFoundFirst}`;
  return (await reader.rowsOnce(shared, [reader.location.id, ...key.params])).length > 0;
}

/** Without the index of a key. `noLongTexts`: whether the location was found to have none. */
export async function planScan(
  reader: Reader<LocationContext>,
  filter: ContactFilter,
  bounds: Bounds,
  noLongTexts: boolean,
): Promise<PlannedReading> {
  const scanning = (longTexts: LongTexts) => withoutKey(toConditions(reader, filter, longTexts));
  const conditions = scanning(noLongTexts ? "none" : "few");
  const size = await sizeOfList(reader);
  const { longTexts, each, whole } = costOf(conditions.plan.cost, size, bounds);
  if (whole <= bounds.atOnce) return { conditions };
  const few =
    (await findTagged(reader, conditions.tagged)) ??
    (await findValued(reader, conditions.valued)) ??
    (await findCandidates(reader, conditions.searched, { scanned: size.contacts }));
  // A long scan must handle long texts that are written in the meantime.
  const scanned = longTexts === "few" && !noLongTexts ? conditions : scanning(longTexts);
  if (few !== undefined) return { conditions: amongIds(scanned, JSON.stringify(few)) };
  return {
    conditions: { ...scanned, inSlices: true },
    slices: { size: bounds.piece / each, isOneSlice: whole <= bounds.piece },
  };
}

/** `ids`: a JSON list of few. */
export function amongIds(conditions: PlannedConditions, ids: string): PlannedConditions {
  return { ...conditions, among: ids, inSlices: false, plan: { ...conditions.plan, byKey: true, isFew: true } };
}

function searchesSubstrings({ filters, search }: ContactFilter): boolean {
  return (
    search !== undefined || filters.some((group) => group.some(({ op }) => op === "contains" || op === "starts_with"))
  );
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
    key,
    followsEvents,
    ...compiled
  } = planFilters(filters, contactColumns(location, longTexts));
  const searched =
    search === undefined
      ? { texts: [], params: [], groups: [], cost: { each: 0, parts: 0 }, repeats: true }
      : searchConditions(search, location, longTexts);
  const exact = Object.entries({ email_key: emailKey, phone_key: phoneKey }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const isExact = exact.map(([column]) => sql`contacts.${column} = ?`);
  return {
    texts: [...isExact, ...compiled.texts, ...searched.texts],
    params: [...exact.map(([, value]) => value), ...compiled.params, ...searched.params],
    followsEvents: followsEvents && exact.length === 0,
    searched: [...filtered, ...searched.groups].map(({ texts, condition }) =>
      // Then, it reads the long texts of the contact itself, which no index has by column.
      longTexts === "many" ? { texts } : { texts, condition },
    ),
    tagged,
    valued,
    key: exact.length === 0 ? key : { texts: isExact.slice(0, 1), params: exact.slice(0, 1).map(([, value]) => value) },
    plan: {
      byKey: exact.length > 0 || plan.byKey,
      isFew: exact.length > 0 || plan.isFew,
      inOrder: plan.inOrder && search === undefined,
      scanned: plan.scanned,
      isNarrowed: plan.isNarrowed,
      cost: { each: plan.cost.each + searched.cost.each, parts: plan.cost.parts + searched.cost.parts },
      repeats: plan.repeats && searched.repeats && (search === undefined || filters.length === 0),
    },
  };
}
