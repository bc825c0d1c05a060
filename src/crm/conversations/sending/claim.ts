/** Claims due messages for a worker with a lease, and reclaims those of dead workers. */
import type { Share } from "../../../queues/slots.ts";
import type { DeadLeases } from "../../../queues/reclaim-leases.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { skipLocked } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";
import type { ChannelStatus } from "../../../vocabulary/states.ts";
import { sendQueue } from "./send-queue.ts";

/** A channel with due messages. */
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
  /** The fencing token: the result is recorded only if it is unchanged. */
  readonly fence: number;
}

const claimText = sql`update message_sends set due_at = null, leased_until = ?, leased_by = ?, fence = fence + 1, attempt = attempt + 1
  from ${sendQueue.picked} as picked where message_sends.id = picked.id
  returning message_sends.id, message_id, channel_id, conversation_id, attempt, fence`;

interface SendClaim {
  readonly shares: readonly Share<DueChannel>[];
  readonly now: Date;
  readonly leaseMilliseconds: number;
  /** The worker's id (`Workers.own`). */
  readonly worker: number | null;
}

/** Resolves after the commit: a message may only be sent once its claim is durable. */
export function claimSends(
  database: Database,
  { shares, now, leaseMilliseconds, worker }: SendClaim,
): Promise<ClaimedSend[]> {
  return database.transaction(async (transaction) => {
    transaction.takesFrom(["message_sends", "channel_queues"]);
    keepToLookUps(transaction);
    const takes = JSON.stringify(shares.map(({ due: { channel_id }, take }) => ({ channel_id, take })));
    const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
    const claimed = await transaction.rows<ClaimedSend>(claimText, [leasedUntil, worker, takes, now]);
    sendQueue.settle(transaction, { served: shares.map(({ due }) => due.channel_id), others: [], now });
    return claimed;
  });
}

const batch = 500;
const deadText = sql`update message_sends set due_at = ?, leased_until = null where id in
  (select id from message_sends where leased_until is not null and (leased_until < ? or leased_by in ${listed})
    and id not in ${listed} order by leased_until limit ${batch}${skipLocked()}) returning channel_id`;

interface DeadSends extends DeadLeases {
  /** Messages that this process is sending: in flight, not dead. */
  readonly flying: readonly number[];
}

/** Makes up to `batch` messages of dead workers due again; their attempt counts. Resolves to how many. */
export function reclaimDeadSends(database: Database, { now, gone, flying }: DeadSends): Promise<number> {
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
