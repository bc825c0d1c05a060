/**
 * Fan-out: follows the event log and creates a delivery for each webhook that is registered for an event and may
 * receive it. Where this process can send it at once, the delivery is created with its first attempt and does not pass
 * the queue.
 */
import { createEventReader } from "../../events/following/event-reader.ts";
import type { EventHead } from "../../events/following/positioned-events.ts";
import type { DutyOutcome } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { yieldToEventLoop } from "../../kit/waiting/fair-lock.ts";
import type { QueueSender } from "../../queues/sender.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { integerParameter, timeParameter } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import { hookScopes, scopesOfApp } from "../hooks/app-access.ts";
import type { AllowedScopes } from "../hooks/app-access.ts";
import { takingDeliveries } from "./begin-attempts.ts";
import type { Claimed, DueHook } from "./begin-attempts.ts";

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

interface ListenerRow extends DueHook {
  readonly workspace_id: number;
  readonly after_position: number;
  readonly events: string | null;
  readonly app_id: number | null;
  readonly location_ids: string | null;
  readonly status: "active" | "paused";
  /** When its next delivery is due, in milliseconds. */
  readonly due_at: number | null;
}

/** A subscriber as its webhook was when its events were read. */
interface Listener extends Subscriber {
  readonly hook: DueHook;
  /** Whether a new delivery may be sent before what its queue holds: nothing of it is due. */
  readonly isFree: boolean;
}

function writeListenersText(allowedScopes: AllowedScopes): SqlText {
  return sql`select id as hook_id, workspace_id, after_position, events, scopes, location_ids, app_id, status, target_url, secret,
      old_secret, old_secret_until, failing_since, ${scopesOfApp(allowedScopes)} as app_scopes,
      (select due_at from hook_queues where hook_queues.hook_id = hooks.id) as due_at
    from hooks where workspace_id in ${listed} and removed_at is null and status <> 'disabled' order by id`;
}

async function listenersOf(
  { database, clock }: Pick<FanOut, "database" | "clock">,
  text: SqlText,
  heads: readonly EventHead[],
): Promise<Listener[]> {
  const workspaces = [...new Set(heads.map(({ workspace_id }) => workspace_id))];
  const rows = await database.rows<ListenerRow>(text, [JSON.stringify(workspaces)]);
  const now = clock.now().getTime();
  const matches = rows.filter(({ app_id, app_scopes }) => app_id === null || app_scopes !== null);
  return matches.map((row) => ({
    id: row.hook_id,
    workspaceId: row.workspace_id,
    afterPosition: row.after_position,
    events: row.events === null ? null : (JSON.parse(row.events) as EventName[]),
    scopes: hookScopes(row),
    locationIds: row.location_ids === null ? null : (JSON.parse(row.location_ids) as number[]),
    hook: row,
    isFree: row.status === "active" && row.failing_since === null && (row.due_at === null || row.due_at > now),
  }));
}

interface HookMatch<Matched extends Subscriber> {
  readonly listener: Matched;
  readonly head: EventHead;
}

/** Checks per turn of the event loop: a millisecond or two. */
const judgedAtOnce = 10_000;

/** Matches events and webhooks; a thousand of both make a million checks, so it yields in between. */
export async function matchSubscribers<Matched extends Subscriber>(
  heads: readonly EventHead[],
  listeners: readonly Matched[],
): Promise<HookMatch<Matched>[]> {
  const ofWorkspace = Map.groupBy(listeners, ({ workspaceId }) => workspaceId);
  const matches: HookMatch<Matched>[] = [];
  let judged = 0;
  for (const head of heads) {
    const listeners = ofWorkspace.get(head.workspace_id) ?? [];
    for (const listener of listeners) if (receives(listener, head)) matches.push({ listener, head });
    judged += listeners.length;
    if (judged < judgedAtOnce) continue;
    judged = 0;
    await yieldToEventLoop();
  }
  return matches;
}

const made = jsonRows({ hook_id: "integer", event_id: "integer", position: "integer" });
/** Without what another worker has made meanwhile. */
const isNew = `made.position > (select position from event_marks where name = '${mark}') order by event_id, hook_id`;
const queueText = sql`insert into deliveries (hook_id, event_id, state, due_at, created_at)
  select hook_id, event_id, 'pending', ${timeParameter}, ${timeParameter} from ${made} as made where ${isNew}`;
const takeNew =
  takingDeliveries(sql`insert into deliveries (hook_id, event_id, state, attempt, attempt_open, fence, leased_until, leased_by, created_at)
  select hook_id, event_id, 'delivering', 1, true, 1, ${timeParameter}, ${integerParameter}, ${timeParameter} from ${made} as made where ${isNew}`);

/** Deliveries per statement and transaction, unless a single event has more. */
const piece = 5000;

interface FanOut {
  readonly database: Database;
  readonly clock: Clock;
  readonly allowedScopes: AllowedScopes;
  readonly followers: Map<string, number>;
  /** What sends the deliveries that need not be queued. */
  readonly sender: Pick<QueueSender<DueHook, Claimed>, "keepRoom" | "start">;
  readonly leaseMilliseconds: number;
  /** This worker, from `Workers.own`. */
  readonly worker: () => Promise<number | null>;
}

/** Returns a function that processes the next events. */
export function createFanOut(options: FanOut): () => Promise<DutyOutcome> {
  const { database, clock, allowedScopes, followers, sender, leaseMilliseconds, worker } = options;
  const listenersText = writeListenersText(allowedScopes);
  let workerId: number | null = null;

  /** The webhooks to which this process sends all their new deliveries at once. */
  function findDirect(wanted: readonly HookMatch<Listener>[]): ReadonlySet<number> {
    const counts = new Map<Listener, number>();
    for (const { listener } of wanted) if (listener.isFree) counts.set(listener, (counts.get(listener) ?? 0) + 1);
    const shares = [...counts].map(([{ hook }, take]) => ({ due: hook, take }));
    return new Set(sender.keepRoom(shares).map(({ due }) => due.hook_id));
  }

  async function createSent(
    transaction: Transaction,
    wanted: readonly HookMatch<Listener>[],
  ): Promise<() => Promise<Claimed[]>> {
    if (wanted.length === 0) return async () => [];
    const now = clock.now();
    const params = [new Date(now.getTime() + leaseMilliseconds), workerId, now, toRows(wanted)];
    return takeNew(transaction, { params, hooks: wanted.map(({ listener }) => listener.hook), now });
  }

  function createQueued(transaction: Transaction, wanted: readonly HookMatch<Listener>[]): void {
    const dueAt = clock.now();
    for (let start = 0; start < wanted.length; start += piece)
      transaction.send(queueText, [dueAt, dueAt, toRows(wanted.slice(start, start + piece))]);
    // Last, so that the queue rows are locked only until the COMMIT.
    hookQueue.bringForward(
      transaction,
      wanted.map(({ listener }) => ({ holder: listener.id, dueAt })),
    );
  }

  const read = createEventReader<HookMatch<Listener>>(database, {
    name: mark,
    clock,
    followers,
    async choose(heads) {
      return matchSubscribers(heads, await listenersOf(options, listenersText, heads));
    },
    positionOf: ({ head }) => head.position,
    batchSize: piece,
    leavesOutPassed: true,
    async take(wanted, transaction) {
      const direct = findDirect(wanted);
      const isDirect = ({ listener }: HookMatch<Listener>): boolean => direct.has(listener.id);
      const taken = await createSent(transaction, wanted.filter(isDirect));
      createQueued(
        transaction,
        wanted.filter((match) => !isDirect(match)),
      );
      return async () => sender.start(await taken());
    },
  });
  return async () => {
    // A transaction of its own, the first time.
    workerId = await worker();
    try {
      return await read();
    } finally {
      // Of a transaction that failed.
      sender.keepRoom([]);
    }
  };
}

const toRows = (matches: readonly HookMatch<Listener>[]): string =>
  JSON.stringify(
    matches.map(({ listener, head }) => ({ hook_id: listener.id, event_id: head.id, position: head.position })),
  );
