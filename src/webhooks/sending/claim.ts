/**
 * Takes deliveries that are due, for one worker alone and for as long as its lease lasts: going round the webhooks, whoever waited
 * longest first, a few of each, so that a million waiting for one cost the others nothing.
 */
import type { Transaction } from "../../storage/database.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import { listed } from "../../storage/json.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { mostOfOne } from "./allowances.ts";
import type { EventName } from "../../vocabulary/events.ts";

/** A webhook that has something due, as signing and sending need it; times in milliseconds. */
export interface DueHook {
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
  /** Must be the same when it is acknowledged. */
  readonly fence: number;
  readonly attempt: number;
  readonly roundStart: number;
  readonly event: EventName;
  /** The frozen payload; null where it is pruned. */
  readonly data: string | null;
  readonly eventCreatedAt: number;
}

/** The most webhooks that are served in one turn. */
const hooksAtOnce = 128;

const dueText = sql`select hook_queues.hook_id, hooks.target_url, hooks.secret, hooks.old_secret, hooks.old_secret_until, hooks.failing_since
  from hook_queues join hooks on hooks.id = hook_queues.hook_id
  where hook_queues.due_at <= ? and hooks.status = 'active' and hooks.removed_at is null and hook_queues.hook_id not in ${listed}
  order by hook_queues.served_at, hook_queues.hook_id limit ${hooksAtOnce}`;

/** The webhooks for which something is due and that are none of `full`, whoever waited longest first. Holds nothing. */
export function findDueHooks(rows: Rows, now: Date, full: readonly number[]): Promise<DueHook[]> {
  return rows.rows(dueText, [now, JSON.stringify(full)]);
}

const wanted = jsonRows({ hook_id: "integer", take: "integer" });
const dueOfHook = (limit: string | number): string => `select deliveries.id from deliveries
  where deliveries.hook_id = wanted.hook_id and deliveries.due_at is not null and deliveries.due_at <= ?
  order by deliveries.due_at, deliveries.id limit ${limit}`;

/**
 * The first of each webhook, as many as it may have. SQLite knows no lateral join, and takes no column as a limit. What another worker
 * has just taken is stepped over.
 */
const picked: SqlText = {
  sqlite: `(select id from
    (select found.id, wanted.take, row_number() over (partition by wanted.hook_id order by found.due_at, found.id) as place
     from ${wanted.sqlite} as wanted cross join deliveries as found on found.id in (${dueOfHook(mostOfOne)}))
    where place <= take)`,
  postgres: `(select due.id from ${wanted.postgres} as wanted cross join lateral
    (${dueOfHook("wanted.take")} for update skip locked) as due)`,
};

const takeText = sql`update deliveries
  set state = 'delivering', due_at = null, leased_until = ?, fence = fence + 1,
    attempt = case when attempt_open then attempt else attempt + 1 end,
    crashed = case when attempt_open then crashed else false end, attempt_open = true
  from ${picked} as picked where deliveries.id = picked.id
  returning deliveries.id, hook_id, event_id, fence, attempt, round_start`;

const attempts = jsonRows({ id: "integer", attempt: "integer" });
/** One that a dead worker left, or a stopped one gave back, begins anew under its number. */
const beginText = sql`insert into delivery_attempts (delivery_id, number, at)
  select id, attempt, ${{ sqlite: "?", postgres: "cast(? as timestamptz)" }} from ${attempts} as begun where true
  on conflict (delivery_id, number) do update set at = excluded.at`;

const payloadText = sql`select id, event, data, created_at from events where id in ${listed}`;

interface TakenRow {
  readonly id: number;
  readonly hook_id: number;
  readonly event_id: number;
  readonly fence: number;
  readonly attempt: number;
  readonly round_start: number;
}

/** How many to take of a webhook. */
export interface Share {
  readonly hook: DueHook;
  readonly take: number;
}

interface Wish {
  readonly shares: readonly Share[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
}

/** Takes what is due and begins an attempt of each. Its caller settles the queues of these webhooks in the same transaction. */
export async function claim({ rows, send }: Transaction, { shares, now, leaseMilliseconds }: Wish): Promise<Claimed[]> {
  if (shares.length === 0) return [];
  const hooks = new Map(shares.map(({ hook }) => [hook.hook_id, hook]));
  const takes = JSON.stringify(shares.map(({ hook: { hook_id }, take }) => ({ hook_id, take })));
  const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
  const taken = await rows<TakenRow>(takeText, [leasedUntil, takes, now]);
  if (taken.length === 0) return [];
  send(beginText, [now, JSON.stringify(taken.map(({ id, attempt }) => ({ id, attempt })))]);
  const payloads = await rows<{ id: number; event: EventName; data: string | null; created_at: number }>(payloadText, [
    JSON.stringify([...new Set(taken.map(({ event_id }) => event_id))]),
  ]);
  const events = new Map(payloads.map((event) => [event.id, event]));
  return taken.map(({ id, hook_id, event_id, fence, attempt, round_start }) => {
    const { event, data, created_at } = events.get(event_id)!;
    const hook = hooks.get(hook_id)!;
    return { id, hook, fence, attempt, roundStart: round_start, event, data, eventCreatedAt: created_at };
  });
}

const nextText = `select min(hook_queues.due_at) as due_at from hook_queues join hooks on hooks.id = hook_queues.hook_id
  where hook_queues.due_at is not null and hooks.status = 'active' and hooks.removed_at is null`;

/** When something is due next; null while nothing waits. */
export async function findNextDue(rows: Rows): Promise<Date | null> {
  const [next] = await rows.rows<{ due_at: number | null }>(nextText);
  return typeof next?.due_at === "number" ? new Date(next.due_at) : null;
}

/** When the delivery was due that waits longest; null where none is overdue. */
export async function findOldestDue(rows: Rows, now: Date): Promise<Date | null> {
  const next = await findNextDue(rows);
  return next !== null && next <= now ? next : null;
}
