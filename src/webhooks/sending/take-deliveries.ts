/**
 * Takes deliveries for a worker, and reads what their requests are made of: on PostgreSQL in one statement. That an attempt of each is open, and since when, is
 * in its row; the attempt gets one of its own when it has ended (acknowledge.ts).
 */
import type { StoredPayload } from "../../events/payloads/stored-payload.ts";
import type { Trace } from "../../kit/observing/trace-context.ts";
import type { Transaction } from "../../storage/database.ts";
import { listed } from "../../storage/json.ts";
import { embeddedOnly, serverOnly, sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import type { Value } from "../../storage/value.ts";
import { showsEvent } from "../../operation/permission.ts";
import type { DeliveredName } from "../../vocabulary/events.ts";
import type { ScopeName } from "../../vocabulary/scopes.ts";
import { hookScopes } from "../hooks/app-access.ts";
import type { HookScopes } from "../hooks/app-access.ts";

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

interface Taking {
  /** What the statement that takes the deliveries binds. */
  readonly params: readonly Value[];
  readonly hooks: readonly DueHook[];
}

/** The returned function gives the deliveries after the commit, with which their payloads travel. */
export type TakeDeliveries = (transaction: Transaction, taking: Taking) => Promise<() => Promise<Claimed[]>>;

/** `takeText` inserts or updates deliveries, and opens an attempt of each. */
export function takingDeliveries(takeText: SqlText): TakeDeliveries {
  // All in one round trip. The first delivery of an event brings its payload for all.
  const takeAtOnceText = serverOnly(
    sql`with taken as (${takeText} ${returning}),
      placed as (select taken.*, row_number() over (partition by event_id) as place from taken)
    select placed.*, events.event, events.data, events.created_at, events.trace
    from placed left join lateral
      (select * from events where events.id = placed.event_id and placed.place = 1 offset 0) as events on true`,
  );
  const takeHereText = embeddedOnly(sql`${takeText} ${returning}`);

  /** The same in an embedded database; elsewhere it takes none. */
  async function takeHere({ rows }: Transaction, { params }: Taking): Promise<TakenWithPayload[]> {
    const taken = await rows<TakenRow>(takeHereText, params);
    if (taken.length === 0) return [];
    const events = [...new Set(taken.map(({ event_id }) => event_id))];
    const payloads = await rows<EventPayload & { id: number }>(payloadHereText, [JSON.stringify(events)]);
    const byId = new Map(payloads.map(({ id, ...payload }) => [id, payload]));
    return taken.map((row) => ({ ...row, ...byId.get(row.event_id)! }));
  }

  return async (transaction, taking) => {
    const { params, hooks } = taking;
    const taken = transaction.roundTrips.rowsLater<TakenWithPayload>(takeAtOnceText, params);
    const takenHere = await takeHere(transaction, taking);
    return async () => withHooks([...takenHere, ...(await taken())], hooks);
  };
}

const returning = "returning deliveries.id, hook_id, event_id, fence, attempt, round_start";

function withHooks(rows: readonly TakenWithPayload[], hooks: readonly DueHook[]): Claimed[] {
  const hooksById = new Map(hooks.map((hook) => [hook.hook_id, { hook, scopes: hookScopes(hook) }]));
  const payloads = new Map(rows.flatMap((row) => (row.event === null ? [] : [[row.event_id, row]])));
  return rows.map(({ id, hook_id, event_id, fence, attempt, round_start }) => {
    const { event, data, created_at, trace } = payloads.get(event_id)!;
    const { hook, scopes } = hooksById.get(hook_id)!;
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
}
