/** Takes messages that are due, for one worker alone and for as long as its lease lasts, and takes back what a dead one left. */
import type { Share } from "../../../queues/sender.ts";
import type { Dead } from "../../../queues/take-back.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { keepToIndexes } from "../../../storage/query-plans.ts";
import type { ChannelStatus } from "../../../vocabulary/states.ts";
import { sendQueue } from "./send-queue.ts";

/** A channel that has something due. */
export interface DueChannel {
  readonly channel_id: number;
  readonly status: ChannelStatus;
}

export interface ClaimedSend {
  readonly id: number;
  readonly message_id: number;
  readonly conversation_id: number;
  readonly channel_id: number;
  readonly attempt: number;
  /** Must be the same when it is told what came of it. */
  readonly fence: number;
}

const takeText = sql`update message_sends set due_at = null, leased_until = ?, leased_by = ?, fence = fence + 1, attempt = attempt + 1
  from ${sendQueue.picked} as picked where message_sends.id = picked.id
  returning message_sends.id, message_id, channel_id, conversation_id, attempt, fence`;

interface SendClaim {
  readonly shares: readonly Share<DueChannel>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  /** Who takes them, as `Workers.own` tells. */
  readonly worker: number | null;
}

/** Resolves to what was taken when that is on disk: only then may it be sent. */
export function claimSends(
  database: Database,
  { shares, now, leaseMilliseconds, worker }: SendClaim,
): Promise<ClaimedSend[]> {
  return database.transaction(async (transaction) => {
    keepToIndexes(transaction);
    const takes = JSON.stringify(shares.map(({ due: { channel_id }, take }) => ({ channel_id, take })));
    const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
    const taken = await transaction.rows<ClaimedSend>(takeText, [leasedUntil, worker, takes, now]);
    sendQueue.settle(transaction, { served: shares.map(({ due }) => due.channel_id), others: [], now });
    return taken;
  });
}

const batch = 500;
const deadText = sql`update message_sends set due_at = ?, leased_until = null where id in
  (select id from message_sends where leased_until is not null and (leased_until < ? or leased_by in ${listed})
    and id not in ${listed} order by leased_until limit ${batch}${{
      sqlite: "",
      postgres: " for update skip locked",
    }}) returning channel_id`;

interface SendsTakeBack extends Dead {
  /** What this process has under way, which is alive. */
  readonly flying: readonly number[];
}

/** Up to five hundred of the dead are due again, their attempt counted; resolves to how many. */
export function takeBackDead(database: Database, { now, gone, flying }: SendsTakeBack): Promise<number> {
  return database.transaction(async (transaction) => {
    const dead = await transaction.rows<{ channel_id: number }>(deadText, [
      now,
      now,
      JSON.stringify(gone),
      JSON.stringify(flying),
    ]);
    sendQueue.bringForward(
      transaction,
      dead.map(({ channel_id }) => ({ holder: channel_id, dueAt: now })),
    );
    return dead.length;
  });
}
