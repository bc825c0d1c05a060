/** The event that a dry run tries: given in full, or one of the log. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { positionOf } from "../../../events/following/positioned-events.ts";
import { unpackPayload } from "../../../events/payloads/stored-payload.ts";
import type { StoredPayload } from "../../../events/payloads/stored-payload.ts";
import { showsEvent } from "../../../operation/permission.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import type { EventName } from "../../../vocabulary/events.ts";
import { findCausingRuns } from "../following/causing-run.ts";
import type { CausingRun } from "../following/causing-run.ts";
import type { DryRunInput } from "../workflow.schema.ts";

export interface TriedEvent {
  readonly event: EventName;
  readonly contactId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** null for an event that did not happen. */
  readonly logged: {
    readonly position: number | null;
    readonly cause: CausingRun | undefined;
    /** Whether an import raised it. */
    readonly isImported: boolean;
  } | null;
}

interface LoggedRow {
  readonly id: number;
  readonly position: number | null;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly event: EventName;
  readonly contact_id: number | null;
  readonly run_id: number | null;
  readonly cause: "import" | null;
  readonly created_at: number;
  readonly data: StoredPayload | null;
}

const loggedText = `select id, ${positionOf("events.id")} as position, workspace_id, location_id, event, contact_id, run_id, cause, created_at, data
  from events where id = ? and location_id = ?`;

/** undefined without an event. Refuses, with 422 on `event_id`, one that the reader cannot see and one whose data was pruned. */
export async function findTriedEvent(
  reader: Reader<LocationContext>,
  { event, event_id: id }: Pick<DryRunInput, "event" | "event_id">,
): Promise<TriedEvent | undefined> {
  if (event !== undefined)
    return { event: event.event, contactId: event.contact_id ?? null, data: event.data, logged: null };
  if (id === undefined || id === null) return undefined;
  const [row] = await reader.rows<LoggedRow>(loggedText, [id, reader.location.id]);
  if (row === undefined || !showsEvent(reader.grant, row.event))
    throw new Invalid({ event_id: ["The event id field must name an event of the location."] });
  if (row.data === null)
    throw new Invalid({ event_id: ["The event id field names an event whose data was deleted: it is too old."] });
  const causes = await findCausingRuns(reader, [{ ...row, position: row.position ?? 0 }]);
  return {
    event: row.event,
    contactId: row.contact_id,
    data: JSON.parse(unpackPayload(row.data)) as Record<string, unknown>,
    logged: { position: row.position, cause: causes.get(row.id), isImported: row.cause === "import" },
  };
}
