/**
 * Reads the event log after a position, as far as the reader may see it. Positions follow the order of commits, payloads are pruned in log
 * order, and one statement sees one snapshot of both: a reader that continues after `last_position` gets each event exactly once, in order,
 * or an error if events were pruned.
 */
import type { Reader } from "../../events/caller.ts";
import { eventsOf, logPlaces } from "../../events/following/positioned-events.ts";
import { placeholders } from "../../storage/rows.ts";
import { queueKeyOf } from "../../events/read-queue.ts";
import { awaitRenderTurn } from "../../kit/waiting/fair-lock.ts";
import { withRowOf } from "../../storage/reading/lateral.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { createSliceQueue, walkSlices } from "../../storage/keyset/slices.ts";
import { visibleIds } from "../../tenancy/locations/location.queries.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { showsEvent } from "../../operation/permission.ts";
import { redactPayload } from "./event-redaction.ts";
import type { EventLogQuery, LatestEventsQuery } from "./event.schema.ts";
import { foundIn, EventPageBuilder } from "./event.page.ts";
import type { LogState, PageRow } from "./event.page.ts";
import type { EventLogPage } from "./event.view.ts";

const columns = ["id", "event", "contact_id", "actor_type", "actor_id", "actor_name", "created_at"]
  .map((column) => `events.${column} as ${column}`)
  .join(", ");

type LogOwner = "workspace_id" | "location_id";

const ends = "log as materialized (select last_position, forgotten_position from event_log where id = 1)";

/** The part of the log to read, a table; parameters: owner id, the position twice, the number of events. */
function partOf(owner: LogOwner): SqlText {
  const begins = "(select case when ? > forgotten_position then ? else forgotten_position end from log)";
  return sql`(select position, event_id, location_id from ${ownedBy("event_positions")}
    where ${inOwnedRange(logPlaces(owner), { ">": begins })}
    order by ${inOwnedOrder(logPlaces(owner))} limit ?)`;
}

/**
 * Parameters: owner id, the position twice, the number of events to scan, those of `where`, the page size, the remaining payload bytes, and
 * whether the first event is returned whatever its size. Payloads are measured in `page`, and read only for rows that are returned.
 */
function pageText(owner: LogOwner, where = "1 = 1"): SqlText {
  const chosen = sql`(select position, event_id from scanned where ${where} order by position limit ?)`;
  const page = withRowOf({ given: sql`page`, table: "events", key: "page.event_id" });
  return sql`with ${ends},
    scanned as materialized (select log.position, log.event_id, log.location_id, events.event from ${eventsOf(partOf(owner))}),
    page as materialized (
      select log.position, log.event_id, octet_length(events.data) as bytes,
        sum(octet_length(events.data)) over (order by log.position) as bytes_so_far
      from ${eventsOf(chosen)}),
    found as (select page.position, ${columns},
      case when page.bytes_so_far <= ? or (page.bytes_so_far = page.bytes and ? = true) then events.data end as data from ${page})
    select log.last_position as log_end, log.forgotten_position as forgotten,
      (select count(*) from scanned) as scanned, (select max(position) from scanned) as scanned_to,
      found.position, found.id, found.event, found.contact_id, found.actor_type, found.actor_id, found.actor_name, found.created_at, found.data
    from log left join found on true order by found.position`;
}

/**
 * The same for a reader with access to the whole log; returns no rows if the payloads exceed the page's bytes, which is rare. Parameters:
 * owner id, the position twice, the page size, and all again. One total sum is cheaper than a running sum.
 */
function wholeText(owner: LogOwner): SqlText {
  const given = sql`log join page on page.bytes <= ${limits.eventPageBytes}
      left join ${partOf(owner)} as event_positions on true`;
  return sql`with ${ends},
    page as materialized (
      select count(*) as scanned, max(log.position) as scanned_to, coalesce(sum(octet_length(events.data)), 0) as bytes from ${eventsOf(partOf(owner))})
    select log.last_position as log_end, log.forgotten_position as forgotten, page.scanned, page.scanned_to,
      event_positions.position, ${columns}, events.data
    from ${withRowOf({ given, table: "events", key: "event_positions.event_id", isOptional: true })}
    order by event_positions.position`;
}

const texts = {
  workspace_id: { whole: wholeText("workspace_id"), long: pageText("workspace_id") },
  location_id: { whole: wholeText("location_id"), long: pageText("location_id") },
};

/** Events per scan where most may be filtered out: one or two milliseconds of work. */
const firstSlice = 500;
const nextSlice = 1000;

const inFairQueue = createSliceQueue();

/** Beyond every position. */
const beyond = Number.MAX_SAFE_INTEGER;

/**
 * The events after a position, oldest first. Refuses, on `after`, a position after which events that the reader could see have been pruned,
 * and one beyond the end of the log.
 */
export async function readEventLog(
  reader: Reader,
  { after, limit, event: requested }: EventLogQuery,
): Promise<EventLogPage> {
  const [owner, id, locationIds] = logOf(reader);
  const names = visibleNames(reader, requested);
  const from = after === "latest" ? beyond : after;
  // Then no event is filtered out, and the statement is one of the prepared ones.
  const isWhole = locationIds === null && names.length === eventNames.length;
  const [where, params] = conditionsOf(names, locationIds);
  const page = new EventPageBuilder(from);
  const readSlice = async (scan: number): Promise<EventLogPage | undefined> => {
    const begins = page.from;
    const log = [id, begins, begins];
    const rows = isWhole
      ? await readWhole(reader, texts[owner], log, scan)
      : await reader.rowsOnce<PageRow>(pageText(owner, where), [...log, scan, ...params, ...page.room(limit + 1)]);
    const [state] = rows;
    if (state === undefined) throw new Error("the event_log row is missing: is the schema up to date?");
    if (begins === from) await refuseOutOfRange(reader, after, from, state);
    return page.add(foundIn(rows), state, { scan, limit });
  };

  let answer = await readSlice(isWhole ? limit + 1 : firstSlice);
  if (answer !== undefined) return redactPage(reader, answer);
  return inFairQueue(queueKeyOf(reader), async (turn) => {
    for (let left = limits.eventScan - firstSlice; left > 0 && answer === undefined; left -= nextSlice) {
      answer = await turn(() => readSlice(Math.min(left, nextSlice)));
    }
    return redactPage(reader, answer ?? page.endEarly());
  });
}

/** Waits its turn (by text length) before redacting, so that large pages do not block the event loop. */
async function redactPage({ grant }: Reader, { events, ...end }: EventLogPage): Promise<EventLogPage> {
  await awaitRenderTurn(events.reduce((sum, { data }) => sum + data.length, 0));
  return {
    ...end,
    events: events.map((row) => {
      const data = redactPayload(grant, row.event, row.data);
      return data === row.data ? row : { ...row, data };
    }),
  };
}

async function refuseOutOfRange(
  reader: Reader,
  after: EventLogQuery["after"],
  from: number,
  state: LogState,
): Promise<void> {
  if (from > state.log_end && after !== "latest") {
    throw new Invalid({ after: [`The after field is beyond the end of the log, which is ${state.log_end}.`] });
  }
  if (from > 0 && from < state.forgotten) await refusePruned(reader, from, state.forgotten);
}

async function readWhole(
  reader: Reader,
  text: { readonly whole: SqlText; readonly long: SqlText },
  log: readonly number[],
  most: number,
): Promise<PageRow[]> {
  const rows = await reader.rows<PageRow>(text.whole, [...log, most, ...log, most]);
  return rows.length > 0 ? rows : reader.rows<PageRow>(text.long, [...log, most, most, limits.eventPageBytes, true]);
}

/** What a slice of the log holds, read from its end. */
interface LatestSliceRow {
  readonly log_end: number;
  /** The number of events scanned, and the first of them. */
  readonly scanned: number;
  readonly reached: number | null;
  /** The number of events that the reader may see, and the first of them. */
  readonly found: number;
  readonly first: number | null;
}

/** Parameters: owner id, the position before which the slice ends, the number of events to scan, those of `where`, and the number to find. */
function latestText(owner: LogOwner, where: string): SqlText {
  const seen = sql`select log.position, log.location_id, events.event from ${eventsOf(sql`slice`)}`;
  const places = logPlaces(owner);
  const ends = { "<": "?", ">": "(select forgotten_position from event_log where id = 1)" };
  return sql`with slice as materialized (select position, event_id, location_id from ${ownedBy("event_positions")}
      where ${inOwnedRange(places, ends)} order by ${inOwnedOrder(places, "desc")} limit ?),
    found as (select position from (${seen}) as scanned where ${where} order by position desc limit ?)
    select (select last_position from event_log where id = 1) as log_end, (select count(*) from slice) as scanned,
      (select min(position) from slice) as reached, (select count(*) from found) as found, (select min(position) from found) as first`;
}

/**
 * The position after which the latest `limit` events begin, or those before a position; with `event`, the latest among
 * `limits.eventScan` events.
 */
export async function positionBefore(
  reader: Reader,
  { limit, event: requested, before: end = beyond }: LatestEventsQuery,
): Promise<number> {
  const [owner, id, locationIds] = logOf(reader);
  const [where, params] = conditionsOf(visibleNames(reader, requested), locationIds);
  const text = latestText(owner, where);
  let scan = Math.max(limits.eventScan, limit);
  let left = limit;
  let latest: number | undefined;
  await walkSlices({ queue: inFairQueue, holder: queueKeyOf(reader) }, end, async (before) => {
    const size = Math.min(scan, nextSlice);
    const [slice] = await reader.rowsOnce<LatestSliceRow>(text, [id, before, size, ...params, left]);
    const { log_end, scanned, reached, found, first } = slice!;
    latest = first === null ? (latest ?? Math.min(log_end, end - 1)) : first - 1;
    scan -= size;
    left -= found;
    return left <= 0 || scan <= 0 || scanned < size ? undefined : reached!;
  });
  return latest!;
}

/** The log to read and the locations to filter by (null for all). Events without a location are only for readers with access to all. */
function logOf(reader: Reader): [owner: LogOwner, id: number, locationIds: readonly number[] | null] {
  const ids = visibleIds(reader);
  const [only, ...others] = ids ?? [];
  if (only !== undefined && others.length === 0) return ["location_id", only, null];
  return ["workspace_id", reader.workspaceId, ids];
}

/** The condition for visible events, and its parameters. */
function conditionsOf(
  names: readonly EventName[],
  locationIds: readonly number[] | null,
): [where: string, params: readonly (string | number)[]] {
  // `in ()` is a syntax error on PostgreSQL.
  const named = names.length === 0 ? "1 = 0" : `event in (${placeholders(names.length)})`;
  if (locationIds === null) return [named, names];
  return [`${named} and location_id in (${placeholders(locationIds.length)})`, [...names, ...locationIds]];
}

/** The names of `requested` (default: all) that the credential's scopes allow. */
function visibleNames({ grant }: Reader, requested: readonly EventName[] = eventNames): EventName[] {
  return [...new Set(requested)].filter((name) => showsEvent(grant, name));
}

function prunedText(owner: LogOwner): SqlText {
  const places = logPlaces(owner);
  return sql`select 1 as found from ${ownedBy("event_positions")}
    where ${inOwnedRange(places, { ">": "?", "<=": "?" })} order by ${inOwnedOrder(places)} limit 1`;
}

/** Refuses only if an event of this reader's log was pruned: a reader at the end of a quiet log has missed nothing. */
async function refusePruned(reader: Reader, after: number, forgotten: number): Promise<void> {
  const [owner, id] = logOf(reader);
  const missed = await reader.rows(prunedText(owner), [id, after, forgotten]);
  if (missed.length === 0) return;
  throw new Invalid({
    after: [
      `The after field is too old: events up to position ${forgotten} are no longer kept. Continue after ${forgotten}, and reload what may have changed before it.`,
    ],
  });
}
