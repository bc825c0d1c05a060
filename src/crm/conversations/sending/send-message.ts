/** Sends a claimed message and records the result. Delivery is at least once, always with the same message id. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallAs } from "../../../events/call-as.ts";
import type { Blobs } from "../../../blobs/blobs.ts";
import type { Change, LocationContext, Tools } from "../../../events/caller.ts";
import type { MasterKeys } from "../../../kit/secrets/master-keys.ts";
import type { Database } from "../../../storage/database.ts";
import { noteBroken, noteWorking } from "../../channels/channel-health.ts";
import { channelIdentity } from "../../channels/channel-identity.ts";
import type { Senders } from "../../channels/transports/senders.ts";
import { openTransportSecret } from "../../channels/transports/transport-secret.ts";
import { toOperatorReason } from "../../channels/transports/transport.ts";
import type { Attempt } from "../../channels/transports/transport.ts";
import type { Transports } from "../../channels/transports/transports.ts";
import type { ClaimedSend } from "./claim.ts";
import { findOutgoing } from "./outgoing.ts";
import type { Outgoing } from "./outgoing.ts";
import { recordReleased, recordFailed, recordRetry, recordSent } from "./record-result.ts";

interface SendDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly tools: Tools;
  readonly callAs: CallAs;
  readonly vault: Pick<MasterKeys, "open">;
  readonly senders: Pick<Senders, "send">;
  readonly transports: Transports;
  /** The retry delays in seconds; there is one more attempt than delays. */
  readonly delays: readonly number[];
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

/** The result of an attempt; "given back" if it is unknown, because the worker is stopping or the database is unavailable. */
type SendResult = Attempt | { readonly outcome: "given back" };

export interface SendEnd {
  readonly ended: SendResult;
}

/** How long recording a result is retried, in milliseconds. After that, another worker repeats the attempt. */
const recordMilliseconds = 15_000;
const unwanted = "The contact is set to do not disturb, and messages of workflows are not sent.";
const unknownResult = "The worker stopped repeatedly before it could record whether the message was sent.";

export function createSendMessage(deps: SendDeps): (send: ClaimedSend, signal: AbortSignal) => Promise<SendEnd> {
  const { callAs, vault, senders, transports, delays, log } = deps;

  async function attempt(
    { message, channel, isUnwanted }: Outgoing,
    send: ClaimedSend,
    signal: AbortSignal,
  ): Promise<SendResult> {
    if (signal.aborted) return { outcome: "given back" };
    if (send.attempt > delays.length + 1) return { outcome: "refused", reason: unknownResult };
    if (isUnwanted) return { outcome: "refused", reason: unwanted };
    // The channel was switched to a transport that sends nothing.
    if (transports.of(channel.transport).accepts === "sent") return { outcome: "taken" };
    if (channel.url === null || message.to === "")
      return { outcome: "refused", reason: "The channel has no transport URL, or the message has no recipient." };
    try {
      const secret = channel.secret === null ? null : openTransportSecret({ vault }, channel.id, channel.secret);
      return await senders.send(channel.transport, message, { url: channel.url, secret }, signal);
    } catch (error) {
      if (signal.aborted) return { outcome: "given back" };
      log.error("sending a message failed", { message_id: message.id, channel_id: channel.id, error });
      return { outcome: "unavailable", reason: "The service failed to send the message.", isOfChannel: true };
    }
  }

  /** Records the result; resolves to whether the channel has just changed to the status error. */
  async function recordResult(
    change: Change<LocationContext>,
    outgoing: Outgoing,
    send: ClaimedSend,
    ended: SendResult,
  ): Promise<boolean> {
    const { conversationId } = outgoing.message;
    if (ended.outcome === "given back") {
      await recordReleased(change, send);
      return false;
    }
    if (ended.outcome === "taken") {
      await recordSent(change, send, conversationId);
      if (outgoing.channel.status === "error") noteWorking(change, send.channel_id);
      return false;
    }
    const { reason } = ended;
    const delay = ended.outcome === "refused" ? undefined : delays[send.attempt - 1];
    if (delay === undefined) await recordFailed(change, send, { conversationId, reason });
    else await recordRetry(change, send, { dueAt: new Date(change.now.getTime() + delay * 1000), reason });
    const isBroken = ended.outcome === "unavailable" && ended.isOfChannel && outgoing.channel.status !== "paused";
    return isBroken && noteBroken(change, send.channel_id, toOperatorReason(ended));
  }

  /** Retries recording the result while the database is unavailable: a lost result would send the message again. */
  async function retryUntilRecorded(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + recordMilliseconds;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || performance.now() > deadline) throw error;
        await sleep(500);
      }
    }
  }

  async function sendClaimed(outgoing: Outgoing | undefined, send: ClaimedSend, signal: AbortSignal): Promise<SendEnd> {
    // A receipt has set its status while it was queued, which removed it from the queue.
    if (outgoing?.status !== "queued") return { ended: { outcome: "given back" } };
    const ended = await attempt(outgoing, send, signal);
    const caller = callAs(channelIdentity(outgoing.channel));
    await retryUntilRecorded(async () => {
      const isNewlyBroken = await caller.change((change) => recordResult(change, outgoing, send, ended));
      if (isNewlyBroken && ended.outcome === "unavailable")
        log.warn("a channel cannot deliver", { channel_id: send.channel_id, reason: toOperatorReason(ended) });
    }, signal);
    return { ended };
  }

  return async (send, signal) => {
    let doing = "reading a queued message";
    try {
      const outgoing = await findOutgoing(deps, send.message_id);
      doing = "recording the result of a message";
      return await sendClaimed(outgoing, send, signal);
    } catch (error) {
      log.error(`${doing} failed`, { message_id: send.message_id, error });
      return { ended: { outcome: "given back" } };
    }
  };
}
