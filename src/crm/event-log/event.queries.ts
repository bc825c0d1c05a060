/**
 * Reads the event log: what follows a position, as far as the reader may see it. Positions are given after the commit and payloads
 * forgotten in their order, and one statement sees one moment of both: who reads on from `last_position` sees each event once, in
 * order, or is told that some are forgotten.
 */
import type { Reader } from "../../events/caller.ts";
import { placeholders } from "../../storage/rows.ts";
import { lineOf } from "../../events/read-line.ts";
import { createFairLock, awaitRenderTurn } from "../../kit/waiting/fair-lock.ts";
import { visibleIds } from "../../tenancy/locations/location.queries.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { limits } from "../../vocabulary/limits.ts";
import { showsEvent } from "../../operation/permission.ts";
import { redactPayload } from "./event-redaction.ts";
import type { EventLogQuery } from "./event.schema.ts";
import { isFound, OpenPage } from "./event.page.ts";
import type { LogState, PageRow } from "./event.page.ts";
import type { EventLogPage } from "./event.view.ts";

const columns = ["id", "position", "event", "contact_id", "actor_type", "actor_id", "actor_name", "created_at"]
  .map((column) => `events.${column} as ${column}`)
  .join(", ");

/**
 * Parameters: whose log, the position twice, how many to look through, what `conditions` bind, how many to give, the bytes that are left
 * for their payloads, and whether the first is given whatever it has. A payload is read where it is shown, and measured where it is found.
 */
function pageText(owner: "workspace_id" | "location_id", where = "1 = 1"): string {
  return `with log as materialized (select last_position, forgotten_position from event_log where id = 1),
    scanned as materialized (
      select id, position, event, location_id from events
      where ${owner} = ? and position > (select case when ? > forgotten_position then ? else forgotten_position end from log)
      order by position limit ?),
    page as materialized (
      select events.id, octet_length(data) as bytes, sum(octet_length(data)) over (order by events.position) as bytes_so_far
      from (select id as found_id from scanned where ${where} order by position limit ?) as found join events on events.id = found_id)
    select log.last_position as log_end, log.forgotten_position as forgotten,
      (select count(*) from scanned) as scanned, (select max(position) from scanned) as scanned_to,
      ${columns},
      case when page.bytes_so_far <= ? or (page.bytes_so_far = page.bytes and ? = true) then events.data end as data
    from log left join (page join events on events.id = page.id) on true order by events.position`;
}

/**
 * The same for a reader who sees all of the log, where the payloads of the page fit together, as nearly always: nothing where they do
 * not. Parameters: whose log, the position twice, how many to give, and the first three again. One sum over all costs less than one
 * that runs along.
 */
function wholeText(owner: "workspace_id" | "location_id"): string {
  const follows = `events.${owner} = ? and events.position >
    (select case when ? > forgotten_position then ? else forgotten_position end from log)`;
  return `with log as materialized (select last_position, forgotten_position from event_log where id = 1),
    page as materialized (
      select count(*) as scanned, max(position) as scanned_to, coalesce(sum(bytes), 0) as bytes from
        (select position, octet_length(data) as bytes from events where ${follows} order by position limit ?) as scanned)
    select log.last_position as log_end, log.forgotten_position as forgotten, page.scanned, page.scanned_to, ${columns}, events.data
    from log join page on page.bytes <= ${limits.eventPageBytes}
      left join events on ${follows} and events.position <= page.scanned_to
    order by events.position`;
}

const texts = {
  workspace_id: { whole: wholeText("workspace_id"), long: pageText("workspace_id") },
  location_id: { whole: wholeText("location_id"), long: pageText("location_id") },
};

/** Events that are looked through at once where few of them may be wanted: a millisecond or two of work. */
const firstPiece = 500;
const nextPiece = 1000;

/** Pieces that are read at a time: most of PostgreSQL's pool is left to others. */
const inFairLine = createFairLock(2);

/** Past any position. */
const beyond = Number.MAX_SAFE_INTEGER;

/**
 * The events after a position, the oldest first. Refuses, on `after`, a position behind which payloads are forgotten that the reader
 * could have seen, and one that the log has not reached.
 */
export async function readEventLog(
  reader: Reader,
  { after, limit, event: asked }: EventLogQuery,
): Promise<EventLogPage> {
  const [owner, id, locationIds] = logOf(reader);
  const names = visibleNames(reader, asked);
  const from = after === "latest" ? beyond : after;
  // Then nothing is looked through in vain, and the text is one that stays prepared.
  const isWhole = locationIds === null && names.length === eventNames.length;
  const [where, params] = conditionsOf(names, locationIds);
  const page = new OpenPage(from);
  const readPiece = async (scan: number): Promise<EventLogPage | undefined> => {
    const begins = page.from;
    const log = [id, begins, begins];
    const rows = isWhole
      ? await readWhole(reader, texts[owner], log, scan)
      : await reader.rowsOnce<PageRow>(pageText(owner, where), [...log, scan, ...params, ...page.room(limit + 1)]);
    const [state] = rows;
    if (state === undefined) throw new Error("the event log has no mark: is the schema up to date?");
    if (begins === from) await refuseOutside(reader, after, from, state);
    return page.take(rows.filter(isFound), state, { scan, limit });
  };

  let answer = await readPiece(isWhole ? limit + 1 : firstPiece);
  if (answer !== undefined) return redactPage(reader, answer);
  return inFairLine(lineOf(reader), async (turn) => {
    for (let left = limits.eventScan - firstPiece; left > 0 && answer === undefined; left -= nextPiece) {
      answer = await turn(() => readPiece(Math.min(left, nextPiece)));
    }
    return redactPage(reader, answer ?? page.endHere());
  });
}

/** Resolves when the turn of so much text has come. */
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

async function refuseOutside(
  reader: Reader,
  after: EventLogQuery["after"],
  from: number,
  state: LogState,
): Promise<void> {
  if (from > state.log_end && after !== "latest") {
    throw new Invalid({ after: [`The after field is beyond the end of the log, which is ${state.log_end}.`] });
  }
  if (from > 0 && from < state.forgotten) await refuseForgotten(reader, from, state.forgotten);
}

async function readWhole(
  reader: Reader,
  text: { readonly whole: string; readonly long: string },
  log: readonly number[],
  most: number,
): Promise<PageRow[]> {
  const rows = await reader.rows<PageRow>(text.whole, [...log, most, ...log]);
  return rows.length > 0 ? rows : reader.rows<PageRow>(text.long, [...log, most, most, limits.eventPageBytes, true]);
}

/** Where to read on to see the latest `limit` events; of some names, the latest among the last few thousand events. */
export async function positionBefore(
  reader: Reader,
  { limit, event: asked }: Pick<EventLogQuery, "limit" | "event">,
): Promise<number> {
  const [owner, id, locationIds] = logOf(reader);
  const [where, params] = conditionsOf(visibleNames(reader, asked), locationIds);
  const [latest] = await reader.rowsOnce<{ first: number | null; log_end: number }>(
    `select min(position) as first, (select last_position from event_log where id = 1) as log_end
     from (select position from
       (select position, event, location_id from events where ${owner} = ? and position is not null
          and position > (select forgotten_position from event_log where id = 1)
        order by position desc limit ?) as scanned
       where ${where} order by position desc limit ?) as latest`,
    [id, Math.max(limits.eventScan, limit), ...params, limit],
  );
  return latest!.first === null ? latest!.log_end : latest!.first - 1;
}

/** Which log to read, and of which locations alone; null for all of them. What belongs to no location is for who sees every one. */
function logOf(
  reader: Reader,
): [owner: "workspace_id" | "location_id", id: number, locationIds: readonly number[] | null] {
  const ids = visibleIds(reader);
  const [only, ...others] = ids ?? [];
  if (only !== undefined && others.length === 0) return ["location_id", only, null];
  return ["workspace_id", reader.workspaceId, ids];
}

/** What holds for an event that the reader asks for, and what that binds. */
function conditionsOf(
  names: readonly EventName[],
  locationIds: readonly number[] | null,
): [where: string, params: readonly (string | number)[]] {
  // PostgreSQL knows no empty list.
  const named = names.length === 0 ? "1 = 0" : `event in (${placeholders(names.length)})`;
  if (locationIds === null) return [named, names];
  return [`${named} and location_id in (${placeholders(locationIds.length)})`, [...names, ...locationIds]];
}

/** Those of `asked` (all, unless it is given) that the scopes of the credential show. */
function visibleNames({ grant }: Reader, asked: readonly EventName[] = eventNames): EventName[] {
  return [...new Set(asked)].filter((name) => showsEvent(grant, name));
}

const forgottenText = {
  workspace_id: "select 1 as found from events where workspace_id = ? and position > ? and position <= ? limit 1",
  location_id: "select 1 as found from events where location_id = ? and position > ? and position <= ? limit 1",
};

/** Whoever stands at the end of a quiet log has missed nothing, however far the payloads of others are forgotten. */
async function refuseForgotten(reader: Reader, after: number, forgotten: number): Promise<void> {
  const [owner, id] = logOf(reader);
  const missed = await reader.rows(forgottenText[owner], [id, after, forgotten]);
  if (missed.length === 0) return;
  throw new Invalid({
    after: [
      `The after field is older than what is kept: events up to position ${forgotten} are forgotten. Go on after ${forgotten}, and read anew what may have changed before it.`,
    ],
  });
}
