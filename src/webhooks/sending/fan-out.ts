/**
 * Fan-out: follows the event log and creates a delivery for each webhook that is registered for an event and may
 * receive it.
 */
import { createEventReader } from "../../events/following/event-reader.ts";
import type { EventHead } from "../../events/following/positioned-events.ts";
import type { DutyOutcome } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { yieldToEventLoop } from "../../kit/waiting/fair-lock.ts";
import type { Database } from "../../storage/database.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { timeParameter } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { hookScopes, scopesOfApp } from "../hooks/app-access.ts";
import type { AllowedScopes, HookScopes } from "../hooks/app-access.ts";

/** The follower's name; its mark was created with the tables. */
const mark = "webhooks";

/** A webhook that receives events; a paused one queues them. */
export interface Subscriber {
  readonly id: number;
  readonly workspaceId: number;
  readonly afterPosition: number;
  /** null: all. */
  readonly events: readonly EventName[] | null;
  readonly scopes: readonly ScopeName[];
  /** null: all locations, and events of none. */
  readonly locationIds: readonly number[] | null;
}

/** Whether a webhook receives an event: registered for it, covered by its scopes, and in its locations. */
export function receives(
  listener: Subscriber,
  {
    position,
    workspace_id,
    location_id,
    event,
  }: Pick<EventHead, "position" | "workspace_id" | "location_id" | "event">,
): boolean {
  if (listener.workspaceId !== workspace_id || position <= listener.afterPosition || event === "ping") return false;
  if (listener.events !== null && !listener.events.includes(event)) return false;
  if (!showsEvent(listener, event)) return false;
  return listener.locationIds === null || (location_id !== null && listener.locationIds.includes(location_id));
}

interface ListenerRow extends HookScopes {
  readonly id: number;
  readonly workspace_id: number;
  readonly after_position: number;
  readonly events: string | null;
  readonly app_id: number | null;
  readonly location_ids: string | null;
}

function writeListenersText(allowedScopes: AllowedScopes): SqlText {
  return sql`select id, workspace_id, after_position, events, scopes, location_ids, app_id, ${scopesOfApp(allowedScopes)} as app_scopes
    from hooks where workspace_id in ${listed} and removed_at is null and status <> 'disabled' order by id`;
}

async function listenersOf(database: Database, text: SqlText, heads: readonly EventHead[]): Promise<Subscriber[]> {
  const workspaces = [...new Set(heads.map(({ workspace_id }) => workspace_id))];
  const rows = await database.rows<ListenerRow>(text, [JSON.stringify(workspaces)]);
  const matches = rows.filter(({ app_id, app_scopes }) => app_id === null || app_scopes !== null);
  return matches.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    afterPosition: row.after_position,
    events: row.events === null ? null : (JSON.parse(row.events) as EventName[]),
    scopes: hookScopes(row),
    locationIds: row.location_ids === null ? null : (JSON.parse(row.location_ids) as number[]),
  }));
}

interface HookMatch {
  readonly hookId: number;
  readonly head: EventHead;
}

/** Checks per turn of the event loop: a millisecond or two. */
const judgedAtOnce = 10_000;

/** Matches events and webhooks; a thousand of both make a million checks, so it yields in between. */
export async function matchSubscribers(
  heads: readonly EventHead[],
  listeners: readonly Subscriber[],
): Promise<HookMatch[]> {
  const ofWorkspace = Map.groupBy(listeners, ({ workspaceId }) => workspaceId);
  const matches: HookMatch[] = [];
  let judged = 0;
  for (const head of heads) {
    const listeners = ofWorkspace.get(head.workspace_id) ?? [];
    for (const listener of listeners) if (receives(listener, head)) matches.push({ hookId: listener.id, head });
    judged += listeners.length;
    if (judged < judgedAtOnce) continue;
    judged = 0;
    await yieldToEventLoop();
  }
  return matches;
}

const made = jsonRows({ hook_id: "integer", event_id: "integer", position: "integer" });
/** Without what another worker has made meanwhile. */
const makeText = sql`insert into deliveries (hook_id, event_id, state, due_at, created_at)
  select hook_id, event_id, 'pending', ${timeParameter}, ${timeParameter} from ${made} as made
  where made.position > (select position from event_marks where name = '${mark}') order by event_id, hook_id`;

/** Deliveries per statement and transaction, unless a single event has more. */
const piece = 5000;

interface FanOut {
  readonly database: Database;
  readonly clock: Clock;
  readonly allowedScopes: AllowedScopes;
  readonly followers: Map<string, number>;
}

/** Returns a function that processes the next events. */
export function createFanOut({ database, clock, allowedScopes, followers }: FanOut): () => Promise<DutyOutcome> {
  const listenersText = writeListenersText(allowedScopes);
  return createEventReader<HookMatch>(database, {
    name: mark,
    clock,
    followers,
    async choose(heads) {
      return matchSubscribers(heads, await listenersOf(database, listenersText, heads));
    },
    positionOf: ({ head }) => head.position,
    batchSize: piece,
    leavesOutPassed: true,
    take(wanted, transaction) {
      const at = clock.now();
      for (let start = 0; start < wanted.length; start += piece) {
        const part = wanted.slice(start, start + piece);
        const rows = part.map(({ hookId, head }) => ({ hook_id: hookId, event_id: head.id, position: head.position }));
        transaction.send(makeText, [at, at, JSON.stringify(rows)]);
      }
      hookQueue.bringForward(
        transaction,
        wanted.map(({ hookId }) => ({ holder: hookId, dueAt: at })),
      );
    },
  });
}
