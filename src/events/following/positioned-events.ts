/** SQL that reads events by their place in the log, and the columns of an event that are read without its payload. */
import { withRowOf } from "../../storage/reading/lateral.ts";
import type { OwnedPlaces } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { EventName } from "../../vocabulary/events.ts";

/** An event without its payload. */
export interface EventHead {
  readonly id: number;
  readonly position: number;
  readonly workspace_id: number;
  readonly location_id: number | null;
  readonly event: EventName;
  readonly contact_id: number | null;
  /** The workflow run that caused it. */
  readonly run_id: number | null;
  /** `import` if an import raised it. */
  readonly cause: "import" | null;
  /** In milliseconds. */
  readonly created_at: number;
}

/** The columns of an EventHead, without its position, which is in another table. */
export const headColumns = [
  "id",
  "workspace_id",
  "location_id",
  "event",
  "contact_id",
  "run_id",
  "cause",
  "created_at",
];

/** For use after `from`: `log`, a table of that name with a column `event_id`, with the row of `events` of each. */
export function eventsOf(log: SqlText): SqlText {
  return withRowOf({ given: sql`${log} as log`, table: "events", key: "log.event_id" });
}

/** A select of the heads of the events of `log`, a table with the columns `event_id` and `position`, and of `more`. */
export function selectHeads(log: SqlText, ...more: readonly string[]): SqlText {
  const columns = [...headColumns.map((column) => `events.${column}`), "log.position", ...more].join(", ");
  return sql`select ${columns} from ${eventsOf(log)}`;
}

/** For `inOwnedRange` over event_positions: the events of one workspace or location. */
export const logPlaces = (owner: "workspace_id" | "location_id"): OwnedPlaces => ({
  owner: `event_positions.${owner}`,
  place: "event_positions.position",
});

/** The position of the event whose id is `id`; null without one. */
export const positionOf = (id: string): string => `(select position from event_positions where event_id = ${id})`;
