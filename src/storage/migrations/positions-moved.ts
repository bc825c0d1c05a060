/** Moves the positions of events into a table of their own: in steps ahead of the migration, during which changes go on, and the rest within it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database.ts";

/** Until the migration gives it its name; a backup omits it. */
export const preparedPositions = "prepared_event_positions";

/** Events per step: some ten milliseconds, in which an embedded database writes nothing else. */
const atOnce = 5000;
/** Between two steps, in milliseconds, so that waiting writers of other processes get the lock. */
const pause = 20;

const createStatements = [
  `create table if not exists "${preparedPositions}" ("position" bigint not null, "event_id" bigint not null,
     "workspace_id" bigint not null, "location_id" bigint null, constraint "event_positions_pkey" primary key ("position"))`,
  `create index if not exists "event_positions_of_workspace" on "${preparedPositions}" ("workspace_id", "position")`,
  `create index if not exists "event_positions_of_location" on "${preparedPositions}" ("location_id", "position")`,
  `create unique index if not exists "event_positions_event" on "${preparedPositions}" ("event_id")`,
];
/** A whole number that is the key is the row's own number on SQLite only by this name of its type. */
const embedded = (text: string): string => text.replaceAll("bigint", "integer");

/** `column`: of the position in `events`, whose name the migration changes. */
const copyText = (column: string): string => `insert into "${preparedPositions}" ("position", "event_id", "workspace_id", "location_id")
  select "${column}", "id", "workspace_id", "location_id" from "events"
  where "${column}" > (select coalesce(max("position"), 0) from "${preparedPositions}")`;
const copySomeText = `${copyText("position")} order by "position" limit ${atOnce}`;
const reachedText = `select coalesce(max("position"), 0) as reached from "${preparedPositions}"`;

/** Copies the positions that are assigned; resumes where an interrupted run has stopped. The schema is still the one before. */
export async function preparePositions(database: Database): Promise<void> {
  const write = (text: string): string => (database.dialect === "sqlite" ? embedded(text) : text);
  await database.transaction(async ({ rowsOnce }) => {
    for (const statement of createStatements) await rowsOnce(write(statement));
  });
  for (let isMore = true; isMore; await sleep(pause)) {
    isMore = await database.transaction(async ({ rowsOnce }) => {
      const [before] = await rowsOnce<{ reached: number }>(reachedText);
      await rowsOnce(copySomeText);
      const [after] = await rowsOnce<{ reached: number }>(reachedText);
      // Positions have no gaps.
      return after!.reached - before!.reached >= atOnce;
    });
  }
}

/** The statements of the migration on PostgreSQL. The first waits for changes under way, and holds up others until the commit. */
export const movePositions = [
  `alter table "events" rename column "position" to "former_position"`,
  ...createStatements,
  copyText("former_position"),
  `alter table "${preparedPositions}" rename to "event_positions"`,
  `create table "unstamped_events" ("event_id" bigint not null, "workspace_id" bigint not null, "location_id" bigint null, primary key ("event_id"))`,
  `create index "unstamped_events_of_location" on "unstamped_events" ("location_id")`,
  `insert into "unstamped_events" ("event_id", "workspace_id", "location_id")
     select "id", "workspace_id", "location_id" from "events" where "former_position" is null`,
  `drop index "events_of_location"`,
  `drop index "events_of_workspace"`,
  `drop index "events_unstamped"`,
];

/** The same on SQLite. */
export const movePositionsEmbedded = movePositions.map(embedded);

/** Back, for both databases; the indexes follow. */
export const movePositionsBack = [
  `alter table "events" rename column "former_position" to "position"`,
  `update "events" set "position" = moved."position" from "event_positions" as moved
     where moved."event_id" = "events"."id" and "events"."position" is null`,
  `drop table "event_positions"`,
  `drop table "unstamped_events"`,
  `create index "events_of_location" on "events" ("location_id", "position")`,
  `create index "events_of_workspace" on "events" ("workspace_id", "position")`,
  `create index "events_unstamped" on "events" ("id") where "position" is null`,
];
