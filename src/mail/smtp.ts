/** An SMTP client with a connection pool: each mail takes at most a minute, and a failed connection is not reused. */
import { createHash } from "node:crypto";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { AttachmentFault, composeMail } from "./mail.ts";
import type { ComposedMail, Mail } from "./mail.ts";
import { SmtpFault, tooSlow, toSmtpFault } from "./smtp-fault.ts";
import type { SmtpServer } from "./server-url.ts";
import { toWireAddress } from "./wire-address.ts";

interface Delivery {
  readonly server: SmtpServer;
  /** The password of the server's user. */
  readonly password: string | null;
  readonly mail: Mail;
  /** Aborts it; the result is then unknown. */
  readonly signal: AbortSignal;
}

export interface Smtp {
  /** Resolves when the server has accepted the mail. Throws an SmtpFault for a failure, an AttachmentFault, and the reason of `signal`. */
  deliver(delivery: Delivery): Promise<void>;
  /** Closes idle connections. */
  close(): void;
}

interface SmtpOptions {
  /** Total timeout in milliseconds: name, connection, TLS, login, and the response to the mail. */
  readonly patience?: number;
}

/** A server may scan a mail before it responds: disconnecting early would lead to a duplicate. */
const answerTime = 60_000;
/** Timeout for name, connection, TLS and greeting, in milliseconds. */
const connectTime = 15_000;
/** Idle timeout of a pooled connection in milliseconds, and its maximum number of mails. */
const idleMilliseconds = 2000;
const mostMails = 100;
/** Maximum bytes of a response. */
const mostResponse = 16_384;

interface PooledConnection {
  readonly key: string;
  readonly connection: SMTPConnection;
  mails: number;
  idle: NodeJS.Timeout | undefined;
}

export function createSmtp({ patience = answerTime }: SmtpOptions = {}): Smtp {
  /** Idle connections by server and login, as many as were used concurrently: the caller bounds that. */
  const waiting = new Map<string, PooledConnection[]>();

  /** Removes it from the pool. A broken connection closes itself. */
  function forget(line: PooledConnection): void {
    clearTimeout(line.idle);
    const others = (waiting.get(line.key) ?? []).filter((other) => other !== line);
    if (others.length === 0) waiting.delete(line.key);
    else waiting.set(line.key, others);
  }

  function drop(line: PooledConnection): void {
    forget(line);
    line.connection.close();
  }

  /** Sends QUIT without waiting: some servers never respond. */
  function leave(line: PooledConnection): void {
    line.connection.quit();
    drop(line);
  }

  function keep(line: PooledConnection): void {
    line.mails += 1;
    if (line.mails >= mostMails) return leave(line);
    line.idle = setTimeout(() => leave(line), idleMilliseconds);
    line.idle.unref();
    waiting.set(line.key, [...(waiting.get(line.key) ?? []), line]);
  }

  function take(key: string): PooledConnection | undefined {
    const line = waiting.get(key)?.pop();
    clearTimeout(line?.idle);
    return line;
  }

  /** A new connection after TLS and login. `opened` receives it immediately, to abort on timeout. */
  async function open(
    { server, password }: Delivery,
    key: string,
    opened: (line: PooledConnection) => void,
  ): Promise<PooledConnection> {
    const connection = new SMTPConnection({
      host: server.host,
      port: server.port,
      secure: server.tls === "implicit",
      requireTLS: server.tls === "required",
      opportunisticTLS: server.tls === "offered",
      tls: { rejectUnauthorized: server.tls !== "offered" },
      connectionTimeout: connectTime,
      greetingTimeout: connectTime,
      dnsTimeout: connectTime,
      socketTimeout: patience,
      socketCloseTimeout: 1000,
      maxResponseSize: mostResponse,
      allowInternalNetworkInterfaces: true,
    });
    const line: PooledConnection = { key, connection, mails: 0, idle: undefined };
    opened(line);
    await new Promise<void>((resolve, reject) => {
      // Kept, because an idle connection may break at any time. The error counts, not the end after it.
      connection.on("error", (error) => {
        reject(error);
        forget(line);
      });
      connection.on("end", () => {
        reject(new SmtpFault("The connection to the mail server failed.", { isOfServer: true }));
        forget(line);
      });
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    if (server.user !== null) {
      const auth = { user: server.user, pass: password ?? "" };
      await settled((done) => connection.login({ ...auth, credentials: auth }, done), connection);
    }
    return line;
  }

  /** Sends one mail over a connection. */
  async function exchange(
    delivery: Delivery,
    composed: ComposedMail,
    opened: (line: PooledConnection) => void,
  ): Promise<PooledConnection> {
    const { server, password, mail } = delivery;
    const key = createHash("sha256")
      .update(JSON.stringify([server, password]))
      .digest("hex");
    const [from, to] = [toWireAddress(mail.from.address), toWireAddress(mail.to.address)];
    const envelope = { from: from.text, to: [to.text], size: composed.size };
    const send = async ({ connection }: PooledConnection): Promise<void> => {
      if (!hasUtf8(connection)) refuseUtf8(mail);
      return settled((done) => connection.send(envelope, composed.open(), done), connection);
    };
    const kept = take(key);
    if (kept !== undefined) {
      opened(kept);
      try {
        await send(kept);
        return kept;
      } catch (error) {
        drop(kept);
        // An idle connection closed by the server is normal; a response or a timeout is not.
        if (!isBrokenOff(error)) throw error;
      }
    }
    const line = await open(delivery, key, opened);
    await send(line);
    return line;
  }

  return {
    async deliver(delivery) {
      const { signal } = delivery;
      const composed = await composeMail(delivery.mail);
      signal.throwIfAborted();
      let current: PooledConnection | undefined;
      let isOver = false;
      let timer: NodeJS.Timeout | undefined;
      let stop: (() => void) | undefined;
      const ended = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(tooSlow()), patience);
        stop = () => reject(signal.reason as Error);
        signal.addEventListener("abort", stop, { once: true });
      });
      try {
        const exchanged = exchange(delivery, composed, (line) => {
          current = line;
          if (isOver) drop(line);
        });
        keep(await Promise.race([exchanged, ended]));
      } catch (error) {
        isOver = true;
        if (current !== undefined) drop(current);
        signal.throwIfAborted();
        if (error instanceof AttachmentFault) throw error;
        throw toSmtpFault(error, delivery.server);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop!);
      }
    },
    close() {
      for (const line of [...waiting.values()].flat()) drop(line);
    },
  };
}

/** Whether the server supports SMTPUTF8; private in nodemailer. */
function hasUtf8(connection: SMTPConnection): boolean {
  const { _supportedExtensions: extensions } = connection as unknown as { readonly _supportedExtensions: unknown };
  return Array.isArray(extensions) && extensions.includes("SMTPUTF8");
}

function refuseUtf8({ from, to, replyTo }: Mail): void {
  const fault = (address: string, more: object): SmtpFault =>
    new SmtpFault(`The mail server does not support non-ASCII characters before the @ of an address: ${address}`, more);
  for (const own of [from.address, replyTo ?? ""])
    if (toWireAddress(own).needsUtf8) throw fault(own, { isOfServer: true });
  if (toWireAddress(to.address).needsUtf8) throw fault(to.address, { isFinal: true });
}

/** The callback of a connection step; a closed connection never calls it. */
function settled(step: (done: (error: Error | null) => void) => void, connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(error);
    const end = (): void => reject(new SmtpFault("The connection to the mail server failed.", { isOfServer: true }));
    const forget = (): void => {
      connection.off("error", fail);
      connection.off("end", end);
    };
    connection.once("error", fail);
    connection.once("end", end);
    step((error) => {
      forget();
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

/** Whether a pooled connection was closed before any response to this mail. */
function isBrokenOff(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const isClosed = error instanceof SmtpFault || code === "ECONNECTION" || code === "ESOCKET";
  return isClosed && (responseCode === undefined || responseCode === 421);
}
