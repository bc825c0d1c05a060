/** The worker's duties for messages: queue them, send them, and reclaim those of dead workers. */
import type { Settings } from "../../../../config/settings.ts";
import type { Blobs } from "../../../blobs/blobs.ts";
import type { CallAs } from "../../../events/call-as.ts";
import type { Tools } from "../../../events/caller.ts";
import type { Duty } from "../../../kit/duty.ts";
import type { MasterKeys } from "../../../kit/secrets/master-keys.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { WorkCounts } from "../../../kit/observing/work-counts.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { createAdaptiveConcurrency } from "../../../queues/adaptive-concurrency.ts";
import { createSender } from "../../../queues/sender.ts";
import { reclaimDuty } from "../../../queues/reclaim-leases.ts";
import type { Database } from "../../../storage/database.ts";
import type { Workers } from "../../../storage/installation/workers.ts";
import { channelTransports } from "../../channels/transports/all.ts";
import { createSenders } from "../../channels/transports/senders.ts";
import type { Transports } from "../../channels/transports/transports.ts";
import { claimSends, reclaimDeadSends } from "./claim.ts";
import type { ClaimedSend, DueChannel } from "./claim.ts";
import { createSendMessage } from "./send-message.ts";
import type { SendEnd } from "./send-message.ts";
import { enqueueHeads, mostSendsOfChannel, sendQueue } from "./send-queue.ts";

interface MessageDuties {
  readonly database: Database;
  readonly callAs: CallAs;
  readonly clock: Clock;
  readonly workers: Workers;
  readonly vault: Pick<MasterKeys, "open">;
  readonly blobs: Blobs;
  readonly tools: Tools;
  readonly outside: Outside;
  /** Default: the transports of the product. */
  readonly transports?: Transports;
  readonly settings: Pick<Settings, "messageRetryDelays">;
  readonly counts: WorkCounts;
  readonly log: Parameters<typeof createSendMessage>[0]["log"];
}

/** Longer than any transport takes to send a message plus the time to record the result. */
const leaseMilliseconds = 90_000;

export function messageDuties({ settings, outside, transports = channelTransports, ...deps }: MessageDuties): Duty[] {
  const { database, clock, workers, counts } = deps;
  const senders = createSenders({ outside, clock }, transports);
  const sender = createSender<DueChannel, ClaimedSend, SendEnd>({
    name: "send messages",
    wokenBy: ["channel_queues", "channels"],
    clock,
    counts: counts.messages,
    database,
    // Each message in flight is in memory, up to a mebibyte.
    allowances: createAdaptiveConcurrency({ mostAtOnce: 64, mostOfOne: mostSendsOfChannel }),
    findDue: (now, full) => sendQueue.findDue(database, now, full),
    findNextDue: () => sendQueue.findNextDue(database),
    standingOf: ({ channel_id, status }) => ({ holder: channel_id, isFailing: status === "error" }),
    settleAndClaim: async ({ shares, now }) =>
      shares.length === 0 ? [] : claimSends(database, { shares, now, leaseMilliseconds, worker: await workers.own() }),
    holderOf: ({ channel_id }) => channel_id,
    send: createSendMessage({ ...deps, senders, transports, delays: settings.messageRetryDelays }),
    hasSucceeded({ ended }) {
      if (ended.outcome === "given back") return undefined;
      // A rejected or deferred message says nothing about the channel.
      return ended.outcome !== "unavailable" || !ended.isOfChannel;
    },
  });

  return [
    {
      name: "queue messages",
      wokenBy: ["message_sends"],
      run: async () => ((await enqueueHeads(database, clock.now())) > 0 ? "more" : "done"),
      nextDue: async () => null,
    },
    {
      ...sender.duty,
      async land() {
        await sender.duty.land();
        await senders.close();
      },
    },
    reclaimDuty({
      name: "reclaim messages of dead workers",
      database,
      clock,
      queue: sendQueue,
      workers,
      takeBack: (dead) => reclaimDeadSends(database, { ...dead, flying: sender.flying() }),
    }),
  ];
}
