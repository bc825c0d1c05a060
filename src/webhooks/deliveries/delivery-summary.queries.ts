/** Reads deliveries for pages: lists by state, and counts. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { jsonKeys } from "../../storage/json-rows.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { toDeliverySummary } from "./delivery-summary.view.ts";
import type { DeliveryCounts, DeliveryFilter, DeliverySummary, DeliverySummaryRow } from "./delivery-summary.view.ts";

/** `ids`: a page of ids, in the order of its index. The last attempt is found by its number, or open. */
function textOf(ids: string | SqlText, order: string): SqlText {
  return sql`
    select d.id, e.event, d.state, d.created_at, d.due_at, a.duration_ms, a.status, a.error,
      coalesce(a.number, case when d.attempt_open then d.attempt end) as number,
      coalesce(a.at, case when d.attempt_open then d.attempt_at end) as at
    from (${ids}) page join deliveries d on d.id = page.id join events e on e.id = d.event_id
    left join delivery_attempts a on a.delivery_id = d.id and a.number = d.attempt
    order by ${order}`;
}

const ofHook = { owner: "hook_id", place: "id", byEquality: true };
const newestText = (condition: string) =>
  textOf(
    sql`select id from ${ownedBy("deliveries")}
      where ${inOwnedRange(ofHook, { "<": "?" })}${condition} order by ${inOwnedOrder(ofHook, "desc")} limit ?`,
    "d.id desc",
  );

const texts = {
  all: newestText(""),
  failed: newestText(" and state = 'failed'"),
  delivered: newestText(" and state = 'delivered'"),
} as const;

/** By the time of the next attempt, which is their index. */
const waitingText = textOf(
  `select id from deliveries where hook_id = ? and due_at is not null and (due_at, id) > (?, ?)
   order by due_at, id limit ?`,
  "d.due_at, d.id",
);

interface SummaryQuery extends PageQuery {
  readonly state?: DeliveryFilter | undefined;
}

/** A page of the deliveries of a webhook: newest first, or by their next attempt where they wait for one. */
export function listDeliverySummaries(
  reader: Reader,
  hookId: number,
  query: SummaryQuery,
): Promise<Page<DeliverySummary>> {
  const { cursors } = reader.tools;
  if (query.state === "waiting") {
    return page(cursors, query, {
      list: `waiting deliveries ${hookId}`,
      find: ([due, id]: [due: number, id: number] = [0, 0], most) =>
        reader.rows<DeliverySummaryRow>(waitingText, [hookId, new Date(due), id, most]),
      placeOf: ({ due_at: due, id }): [number, number] => [due!, id],
      show: toDeliverySummary,
    });
  }
  const text = texts[query.state ?? "all"];
  return page(cursors, query, {
    list: `delivery summaries ${hookId} ${query.state ?? "all"}`,
    find: ([id]: [id: number] = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<DeliverySummaryRow>(text, [hookId, id, most]),
    placeOf: ({ id }): [number] => [id],
    show: toDeliverySummary,
  });
}

/** Higher counts are shown as this and a plus. */
export const mostCounted = 100;

const countText = `
  select
    (select count(*) from (select 1 from deliveries where hook_id = ? and due_at is not null limit ${mostCounted}) w) as waiting,
    (select count(*) from (select 1 from deliveries where hook_id = ? and state = 'failed' limit ${mostCounted}) f) as failed,
    (select count(*) from (select 1 from deliveries where hook_id = ? and state = 'failed' and created_at >= ? limit ${mostCounted}) h) as failed_in_hours`;

const hourMilliseconds = 3_600_000;
/** The hours of a day, the current one included. */
const hoursShown = 24;

interface HourRow {
  readonly place: number;
  readonly created: number;
  readonly has_failed: number;
}

const hours = jsonKeys({ place: "integer", begins: "time", ends: "time" });

/** Bounded by hour: a webhook with a million deliveries a day costs the same. */
const hoursText = sql`select hours.place, (select count(*) from (
      select 1 from deliveries where hook_id = ? and created_at >= hours.begins and created_at < hours.ends limit ${String(mostCounted)}
    ) counted) as created,
    case when exists (
      select 1 from deliveries where hook_id = ? and state = 'failed' and created_at >= hours.begins and created_at < hours.ends
    ) then 1 else 0 end as has_failed
  from ${hours} as hours`;

/** Deliveries by state, and by the hour they were created in, each counted up to `mostCounted`. */
export async function countDeliveries(reader: Reader, hookId: number): Promise<DeliveryCounts> {
  const now = reader.tools.clock.now().getTime();
  const first = now - (now % hourMilliseconds) - (hoursShown - 1) * hourMilliseconds;
  const begins = Array.from({ length: hoursShown }, (_, place) => first + place * hourMilliseconds);
  const given = begins.map((time, place) => ({ place, begins: time, ends: time + hourMilliseconds }));
  const [[row], counted] = await Promise.all([
    reader.rows<{ waiting: number; failed: number; failed_in_hours: number }>(countText, [
      hookId,
      hookId,
      hookId,
      new Date(first),
    ]),
    reader.rows<HourRow>(hoursText, [hookId, hookId, JSON.stringify(given)]),
  ]);
  const byPlace = new Map(counted.map((hour) => [hour.place, hour]));
  return {
    waiting: Number(row!.waiting),
    failed: Number(row!.failed),
    failed_in_hours: Number(row!.failed_in_hours),
    hours: begins.map((time, place) => {
      const { created, has_failed } = byPlace.get(place)!;
      return { begins_at: toTimestamp(time), created: Number(created), has_failed: has_failed === 1 };
    }),
  };
}
