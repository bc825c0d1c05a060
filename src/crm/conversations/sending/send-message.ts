/** Sends one message that was taken, from the row to what came of it. It is sent at least once, under one id. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallAs } from "../../../events/call-as.ts";
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { MasterKeys } from "../../../kit/secrets/master-keys.ts";
import type { Database } from "../../../storage/database.ts";
import { noteBroken, noteWorking } from "../../channels/channel-health.ts";
import { channelIdentity } from "../../channels/channel-identity.ts";
import type { Senders } from "../../channels/transports/senders.ts";
import { openTransportSecret } from "../../channels/transports/transport-secret.ts";
import { toOperatorReason } from "../../channels/transports/transport.ts";
import type { Attempt } from "../../channels/transports/transport.ts";
import type { ClaimedSend } from "./claim.ts";
import { findOutgoing } from "./outgoing.ts";
import type { Outgoing } from "./outgoing.ts";
import { recordGivenBack, recordGivenUp, recordPutOff, recordTaken } from "./settle.ts";

interface SendTools {
  readonly database: Database;
  readonly callAs: CallAs;
  readonly vault: Pick<MasterKeys, "open">;
  readonly senders: Pick<Senders, "send">;
  /** Seconds between the attempts; there is one attempt more. */
  readonly delays: readonly number[];
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

/** What came of an attempt, or that nobody knows: the worker stops, or the database does not answer. */
type SendResult = Attempt | { readonly outcome: "given back" };

export interface SendEnd {
  readonly ended: SendResult;
}

/** How long what came of an attempt is tried to be written down: then somebody else will begin again. In milliseconds. */
const settlePatience = 15_000;
const unknownEnd = "The worker that was sending it ended, again and again, before it could say what came of it.";

export function createSendMessage(tools: SendTools): (send: ClaimedSend, signal: AbortSignal) => Promise<SendEnd> {
  const { database, callAs, vault, senders, delays, log } = tools;

  async function attempt({ message, channel }: Outgoing, send: ClaimedSend, signal: AbortSignal): Promise<SendResult> {
    if (signal.aborted) return { outcome: "given back" };
    if (send.attempt > delays.length + 1) return { outcome: "refused", reason: unknownEnd };
    // A channel that keeps its messages by now has nothing else to do for those that still waited.
    if (channel.transport === "log") return { outcome: "taken" };
    if (channel.url === null || message.to === "")
      return { outcome: "refused", reason: "The channel has nowhere to send it." };
    try {
      const secret = channel.secret === null ? null : openTransportSecret({ vault }, channel.id, channel.secret);
      return await senders.send[channel.transport](message, { url: channel.url, secret }, signal);
    } catch (error) {
      if (signal.aborted) return { outcome: "given back" };
      log.error("a message could not be sent", { message_id: message.id, channel_id: channel.id, error });
      return { outcome: "unavailable", reason: "The service could not send it.", isOfChannel: true };
    }
  }

  /** Resolves to whether the channel has just turned out not to deliver. */
  async function settle(
    change: Change<LocationContext>,
    outgoing: Outgoing,
    send: ClaimedSend,
    ended: SendResult,
  ): Promise<boolean> {
    const { conversationId } = outgoing.message;
    if (ended.outcome === "given back") {
      await recordGivenBack(change, send);
      return false;
    }
    if (ended.outcome === "taken") {
      await recordTaken(change, send, conversationId);
      if (outgoing.channel.status === "error") noteWorking(change, send.channel_id);
      return false;
    }
    const { reason } = ended;
    const delay = ended.outcome === "refused" ? undefined : delays[send.attempt - 1];
    if (delay === undefined) await recordGivenUp(change, send, { conversationId, reason });
    else await recordPutOff(change, send, { dueAt: new Date(change.now.getTime() + delay * 1000), reason });
    const isBroken = ended.outcome === "unavailable" && ended.isOfChannel && outgoing.channel.status !== "paused";
    return isBroken && noteBroken(change, send.channel_id, toOperatorReason(ended));
  }

  /** What came of it is not forgotten because the database is away for a moment: it would be sent again. */
  async function untilWritten(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + settlePatience;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || performance.now() > deadline) throw error;
        await sleep(500);
      }
    }
  }

  async function sendClaimed(send: ClaimedSend, signal: AbortSignal): Promise<SendEnd> {
    const outgoing = await findOutgoing(database, send.message_id);
    // A receipt said what became of it while it waited: it is in no line any more.
    if (outgoing?.status !== "queued") return { ended: { outcome: "given back" } };
    const ended = await attempt(outgoing, send, signal);
    const caller = callAs(channelIdentity(outgoing.channel));
    await untilWritten(async () => {
      const isNews = await caller.change((change) => settle(change, outgoing, send, ended));
      if (isNews && ended.outcome === "unavailable")
        log.warn("a channel cannot deliver", { channel_id: send.channel_id, reason: toOperatorReason(ended) });
    }, signal);
    return { ended };
  }

  return async (send, signal) => {
    try {
      return await sendClaimed(send, signal);
    } catch (error) {
      log.error("what came of a message could not be written down", { message_id: send.message_id, error });
      return { ended: { outcome: "given back" } };
    }
  };
}
