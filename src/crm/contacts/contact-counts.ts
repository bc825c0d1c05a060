/** The contact count of a location, without a contended counter row: changes insert deltas, reads sum them, and the worker compacts them. */
import type { Change, LocationContext, Reader } from "../../events/caller.ts";
import type { Database } from "../../storage/database.ts";
import { defineInsert, sendRows } from "../../storage/inserting/insert.ts";
import { eachIdSlice } from "../../storage/inspection/id-slices.ts";
import { lockKeys } from "../../storage/locks.ts";
import { placeholders } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";

const countInsert = defineInsert("contact_counts", ["location_id", "delta"]);

/** Adds `delta` contacts to the location of the change. */
export function recordCount(change: Change<LocationContext>, delta: number): void {
  sendRows(change, countInsert, [{ location_id: change.location.id, delta }]);
}

/** Always exact, at the same cost for every page. */
export async function countContacts(reader: Reader<LocationContext>): Promise<number> {
  const [count] = await reader.rows<{ total: number }>(
    "select coalesce(sum(delta), 0) as total from contact_counts where location_id = ?",
    [reader.location.id],
  );
  return count?.total ?? 0;
}

/** A location whose deltas do not sum up to its contacts. */
export interface WrongCount {
  readonly location: number;
  /** How many contacts more than the sum; negative if there are fewer. */
  readonly difference: number;
}

/** Contacts and deltas in one statement: changes write both, so that no change in progress shows as a difference. */
const differencesText = `select id as location, difference from (
    select locations.id, (select count(*) from contacts where contacts.location_id = locations.id and deleted_at is null)
      - (select coalesce(sum(delta), 0) from contact_counts where contact_counts.location_id = locations.id) as difference
    from locations where locations.id > ? and locations.id <= ?) as compared where difference <> 0 order by id`;
const locationsOfSlice = 10;

/** For `crm doctor`: counts all contacts, a few locations at a time. */
export async function* eachWrongCount(rows: Rows): AsyncGenerator<WrongCount> {
  for await (const { after, until } of eachIdSlice(rows, "locations", locationsOfSlice))
    for (const found of await rows.rows<WrongCount>(differencesText, [after, until]))
      yield { location: found.location, difference: Number(found.difference) };
}

/** Adds the difference as a delta. Changes since it was found have added their own. */
export async function correctCount(database: Database, { location, difference }: WrongCount): Promise<void> {
  await database.transaction(async (change) =>
    sendRows(change, countInsert, [{ location_id: location, delta: difference }]),
  );
}

/** The number of deltas from which compaction pays off. */
const mostDeltas = 100;
/** The maximum per transaction, to keep it short. */
const locationsAtOnce = 50;
const deltasAtOnce = 10_000;

/** Compacts the deltas of a location into one row. Resolves to how many it replaced; 0 if there is nothing to do. */
export async function compactCounts(database: Database): Promise<number> {
  const full = await database.rows<{ location_id: number }>(
    `select location_id from contact_counts group by location_id having count(*) >= ${mostDeltas} limit ${locationsAtOnce}`,
  );
  if (full.length === 0) return 0;
  return database.transaction(async (change) => {
    // Serializes workers: two that delete the same rows in different orders would deadlock.
    lockKeys(change, ["contact_counts"]);
    // Sums the rows that the delete returns: deltas inserted concurrently are not included and stay.
    const folded = await change.rowsOnce<{ location_id: number; delta: number }>(
      `delete from contact_counts where id in (
         select id from contact_counts where location_id in (${placeholders(full.length)}) order by id limit ${deltasAtOnce})
       returning location_id, delta`,
      full.map((row) => row.location_id),
    );
    const sums = new Map<number, number>();
    for (const { location_id, delta } of folded) sums.set(location_id, (sums.get(location_id) ?? 0) + delta);
    const records = [...sums].map(([location_id, delta]) => ({ location_id, delta }));
    if (records.length > 0) sendRows(change, countInsert, records);
    return folded.length;
  });
}
