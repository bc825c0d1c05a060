/** What changed in locations, by the event log: a position, and the ids of the records that pages show. */
import { eventsOf, logPlaces } from "../../events/following/positioned-events.ts";
import { unpackPayload } from "../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../events/payloads/stored-payload.ts";
import { listed } from "../../storage/json.ts";
import type { Rows } from "../../storage/rows.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";

/** A record that pages show; the stream carries nothing else of it. */
export type LiveRecord = readonly [noun: "contact" | "conversation" | "hook" | "run" | "workflow", id: number];

export interface LogChange {
  readonly position: number;
  readonly locationId: number;
  readonly records: readonly LiveRecord[];
}

interface EventRow {
  readonly position: number;
  readonly location_id: number;
  readonly event: string;
  readonly contact_id: number | null;
  readonly run_id: number | null;
  readonly workflow_id: number | null;
  readonly data: StoredPayload | null;
}

/** Only these payloads name a record that is in no column. */
const columns = `log.position, log.location_id, events.event, events.contact_id, events.run_id, workflow_runs.workflow_id,
  case when events.event like 'workflow.%' or events.event like 'conversation.%' or events.event like 'message.%' then events.data end as data`;

const changesOf = (log: SqlText): SqlText =>
  sql`select ${columns} from ${eventsOf(log)} left join workflow_runs on workflow_runs.id = events.run_id`;

const next = sql`(select position, event_id, location_id from event_positions where position > ? order by position limit ?)`;
const nextText = sql`${changesOf(next)} where log.location_id in ${listed} order by log.position`;

const places = logPlaces("location_id");
const ofLocation = sql`(select position, event_id, location_id from ${ownedBy("event_positions")}
  where ${inOwnedRange(places, { ">": "?", "<=": "?" })} order by ${inOwnedOrder(places)} limit ?)`;
const ofLocationText = sql`${changesOf(ofLocation)} order by log.position`;

const logText = "select last_position, forgotten_position from event_log where id = 1";

interface LogEnds {
  readonly last_position: number;
  readonly forgotten_position: number;
}

export async function findLogEnds({ rows }: Rows): Promise<LogEnds> {
  const [log] = await rows<LogEnds>(logText);
  return log!;
}

/** Events per read of the follower. */
const mostAtOnce = 1000;

/** The changes of these locations in the next events after `position`, and the position up to which was read. */
export async function readChanges(
  rows: Rows,
  position: number,
  locationIds: readonly number[],
): Promise<{ readonly changes: LogChange[]; readonly reached: number; readonly isMore: boolean }> {
  // Positions have no gaps.
  const { last_position: last } = await findLogEnds(rows);
  if (last <= position) return { changes: [], reached: last, isMore: false };
  const events = await rows.rows<EventRow>(nextText, [position, mostAtOnce, JSON.stringify(locationIds)]);
  const reached = Math.min(last, position + mostAtOnce);
  return { changes: events.filter((one) => one.position <= reached).map(toChange), reached, isMore: reached < last };
}

/** The changes of a location in (`after`, `until`], oldest first; undefined if there are more than `most`. */
export async function readMissed(
  rows: Rows,
  locationId: number,
  { after, until, most }: { readonly after: number; readonly until: number; readonly most: number },
): Promise<LogChange[] | undefined> {
  const events = await rows.rows<EventRow>(ofLocationText, [locationId, after, until, most + 1]);
  return events.length > most ? undefined : events.map(toChange);
}

/** The members of payloads that are read. */
interface Payload {
  readonly id?: number;
  readonly conversation_id?: number;
  readonly workflow_id?: number;
}

function toChange({ position, location_id: locationId, event, data, ...row }: EventRow): LogChange {
  const payload = data === null ? {} : (JSON.parse(unpackPayload(data)) as Payload);
  const records: [LiveRecord[0], number | null | undefined][] = [["contact", row.contact_id]];
  if (event.startsWith("conversation.")) records.push(["conversation", payload.id]);
  if (event.startsWith("message.")) records.push(["conversation", payload.conversation_id]);
  if (event.startsWith("workflow.")) records.push(["run", payload.id], ["workflow", payload.workflow_id]);
  records.push(["run", row.run_id], ["workflow", row.workflow_id]);
  return {
    position,
    locationId,
    records: records.flatMap(([noun, id]) => (typeof id === "number" ? [[noun, id]] : [])),
  };
}
