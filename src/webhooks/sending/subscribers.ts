/** Finds the webhooks that are registered for events and may receive them. */
import type { EventHead } from "../../events/following/positioned-events.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { yieldToEventLoop } from "../../kit/waiting/fair-lock.ts";
import type { Select } from "../../storage/database.ts";
import { fewOf } from "../../storage/json.ts";
import { integerParameter, timeParameter } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { hookFacts } from "../deliveries/hook-queue.ts";
import { hookScopes, placeOfApp, scopesOfApp } from "../hooks/app-access.ts";
import type { AllowedScopes } from "../hooks/app-access.ts";
import type { DueHook } from "./take-deliveries.ts";

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
  subscriber: Subscriber,
  {
    position,
    workspace_id,
    location_id,
    event,
  }: Pick<EventHead, "position" | "workspace_id" | "location_id" | "event">,
): boolean {
  if (subscriber.workspaceId !== workspace_id || position <= subscriber.afterPosition || event === "ping") return false;
  if (subscriber.events !== null && !subscriber.events.includes(event)) return false;
  if (!showsEvent(subscriber, event)) return false;
  return subscriber.locationIds === null || (location_id !== null && subscriber.locationIds.includes(location_id));
}

export interface SubscriberRow extends DueHook {
  readonly workspace_id: number;
  readonly after_position: number;
  readonly events: string | null;
  readonly app_id: number | null;
  readonly location_ids: string | null;
  readonly status: "active" | "paused";
  readonly is_due: boolean | number;
}

/** A subscriber as its webhook was when its events were read. */
export interface SubscribedHook extends Subscriber {
  readonly hook: DueHook;
  /** Whether a new delivery may be sent before what its queue holds: nothing of it is due. */
  readonly isFree: boolean;
}

interface SubscribersOptions {
  readonly clock: Clock;
  readonly allowedScopes: AllowedScopes;
}

/**
 * Returns a function that writes the select of the webhooks that may receive the next events: up to `atMost` behind `position`. Run it after these
 * are read, since a webhook may have been created just before an event.
 */
export function createSelectSubscribers({
  clock,
  allowedScopes,
}: SubscribersOptions): (position: number, atMost: number) => Select {
  const text = writeSubscribersText(allowedScopes);
  return (position, atMost) => [text, [position, atMost, clock.now()]];
}

/** The webhooks that were read, without those of apps that have no access. */
export function toSubscribers(rows: readonly SubscriberRow[]): SubscribedHook[] {
  const matches = rows.filter(({ app_id, app_scopes }) => app_id === null || app_scopes !== null);
  return matches.map((row) => ({
    id: row.hook_id,
    workspaceId: row.workspace_id,
    afterPosition: row.after_position,
    events: row.events === null ? null : (JSON.parse(row.events) as EventName[]),
    scopes: hookScopes(row),
    locationIds: row.location_ids === null ? null : (JSON.parse(row.location_ids) as number[]),
    hook: row,
    isFree: row.status === "active" && row.failing_since === null && !row.is_due,
  }));
}

/** The next events, and the names that they have. */
const next = sql`with next as materialized
    (select event_id, workspace_id, location_id from event_positions where position > ? order by position limit ${integerParameter}),
  named as materialized (select distinct event from events where id in (select event_id from next))`;

/** Without most of the webhooks that receive none of the next events, which are for other locations or other events: a workspace may have thousands. */
const mayReceive = sql`workspace_id in ${fewOf(sql`select distinct workspace_id from next`)}
  and (app_id is null or ${placeOfApp} in ${fewOf(sql`select distinct location_id from next`)})
  and (events is null or exists (select 1 from named where hooks.events like '%"' || named.event || '"%'))`;

/** The queues with something due are read at once: one look for each webhook, PostgreSQL would read a small table as often as it has rows. */
function writeSubscribersText(allowedScopes: AllowedScopes): SqlText {
  return sql`${next}
    select id as hook_id, workspace_id, after_position, events, location_ids, app_id, status, ${hookFacts}, ${scopesOfApp(allowedScopes)} as app_scopes,
      id in (select hook_id from hook_queues where due_at <= ${timeParameter}) as is_due
    from hooks where ${mayReceive} and removed_at is null and status <> 'disabled' order by id`;
}

export interface HookMatch<Matched extends Subscriber> {
  readonly subscriber: Matched;
  readonly head: EventHead;
}

/** Checks per turn of the event loop: a millisecond or two. */
const judgedAtOnce = 10_000;

/** Matches events and webhooks; a thousand of both make a million checks, so it yields in between. */
export async function matchSubscribers<Matched extends Subscriber>(
  heads: readonly EventHead[],
  subscribers: readonly Matched[],
): Promise<HookMatch<Matched>[]> {
  const ofWorkspace = Map.groupBy(subscribers, ({ workspaceId }) => workspaceId);
  const matches: HookMatch<Matched>[] = [];
  let judged = 0;
  for (const head of heads) {
    const subscribers = ofWorkspace.get(head.workspace_id) ?? [];
    for (const subscriber of subscribers) if (receives(subscriber, head)) matches.push({ subscriber, head });
    judged += subscribers.length;
    if (judged < judgedAtOnce) continue;
    judged = 0;
    await yieldToEventLoop();
  }
  return matches;
}
