/**
 * Claims due deliveries for one worker under a lease: round-robin over the webhooks, longest waiting first, a few of
 * each, so that a million deliveries of one webhook cost the others nothing.
 */
import type { StoredPayload } from "../../events/payloads/stored-payload.ts";
import type { Trace } from "../../kit/observing/trace-context.ts";
import type { Share } from "../../queues/sender.ts";
import type { Transaction } from "../../storage/database.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import { timeParameter } from "../../storage/rows.ts";
import type { Rows } from "../../storage/rows.ts";
import { embeddedOnly, serverOnly, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { DeliveredName } from "../../vocabulary/events.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { hookScopes } from "../hooks/app-access.ts";
import type { HookScopes } from "../hooks/app-access.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";

/** A webhook with due deliveries, as needed for signing and sending; times in milliseconds. */
export interface DueHook extends HookScopes {
  readonly hook_id: number;
  readonly target_url: string;
  /** Sealed. */
  readonly secret: string;
  readonly old_secret: string | null;
  readonly old_secret_until: number | null;
  readonly failing_since: number | null;
}

export interface Claimed {
  readonly id: number;
  readonly hook: DueHook;
  /** The webhook's current scopes. */
  readonly scopes: readonly ScopeName[];
  /** The fencing token: must be unchanged at the acknowledgement. */
  readonly fence: number;
  readonly attempt: number;
  readonly roundStart: number;
  readonly event: DeliveredName;
  /** The frozen payload, as stored: a damaged one fails its own delivery; null if pruned or no longer allowed for this webhook. */
  readonly data: StoredPayload | null;
  readonly eventCreatedAt: number;
  readonly trace: Trace | null;
}

const takeText = sql`update deliveries
  set state = 'delivering', due_at = null, leased_until = ?, leased_by = ?, fence = fence + 1,
    attempt = case when attempt_open then attempt else attempt + 1 end,
    crashed = case when attempt_open then crashed else false end, attempt_open = true
  from ${hookQueue.picked} as picked where deliveries.id = picked.id
  returning deliveries.id, hook_id, event_id, fence, attempt, round_start`;

/** An attempt of a dead or stopped worker restarts under its number. */
const beginText = (attempts: SqlText): SqlText => sql`insert into delivery_attempts (delivery_id, number, at)
  select id, attempt, ${timeParameter} from ${attempts} where true
  on conflict (delivery_id, number) do update set at = excluded.at`;

/** All in one round trip. The first delivery of an event brings its payload for all. */
const takeAtOnceText = serverOnly(
  sql`with taken as (${takeText}), begun as (${beginText(sql`taken`)}),
      placed as (select taken.*, row_number() over (partition by event_id) as place from taken)
    select placed.*, events.event, events.data, events.created_at, events.trace
    from placed left join lateral
      (select * from events where events.id = placed.event_id and placed.place = 1 offset 0) as events on true`,
);

const takeHereText = embeddedOnly(takeText);
const beginHereText = embeddedOnly(beginText(sql`${jsonRows({ id: "integer", attempt: "integer" })} as begun`));
const payloadHereText = embeddedOnly(sql`select id, event, data, created_at, trace from events where id in ${listed}`);

interface TakenRow {
  readonly id: number;
  readonly hook_id: number;
  readonly event_id: number;
  readonly fence: number;
  readonly attempt: number;
  readonly round_start: number;
}

interface EventPayload {
  readonly event: DeliveredName;
  readonly data: StoredPayload | null;
  readonly created_at: number;
  readonly trace: Trace | null;
}

/** With the payload of its event, or another row of the same event has it. */
type TakenWithPayload = TakenRow & (EventPayload | { readonly event: null });

const none = async (): Promise<Claimed[]> => [];

interface DeliveryClaim {
  readonly shares: readonly Share<DueHook>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  readonly worker: number | null;
}

/**
 * Claims due deliveries and opens their attempts. The caller settles the queues of these webhooks in the same
 * transaction. The returned function gives the deliveries after the commit, with which their payloads travel.
 */
export async function claim(
  writer: Transaction,
  { shares, now, leaseMilliseconds, worker }: DeliveryClaim,
): Promise<() => Promise<Claimed[]>> {
  if (shares.length === 0) return none;
  const hooks = new Map(shares.map(({ due }) => [due.hook_id, { hook: due, scopes: hookScopes(due) }]));
  const takes = JSON.stringify(shares.map(({ due: { hook_id }, take }) => ({ hook_id, take })));
  const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
  const params = [leasedUntil, worker, takes, now];
  const taken = writer.roundTrips.rowsLater<TakenWithPayload>(takeAtOnceText, [...params, now]);
  const takenHere = await takeHere(writer, params, now);
  return async () => {
    const rows = [...takenHere, ...(await taken())];
    const payloads = new Map(rows.flatMap((row) => (row.event === null ? [] : [[row.event_id, row]])));
    return rows.map(({ id, hook_id, event_id, fence, attempt, round_start }) => {
      const { event, data, created_at, trace } = payloads.get(event_id)!;
      const { hook, scopes } = hooks.get(hook_id)!;
      const shown = showsEvent({ scopes }, event) ? data : null;
      return {
        id,
        hook,
        scopes,
        fence,
        attempt,
        roundStart: round_start,
        event,
        data: shown,
        eventCreatedAt: created_at,
        trace,
      };
    });
  };
}

/** The same in an embedded database; elsewhere it takes none. */
async function takeHere({ rows, send }: Transaction, params: readonly Value[], now: Date): Promise<TakenWithPayload[]> {
  const taken = await rows<TakenRow>(takeHereText, params);
  if (taken.length === 0) return [];
  send(beginHereText, [now, JSON.stringify(taken.map(({ id, attempt }) => ({ id, attempt })))]);
  const events = [...new Set(taken.map(({ event_id }) => event_id))];
  const payloads = await rows<EventPayload & { id: number }>(payloadHereText, [JSON.stringify(events)]);
  const byId = new Map(payloads.map(({ id, ...payload }) => [id, payload]));
  return taken.map((row) => ({ ...row, ...byId.get(row.event_id)! }));
}

/** Due time of the most overdue delivery; null if none is overdue. */
export async function findOldestDue(rows: Rows, now: Date): Promise<Date | null> {
  const next = await hookQueue.findNextDue(rows);
  return next !== null && next <= now ? next : null;
}
