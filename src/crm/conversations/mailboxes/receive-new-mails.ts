/** Receives the new mails of a claimed mailbox. A mail is committed before its UID is passed, and its Message-ID makes a repeat harmless. */
import type { ImapConnection } from "../../../mail/imap.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { Refusal, Unavailable } from "../../../vocabulary/errors.ts";
import type { InboundChannel } from "../../channels/channel.queries.ts";
import type { TakeMail } from "../inbound/take-mail.ts";
import { markRead } from "./mailbox-lease.ts";
import type { ClaimedMailbox } from "./mailbox-lease.ts";

export interface ReceiveDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly takeMail: TakeMail;
  /** In bytes. */
  readonly mailLimit: number;
  readonly log: {
    readonly warn: (message: string, fields: object) => void;
    readonly error: (message: string, fields: object) => void;
  };
}

/** Mails of one turn: other mailboxes are read in between. */
const mostMails = 50;
/** A mail that fails so often is left in the mailbox. */
const mostFailures = 5;
export const takeFailure = "The service failed to receive a mail of the mailbox.";
/** Says nothing about the mail: it is tried again until it is stored. */
const storeFailure = "The service cannot store a mail of the mailbox at the moment.";

/** A mail could not be stored; it is tried again. */
export class TakeFault extends Error {}

/** Mails were received, and could not be moved out of their folder. */
export class MoveFault extends Error {}

/** "more" if there are more mails, "lost" if another worker has claimed the mailbox. */
export async function receiveNewMails(
  { database, clock, takeMail, mailLimit, log }: ReceiveDeps,
  { mailbox, claimed, channel }: { mailbox: ImapConnection; claimed: ClaimedMailbox; channel: InboundChannel },
  signal: AbortSignal,
): Promise<"more" | "done" | "lost"> {
  const isKnown = claimed.uid_validity === mailbox.validity;
  const all = await mailbox.list(isKnown ? claimed.last_uid : 0);
  // The first time, and when the server has numbered the mails anew: those that came since the mailbox was connected.
  const mails = isKnown ? all : all.filter(({ arrivedAt }) => arrivedAt === null || +arrivedAt >= claimed.since);
  const mark = (uid: number): Promise<boolean> =>
    markRead(database, claimed, { validity: mailbox.validity, uid, now: clock.now() });
  const taken = mails.slice(0, mostMails);
  let isMovable = true;
  for (const { uid, size } of taken) {
    if (signal.aborted) return "more";
    const about = { channel_id: channel.id, uid, bytes: size };
    if (size > mailLimit) log.warn("a mail is larger than CRM_MAIL_LIMIT, and was left in its mailbox", about);
    else await take(uid, about);
    if (!(await mark(uid))) return "lost";
    if (claimed.move_to !== null && size <= mailLimit) isMovable &&= await mailbox.move(uid, claimed.move_to);
  }
  const areAll = taken.length === mails.length;
  const last = all.at(-1)?.uid ?? 0;
  if (areAll && !isKnown && last !== taken.at(-1)?.uid && !(await mark(last))) return "lost";
  if (!isMovable) throw new MoveFault(`The mail server cannot move mails to the folder ${claimed.move_to}.`);
  return areAll ? "done" : "more";

  async function take(uid: number, about: object): Promise<void> {
    const raw = await mailbox.read(uid);
    if (raw === undefined) return;
    try {
      await takeMail(channel, [raw]);
    } catch (error) {
      if (isStoreUnavailable(error)) {
        log.error("a mail cannot be stored", { ...about, error });
        throw new TakeFault(storeFailure);
      }
      const isRepeated = claimed.error === takeFailure && claimed.failures >= mostFailures;
      log.error(isRepeated ? "a mail was left in its mailbox" : "receiving a mail failed", { ...about, error });
      if (!isRepeated) throw new TakeFault(takeFailure);
    }
  }
}

function isStoreUnavailable(error: unknown): boolean {
  return error instanceof Unavailable || (error instanceof Refusal && error.code === "files_unavailable");
}
