/**
 * Fan-out: follows the event log and creates a delivery for each webhook that is registered for an event and may
 * receive it. Where this process can send it at once, the delivery is created with its first attempt and does not pass
 * the queue.
 */
import { createEventReader } from "../../events/following/event-reader.ts";
import type { DutyOutcome } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { QueueSender } from "../../queues/sender.ts";
import type { Database, Transaction } from "../../storage/database.ts";
import { jsonRows } from "../../storage/json-rows.ts";
import { integerParameter, timeParameter } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { hookQueue } from "../deliveries/hook-queue.ts";
import type { AllowedScopes } from "../hooks/app-access.ts";
import { takingDeliveries } from "./take-deliveries.ts";
import type { Claimed, DueHook } from "./take-deliveries.ts";
import { createSelectSubscribers, matchSubscribers, toSubscribers } from "./subscribers.ts";
import type { HookMatch, SubscribedHook, SubscriberRow } from "./subscribers.ts";

/** The follower's name; its mark was created with the tables. */
const mark = "webhooks";

const made = jsonRows({ hook_id: "integer", event_id: "integer", position: "integer" });
/** Without what another worker has made meanwhile. */
const isNew = `made.position > (select position from event_marks where name = '${mark}') order by event_id, hook_id`;
const queueText = sql`insert into deliveries (hook_id, event_id, state, due_at, created_at)
  select hook_id, event_id, 'pending', ${timeParameter}, ${timeParameter} from ${made} as made where ${isNew}`;
const takeNew =
  takingDeliveries(sql`insert into deliveries (hook_id, event_id, state, attempt, attempt_open, fence, leased_until, leased_by, attempt_at, created_at)
  select hook_id, event_id, 'delivering', 1, true, 1, ${timeParameter}, ${integerParameter}, ${timeParameter}, ${timeParameter} from ${made} as made where ${isNew}`);

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
  const { database, clock, followers, sender, leaseMilliseconds, worker } = options;
  let workerId: number | null = null;
  /** Whether no transaction has begun since the webhooks were read: by a later one they may be paused, or have due deliveries that go first. */
  let areCurrent = false;

  /** The webhooks to which this process sends all their new deliveries at once, by id. */
  function findDirect(wanted: readonly HookMatch<SubscribedHook>[]): ReadonlyMap<number, DueHook> {
    const counts = new Map<SubscribedHook, number>();
    for (const { subscriber } of wanted)
      if (subscriber.isFree) counts.set(subscriber, (counts.get(subscriber) ?? 0) + 1);
    const shares = [...counts].map(([{ hook }, take]) => ({ due: hook, take }));
    return new Map(sender.keepRoom(shares).map(({ due }) => [due.hook_id, due]));
  }

  async function createSent(
    transaction: Transaction,
    wanted: readonly HookMatch<SubscribedHook>[],
    hooks: readonly DueHook[],
  ): Promise<() => Promise<Claimed[]>> {
    if (wanted.length === 0) return async () => [];
    const now = clock.now();
    const params = [new Date(now.getTime() + leaseMilliseconds), workerId, now, now, toRows(wanted)];
    return takeNew(transaction, { params, hooks });
  }

  function createQueued(transaction: Transaction, wanted: readonly HookMatch<SubscribedHook>[]): void {
    const dueAt = clock.now();
    for (let start = 0; start < wanted.length; start += piece)
      transaction.send(queueText, [dueAt, dueAt, toRows(wanted.slice(start, start + piece))]);
    // Last, so that the queue rows are locked only until the COMMIT.
    hookQueue.bringForward(
      transaction,
      wanted.map(({ subscriber }) => ({ holder: subscriber.id, dueAt })),
    );
  }

  const read = createEventReader<HookMatch<SubscribedHook>, SubscriberRow>(database, {
    name: mark,
    clock,
    followers,
    beside: createSelectSubscribers(options),
    async choose(heads, rows) {
      const matches = await matchSubscribers(heads, toSubscribers(rows));
      areCurrent = true;
      return matches;
    },
    positionOf: ({ head }) => head.position,
    batchSize: piece,
    leavesOutPassed: true,
    async take(wanted, transaction) {
      const direct = findDirect(areCurrent ? wanted : []);
      areCurrent = false;
      const isDirect = ({ subscriber }: HookMatch<SubscribedHook>): boolean => direct.has(subscriber.id);
      const taken = await createSent(transaction, wanted.filter(isDirect), [...direct.values()]);
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

const toRows = (matches: readonly HookMatch<SubscribedHook>[]): string =>
  JSON.stringify(
    matches.map(({ subscriber, head }) => ({ hook_id: subscriber.id, event_id: head.id, position: head.position })),
  );
