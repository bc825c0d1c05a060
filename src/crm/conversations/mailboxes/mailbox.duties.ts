/** The worker's duty for mailboxes: keeps a connection to each, reads it when its server reports a mail, and at least every minute. */
import type { Duty } from "../../../kit/duty.ts";
import type { MasterKeys } from "../../../kit/secrets/master-keys.ts";
import { truncate } from "../../../kit/text.ts";
import { retryDelay } from "../../../kit/time/retry-delay.ts";
import type { ImapConnection } from "../../../mail/imap.ts";
import { readImapMailbox } from "../../../mail/server-url.ts";
import type { Workers } from "../../../storage/installation/workers.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { lockHealth, noteMailboxBroken, noteMailboxWorking } from "../../channels/channel-health.ts";
import { findChannelWithPlace } from "../../channels/channel.queries.ts";
import type { InboundChannel } from "../../channels/channel.queries.ts";
import { openMailboxPassword } from "../../channels/mailboxes/mailbox.service.ts";
import {
  claimMailboxes,
  findNextMailbox,
  pollMilliseconds,
  recordFailure,
  recordSuccess,
  releaseMailboxes,
} from "./mailbox-lease.ts";
import type { ClaimedMailbox } from "./mailbox-lease.ts";
import { MoveFault, receiveNewMails, TakeFault, takeFailure } from "./receive-new-mails.ts";
import type { ReceiveDeps } from "./receive-new-mails.ts";

interface MailboxDuties extends ReceiveDeps {
  readonly workers: Workers;
  readonly vault: Pick<MasterKeys, "open">;
}

/** A connection that is kept for the notices of its server. */
interface OpenMailbox {
  readonly mailbox: ImapConnection;
  /** The settings that it was opened with. */
  readonly settings: string;
  hasMail: boolean;
}

/** How soon a notice is acted on, in milliseconds. */
const noticeMilliseconds = 1000;
/** The longest backoff of a mailbox that cannot be read, in milliseconds. */
const longestBackoff = 900_000;

const isOfMails = (error: unknown): error is Error => error instanceof TakeFault || error instanceof MoveFault;

export function mailboxDuty({ workers, vault, ...deps }: MailboxDuties): Duty {
  const { database, clock, mailLimit, log } = deps;
  const connections = new Map<number, OpenMailbox>();
  /** The latest claim of each mailbox. */
  const held = new Map<number, ClaimedMailbox>();
  const stopped = new WeakSet<AbortSignal>();

  function close(id: number): void {
    connections.get(id)?.mailbox.close();
    connections.delete(id);
  }

  async function connect(claimed: ClaimedMailbox): Promise<OpenMailbox> {
    const settings = JSON.stringify([claimed.url, claimed.password]);
    const kept = connections.get(claimed.id);
    if (kept?.settings === settings && kept.mailbox.isUsable()) return kept;
    close(claimed.id);
    const server = readImapMailbox(claimed.url);
    if (typeof server === "string") throw new Error(server);
    const password = openMailboxPassword({ vault }, claimed.channel_id, claimed.password);
    // The IMAP client is loaded on first use.
    const { openImap } = await import("../../../mail/imap.ts");
    const opened = { mailbox: await openImap({ server, password, mostBytes: mailLimit }), settings, hasMail: false };
    connections.set(claimed.id, opened);
    return opened;
  }

  /** Resolves to whether there is more to read. */
  async function serve(claimed: ClaimedMailbox, signal: AbortSignal): Promise<boolean> {
    const channel = await findChannelWithPlace(database, claimed.channel_id);
    if (channel === undefined) return false;
    const isKept = connections.has(claimed.id);
    try {
      // A connection that was idle may have been closed by the server: only a new one proves a failure.
      return await read(claimed, channel, signal).catch((error: unknown) => {
        close(claimed.id);
        if (!isKept || isOfMails(error) || signal.aborted) throw error;
        return read(claimed, channel, signal);
      });
    } catch (error) {
      close(claimed.id);
      if (!signal.aborted) await fail(claimed, error);
      return false;
    }
  }

  async function read(claimed: ClaimedMailbox, channel: InboundChannel, signal: AbortSignal): Promise<boolean> {
    const opened = await connect(claimed);
    opened.hasMail = false;
    const ended = await receiveNewMails(deps, { mailbox: opened.mailbox, claimed, channel }, signal);
    if (ended === "lost") {
      close(claimed.id);
      return false;
    }
    const { error: reason } = claimed;
    // In one transaction: a worker that died in between would leave the channel in error.
    await database.transaction(async (transaction) => {
      if (reason !== null) noteMailboxWorking(transaction, channel.id, reason);
      recordSuccess(transaction, claimed, { now: clock.now(), isDone: ended === "done" });
    });
    opened.mailbox.watch(() => {
      opened.hasMail = true;
    });
    return ended === "more";
  }

  async function fail(claimed: ClaimedMailbox, cause: unknown): Promise<void> {
    const { ImapFault } = await import("../../../mail/imap.ts");
    const isExpected = cause instanceof ImapFault || isOfMails(cause);
    const reason = truncate(isExpected ? cause.message : takeFailure, limits.messageError);
    if (!isExpected) log.error("reading a mailbox failed", { channel_id: claimed.channel_id, error: cause });
    // Mails that cannot be moved are received as usual.
    const delay =
      cause instanceof MoveFault ? pollMilliseconds : Math.min(retryDelay(claimed.failures + 2), longestBackoff);
    const dueAt = new Date(clock.now().getTime() + delay);
    const isNew = await database.transaction(async (transaction) => {
      await lockHealth(transaction, claimed.channel_id);
      const isOwn = await recordFailure(transaction, claimed, { error: reason, dueAt });
      return isOwn && noteMailboxBroken(transaction, claimed.channel_id, { reason, earlier: claimed.error });
    });
    if (isNew) log.warn("a mailbox cannot be read", { channel_id: claimed.channel_id, reason });
  }

  return {
    name: "read mailboxes",
    wokenBy: [],
    async run(signal) {
      if (!stopped.has(signal)) {
        stopped.add(signal);
        signal.addEventListener("abort", () => [...connections.keys()].forEach(close), { once: true });
      }
      const noticed = [...connections].filter(([, { hasMail }]) => hasMail).map(([id]) => id);
      const open = [...connections.keys()];
      const claimed = await claimMailboxes(database, workers, { now: clock.now(), open, noticed });
      for (const mailbox of claimed) held.set(mailbox.id, mailbox);
      const more = await Promise.all(claimed.map((mailbox) => serve(mailbox, signal)));
      return more.includes(true) ? "more" : "done";
    },
    async land() {
      [...connections.keys()].forEach(close);
      if (held.size > 0) await releaseMailboxes(database, [...held.values()], clock.now());
      held.clear();
    },
    async nextDue() {
      const next = await findNextMailbox(database);
      if (connections.size === 0) return next;
      const soon = clock.now().getTime() + noticeMilliseconds;
      return new Date(Math.min(soon, next?.getTime() ?? soon));
    },
  };
}
