/** The approximate size of a list, cached, which decides how the list is read. */
import type { LocationContext, Reader, Tools } from "../../../events/caller.ts";
import { embeddedOnly, sql } from "../../../storage/sql-text.ts";
import { fromLongTexts } from "../../contact-texts.ts";

export interface ListSize {
  readonly contacts: number;
  /** The contacts with texts longer than their keys, counted up to `mostLong`. */
  readonly long: number;
}

const mostLong = 1000;

/** The cache lifetime in milliseconds: short enough that no list grows much in the meantime. */
const cacheMilliseconds = 10_000;

/** By service instance and location id. */
const sizes = new WeakMap<Tools, Map<number, ListSize & { readonly until: number }>>();

const sizeText = sql`select (select coalesce(sum(delta), 0) from contact_counts where location_id = ?) as contacts,
  (select count(*) from (select 1 as one ${fromLongTexts} limit ${mostLong}) as listed) as long`;

export async function sizeOfList({ tools, location, rowsOnce }: Reader<LocationContext>): Promise<ListSize> {
  let known = sizes.get(tools);
  if (known === undefined) {
    known = new Map();
    sizes.set(tools, known);
  }
  const now = tools.clock.now().getTime();
  const cached = known.get(location.id);
  if (cached !== undefined && cached.until > now) return cached;
  const [size] = await rowsOnce<ListSize>(sizeText, [location.id, location.id]);
  const fresh = { contacts: size?.contacts ?? 0, long: size?.long ?? 0, until: now + cacheMilliseconds };
  known.set(location.id, fresh);
  return fresh;
}

/** For an embedded database, where an extra statement is cheaper than a condition on many contacts. */
const noneText = embeddedOnly(sql`select not exists (select 1 ${fromLongTexts}) as none`);

/** Whether the location has no long texts now; false if unknown. */
export async function hasNoLongTexts({ location, rows }: Reader<LocationContext>): Promise<boolean> {
  const [found] = await rows<{ none: number }>(noneText, [location.id]);
  return found?.none === 1;
}
