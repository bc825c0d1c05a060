/** A mailbox on an IMAP server: reads new mails by UID, moves them, and reports new ones by IDLE. */
import { ImapFlow } from "imapflow";
import { oneLine, truncate } from "../kit/text.ts";
import type { ImapMailbox } from "./server-url.ts";

/** Why a mailbox cannot be read: a sentence for the operator. */
export class ImapFault extends Error {}

interface ListedMail {
  readonly uid: number;
  readonly size: number;
  readonly arrivedAt: Date | null;
}

export interface ImapConnection {
  /** Of the folder: with another value, UIDs name other mails (RFC 3501). */
  readonly validity: string;
  /** Whether the connection is open. */
  isUsable(): boolean;
  /** The mails after a UID, ascending. */
  list(after: number): Promise<ListedMail[]>;
  /** The raw mail; undefined if it is gone. Marks nothing as read. */
  read(uid: number): Promise<Buffer | undefined>;
  /** False if the server refuses, as where it has no such folder. */
  move(uid: number, folder: string): Promise<boolean>;
  /** Waits for new mails in the background; `arrived` is called for each notice. */
  watch(arrived: () => void): void;
  close(): void;
}

/** In milliseconds. */
const connectTime = 15_000;
const answerTime = 60_000;
/** Servers end an IDLE after half an hour. */
const idleTime = 20 * 60_000;
const mostSaid = 300;

interface Opening {
  readonly server: ImapMailbox;
  readonly password: string;
  /** The most bytes of a mail. */
  readonly mostBytes: number;
}

/** Connects, signs in and opens the folder. Throws an ImapFault. */
export async function openImap({ server, password, mostBytes }: Opening): Promise<ImapConnection> {
  const { host, port, tls, user, folder } = server;
  const client = new ImapFlow({
    host,
    port,
    secure: tls === "implicit",
    ...(tls === "required" ? { doSTARTTLS: true } : {}),
    tls: { rejectUnauthorized: tls !== "offered" },
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connectTime,
    greetingTimeout: connectTime,
    socketTimeout: answerTime,
    maxIdleTime: idleTime,
    maxLineLength: 1_048_576,
    maxLiteralSize: mostBytes + 1,
    maxResponseSize: mostBytes + 2_097_152,
  });
  let arrived = (): void => {};
  // A connection may break at any time; the next command fails then.
  client.on("error", () => {});
  client.on("exists", () => arrived());
  client.on("close", () => arrived());
  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      client.close();
      throw toFault(error, server);
    }
  }
  const opened = await attempt(async () => {
    await client.connect();
    return client.mailboxOpen(folder).catch((error: unknown) => {
      throw new ImapFault(`The mail server cannot open the folder ${folder}.${said(error)}`);
    });
  });

  return {
    validity: String(opened.uidValidity),
    isUsable: () => client.usable,
    list: (after) =>
      attempt(async () => {
        const mails: ListedMail[] = [];
        // "n:*" names the last mail, even if its UID is lower.
        for await (const { uid, size = 0, internalDate } of client.fetch(
          `${after + 1}:*`,
          { uid: true, size: true, internalDate: true },
          { uid: true },
        )) {
          if (uid > after)
            mails.push({ uid, size, arrivedAt: internalDate === undefined ? null : new Date(internalDate) });
        }
        return mails.toSorted((one, other) => one.uid - other.uid);
      }),
    read: (uid) =>
      attempt(async () => {
        const mail = await client.fetchOne(String(uid), { uid: true, source: true }, { uid: true });
        return mail === false ? undefined : mail.source;
      }),
    move: (uid, to) => attempt(async () => (await client.messageMove(String(uid), to, { uid: true })) !== false),
    watch(notify) {
      arrived = notify;
      void client.idle().catch(() => {});
    },
    close() {
      arrived = () => {};
      client.close();
    },
  };
}

function toFault(error: unknown, { host, port }: ImapMailbox): ImapFault {
  if (error instanceof ImapFault) return error;
  const fields: Record<string, unknown> = error instanceof Error ? { ...error } : {};
  if (fields["authenticationFailed"] === true)
    return new ImapFault(`The mail server rejected the user name or password.${said(error)}`);
  const text = error instanceof Error ? error.message : "";
  const [name = ""] = /\bE[A-Z]{4,}\b/.exec(`${String(fields["code"])} ${text}`) ?? [];
  const place = `${name} ${host.includes(":") ? `[${host}]` : host}:${port}`.trim();
  if (/certificate|TLS|SSL/i.test(text))
    return new ImapFault(`The mail server could not be reached over TLS (${place}).`);
  return new ImapFault(`The connection to the mail server failed (${place}).`);
}

/** What the server said, if it did. */
function said(error: unknown): string {
  const text = (error as { responseText?: unknown } | null)?.responseText;
  return typeof text === "string" && text.trim() !== "" ? ` ${truncate(oneLine(text), mostSaid)}` : "";
}
