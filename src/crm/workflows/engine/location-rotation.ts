/** A round robin over locations: when more runs are due than a batch takes, half of it is picked from location to location. */
import { listedAsGiven } from "../../../storage/json.ts";
import { firstOfEach } from "../../../storage/reading/lateral.ts";
import { inOwnedOrder, inOwnedRange } from "../../../storage/reading/owned-range.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { DueRun } from "./run-rows.ts";

/** Per batch: the locations that are scanned, those with due runs that are served, and the runs of each. */
const lookedAt = 64;
const served = 8;
const ofEach = 2;

const ofNext = "from workflow_runs where due_at is not null";
/** A loose index scan over locations: one seek each, however many runs it has. */
const nextText = `with recursive found(location_id, place) as (
    select (select min(location_id) ${ofNext} and location_id > ?), 1
    union all select (select min(location_id) ${ofNext} and workflow_runs.location_id > found.location_id), place + 1
      from found where found.location_id is not null and place < ${lookedAt}
  )
  select location_id, (select min(due_at) ${ofNext} and workflow_runs.location_id = found.location_id) as due_at
  from found where location_id is not null order by location_id`;

const places = { owner: "workflow_runs.location_id", place: "workflow_runs.due_at" };
const pickText = firstOfEach({
  given: listedAsGiven,
  table: "workflow_runs",
  columns: ["id", "contact_id"],
  where: sql`${inOwnedRange(places, { "<=": "?" }, "given.value")} and workflow_runs.due_at is not null`,
  order: sql`${inOwnedOrder(places)}, workflow_runs.id`,
  limit: ofEach,
  skipsLocked: { table: "contacts", on: "contacts.id = workflow_runs.contact_id" },
});

export interface RunRotation {
  /** The next runs, their contacts locked. Locked contacts are skipped. */
  next(rows: Rows, now: Date): Promise<DueRun[]>;
}

/** Each engine has its own position, and starts over after the last location. */
export function createRunRotation(): RunRotation {
  let behind = 0;
  return {
    async next(rows, now) {
      const found = await rows.rows<{ location_id: number; due_at: number }>(nextText, [behind]);
      const due = found.filter(({ due_at }) => due_at <= now.getTime()).slice(0, served);
      const last = due.length === served ? due.at(-1) : found.at(-1);
      behind = due.length < served && found.length < lookedAt ? 0 : last!.location_id;
      if (due.length === 0) return [];
      const ids = JSON.stringify(due.map(({ location_id }) => location_id));
      return rows.rows<DueRun>(pickText, [ids, now]);
    },
  };
}
