/**
 * Per-location cursors (marks) ahead of a follower's own: if one location has a long backlog, the events of other locations are processed
 * first. They are removed as soon as the follower's own mark has passed them.
 */
import { jsonKeys } from "../../storage/json-rows.ts";
import type { Rows, Writer } from "../../storage/rows.ts";
import { firstOfEach } from "../../storage/reading/lateral.ts";
import { inOwnedOrder, inOwnedRange } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import { logPlaces, selectHeads } from "./positioned-events.ts";
import type { EventHead } from "./positioned-events.ts";

/** The position up to which each location is processed, by location id. */
export type LocationMarks = ReadonlyMap<number, number>;

const beginningOf = (follower: string): string => `${follower} of location `;

// An upper bound: ";" sorts after ":" and "9".
const marksText = "select name, position from event_marks where name >= ? and name < ?";

export async function findLocationMarks(rows: Rows, follower: string): Promise<LocationMarks> {
  const beginning = beginningOf(follower);
  const marks = await rows.rows<{ name: string; position: number }>(marksText, [beginning, `${beginning};`]);
  return new Map(marks.map(({ name, position }) => [Number(name.slice(beginning.length)), position]));
}

const moveText = `insert into event_marks (name, position) values (?, ?)
  on conflict (name) do update set position = excluded.position`;

/** Call it while holding the lock on the follower's own mark, as every function of this file. */
export function moveLocationMark(writer: Writer, follower: string, locationId: number, to: number): void {
  writer.send(moveText, [`${beginningOf(follower)}${locationId}`, to]);
}

const passText = "delete from event_marks where name >= ? and name < ? and position <= ?";

export function removePassedMarks(writer: Writer, follower: string, passed: number): void {
  const beginning = beginningOf(follower);
  writer.send(passText, [beginning, `${beginning};`, passed]);
}

/** Per round: locations scanned, locations served of those with events, and events of each. */
const locationsScanned = 64;
const locationsServed = 8;
const eventsOfEach = 10;

/** A loose index scan: one index seek per location, however many events it has. */
const locationsText = `with recursive found(location_id, place) as (
    select (select min(location_id) from event_positions where location_id > ?), 1
    union all select (select min(location_id) from event_positions where event_positions.location_id > found.location_id), place + 1
      from found where found.location_id is not null and place < ${locationsScanned}
  )
  select location_id from found where location_id is not null order by location_id`;

const given = jsonKeys({ place: "integer", reached: "integer" });

const places = logPlaces("location_id");
const firstText = firstOfEach({
  given: sql`${given} as given`,
  table: "event_positions",
  columns: ["event_id", "position"],
  key: "position",
  where: inOwnedRange(places, { ">": "given.reached" }, "given.place"),
  order: inOwnedOrder(places),
  limit: eventsOfEach,
});
const headsText = sql`${selectHeads(sql`(${firstText})`)} order by log.position`;

export interface LocationRotation {
  /** The first events after `position` and after the location's own mark, for the next locations of the rotation, without those in `except`. */
  next(
    rows: Rows,
    position: number,
    marks: LocationMarks,
    except: ReadonlySet<number | null>,
  ): Promise<Map<number, EventHead[]>>;
}

/** Round robin over the locations: each follower has its own rotation, and restarts it after the last location. */
export function createLocationRotation(): LocationRotation {
  let behind = 0;
  return {
    async next(rows, position, marks, except) {
      const found = await rows.rows<{ location_id: number }>(locationsText, [behind]);
      behind = found.length < locationsScanned ? 0 : found.at(-1)!.location_id;
      const reads = found
        .filter(({ location_id }) => !except.has(location_id))
        .map(({ location_id: place }) => ({ place, reached: Math.max(position, marks.get(place) ?? 0) }));
      if (reads.length === 0) return new Map();
      const heads = await rows.rows<EventHead>(headsText, [JSON.stringify(reads)]);
      const byLocation = Map.groupBy(heads, ({ location_id }) => location_id!);
      const turns = [...byLocation].toSorted(([one], [other]) => one - other).slice(0, locationsServed);
      if (byLocation.size > locationsServed) behind = turns.at(-1)![0];
      return new Map(turns);
    },
  };
}
