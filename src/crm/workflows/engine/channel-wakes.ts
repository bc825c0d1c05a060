/** Wakes the runs that wait for a channel once it sends again, in bounded pieces. */
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { forUpdate } from "../../../storage/locks.ts";
import { keepToLookUps } from "../../../storage/query-plans.ts";
import { integerParameter } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { ChannelStatus } from "../../../vocabulary/states.ts";
import { sendingStatus } from "../../channels/channel-health.ts";
import { isProbed } from "../../conversations/sending/channel-availability.ts";

/** The channels that a run scans, and the runs that it wakes. */
const scanned = 64;
const mostWoken = 500;

const waiting = "awaited_channel_id is not null and due_at is null";
const ofNext = `from workflow_runs where ${waiting}`;
/** A loose index scan: one seek per channel, however many runs wait for it. */
const channelsText = `with recursive found(channel_id, place) as (
    select (select min(awaited_channel_id) ${ofNext} and awaited_channel_id > ?), 1
    union all select (select min(awaited_channel_id) ${ofNext} and awaited_channel_id > found.channel_id), place + 1
      from found where found.channel_id is not null and place < ${scanned}
  )
  select channels.id, ${sendingStatus} as status, case when ${sendingStatus} = 'error' then ${isProbed} else false end as is_probed
  from found join channels on channels.id = found.channel_id order by channels.id`;

interface AwaitedChannel {
  readonly id: number;
  readonly status: ChannelStatus;
  readonly is_probed: boolean | number;
}

const lockText = sql`select id from workflow_runs where awaited_channel_id = ? and ${waiting}
  order by id limit ${integerParameter}${forUpdate("workflow_runs")}`;
const wakeText = sql`update workflow_runs set due_at = ? where id in ${listed}`;

export interface ChannelWaker {
  /** Makes up to 500 runs of a channel due; resolves to whether there may be more. */
  wake(database: Database): Promise<boolean>;
}

/** The least time between two probes of a channel by this process, in milliseconds: the engine must have moved the first. */
const probePause = 10_000;

/** Each engine has its own position in the round robin over channels. */
export function createChannelWaker(clock: Clock): ChannelWaker {
  let behind = 0;
  /** Whether a channel was served since the round robin began anew. */
  let hasServed = false;
  const probedAt = new Map<number, number>();

  function isDue({ id, status, is_probed }: AwaitedChannel, now: number): boolean {
    if (status === "active") return true;
    return status === "error" && !is_probed && Math.abs(now - (probedAt.get(id) ?? -Infinity)) >= probePause;
  }

  return {
    async wake(database) {
      if (behind === 0) hasServed = false;
      const now = clock.now();
      const found = await database.rows<AwaitedChannel>(channelsText, [behind]);
      const channel = found.find((one) => isDue(one, now.getTime()));
      if (channel === undefined) {
        const isEnd = found.length < scanned;
        // No run waits for any channel.
        if (behind === 0 && found.length === 0) probedAt.clear();
        behind = isEnd ? 0 : found.at(-1)!.id;
        return !isEnd || hasServed;
      }
      hasServed = true;
      // Of a channel that cannot deliver one run: its message is the probe.
      const most = channel.status === "active" ? mostWoken : 1;
      if (most === 1) probedAt.set(channel.id, now.getTime());
      const woken = await database.transaction(async (transaction) => {
        keepToLookUps(transaction);
        const runs = await transaction.rows<{ id: number }>(lockText, [channel.id, most]);
        if (runs.length > 0) transaction.send(wakeText, [now, JSON.stringify(runs.map(({ id }) => id))]);
        return runs.length;
      });
      // More of the same channel follow.
      behind = woken === mostWoken ? channel.id - 1 : channel.id;
      return true;
    },
  };
}

const countText = `select count(*) as count from workflow_runs where awaited_channel_id = ? and ${waiting}`;

/** How many runs wait for the channel. */
export async function countAwaiting(rows: Pick<Database, "rows">, channelId: number): Promise<number> {
  const [found] = await rows.rows<{ count: number }>(countText, [channelId]);
  return Number(found!.count);
}
