/** Ids of merged contacts: wherever the API takes the id of a contact, that of a merged one stands for the contact that remains. */
import type { Change, LocationContext, Reader } from "../events/caller.ts";
import { noSurvivors, Superseded } from "../events/attempts/superseded.ts";
import type { Survivors } from "../events/attempts/superseded.ts";
import { listed } from "../storage/json.ts";
import type { Rows } from "../storage/rows.ts";
import { sql } from "../storage/sql-text.ts";

/** Merges into a contact that is merged later are moved along with it; until that is done, a line has several steps. */
const survivorText = `with recursive line(id) as (select contact_id from contact_merges where merged_contact_id = ?
    union all select contact_merges.contact_id from contact_merges join line on contact_merges.merged_contact_id = line.id)
  select id from line where not exists (select 1 from contact_merges where merged_contact_id = line.id)`;

/** An expression for the contact that the id stands for; binds the id twice. */
export const survivorOfParameter = `coalesce((${survivorText}), ?)`;

/** The contact that remains of a merged one; undefined for any other id. To be asked once a contact was not found: found ones cost nothing. */
export async function findSurvivor({ rows }: Rows, id: number): Promise<number | undefined> {
  const [survivor] = await rows<{ id: number }>(survivorText, [id]);
  return survivor?.id;
}

const personText = `with recursive person(id) as (select id from contacts where id = ? and location_id = ?
    union select contact_merges.merged_contact_id from contact_merges join person on contact_merges.contact_id = person.id)
  select id from person order by id`;

/**
 * The contacts of the location that are one person with this one, deleted ones too, by id: `root` remains, and the others were merged into it.
 * None for a contact of another location.
 */
export async function findContactsOfPerson(
  reader: Reader<LocationContext>,
  id: number,
): Promise<{ readonly root: number; readonly ids: readonly number[] }> {
  const root = (await findSurvivor(reader, id)) ?? id;
  const rows = await reader.rows<{ id: number }>(personText, [root, reader.location.id]);
  return { root, ids: rows.map((row) => row.id) };
}

/** The contact to lock for this id, as far as the change knows. */
export function survivorIn({ survivors }: Pick<Change, "survivors">, id: number): number {
  let survivor = id;
  for (let next: number | undefined = id; next !== undefined; next = survivors.get(next)) survivor = next;
  return survivor;
}

const mergesText = sql`select merged_contact_id, contact_id from contact_merges where merged_contact_id in ${listed}`;

/** Which of these contacts were merged, and into which. */
export async function findSurvivors({ rows }: Rows, ids: readonly number[]): Promise<Survivors> {
  if (ids.length === 0) return noSurvivors;
  const merges = await rows<{ merged_contact_id: number; contact_id: number }>(mergesText, [JSON.stringify(ids)]);
  return new Map(merges.map((merge) => [merge.merged_contact_id, merge.contact_id]));
}

/** To be called for contacts that a lock did not find: has the change run again if some of them were merged. */
export async function requireUnmerged(change: Change, ids: readonly number[]): Promise<void> {
  const survivors = await findSurvivors(change, ids);
  if (survivors.size > 0) throw new Superseded(survivors);
}

/** Calls `find` with the id, and again with that of the contact that remains if there is none. */
export async function findOrSurvivor<Found>(
  reader: Reader,
  id: number,
  find: (id: number) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find(id);
  if (found !== undefined) return found;
  const survivor = await findSurvivor(reader, id);
  return survivor === undefined ? undefined : find(survivor);
}
