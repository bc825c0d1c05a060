/**
 * Hands mails to servers over connections that are kept for the next one: each mail ends within a minute, whatever the server does, and
 * a connection that went wrong is used no more.
 */
import { createHash } from "node:crypto";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { composeMail } from "./mail.ts";
import type { Mail } from "./mail.ts";
import { SmtpFault, tooSlow, toSmtpFault } from "./smtp-fault.ts";
import type { SmtpServer } from "./smtp-server.ts";
import { toWireAddress } from "./wire-address.ts";

interface Delivery {
  readonly server: SmtpServer;
  /** Of the server's user. */
  readonly password: string | null;
  readonly mail: Mail;
  /** Ends it early: then nobody knows whether it arrived. */
  readonly signal: AbortSignal;
}

export interface Smtp {
  /** Resolves when the server has taken the mail. Throws an SmtpFault for whatever else happens, and the reason of `signal`. */
  deliver(delivery: Delivery): Promise<void>;
  /** Closes the connections that wait for a next mail. */
  close(): void;
}

interface SmtpOptions {
  /** Milliseconds for all of it: name, connection, TLS, login, and the answer to the mail. */
  readonly patience?: number;
}

/** The server that scans a mail before it answers should be waited for: who leaves then sends it twice. */
const answerTime = 60_000;
/** For name, connection, TLS and greeting, in milliseconds. */
const connectTime = 15_000;
/** How long a connection waits for its next mail, in milliseconds, and how many it carries. */
const idleMilliseconds = 2000;
const mostMails = 100;
/** Bytes of one answer. */
const mostResponse = 16_384;

interface PooledConnection {
  readonly key: string;
  readonly connection: SMTPConnection;
  mails: number;
  idle: NodeJS.Timeout | undefined;
}

export function createSmtp({ patience = answerTime }: SmtpOptions = {}): Smtp {
  /** Connections that wait, by server and login. As many as were in use at once: whoever sends bounds that. */
  const waiting = new Map<string, PooledConnection[]>();

  /** It is not used again. One that broke closes itself. */
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

  /** Says so, and waits for no answer: some servers never give one. */
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

  /** A new connection, past TLS and login. `opened` is handed it at once, to end it if that takes too long. */
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
      // They stay, since a connection that waits may break at any time. What the error says counts, not the end that follows it.
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

  /** One mail over one connection. */
  async function exchange(
    delivery: Delivery,
    raw: Buffer,
    opened: (line: PooledConnection) => void,
  ): Promise<PooledConnection> {
    const { server, password, mail } = delivery;
    const key = createHash("sha256")
      .update(JSON.stringify([server, password]))
      .digest("hex");
    const [from, to] = [toWireAddress(mail.from.address), toWireAddress(mail.to.address)];
    const envelope = { from: from.text, to: [to.text], size: raw.length };
    const send = async ({ connection }: PooledConnection): Promise<void> => {
      if (!hasUtf8(connection)) refuseUtf8(mail);
      return settled((done) => connection.send(envelope, raw, done), connection);
    };
    const kept = take(key);
    if (kept !== undefined) {
      opened(kept);
      try {
        await send(kept);
        return kept;
      } catch (error) {
        drop(kept);
        // The server has closed it meanwhile, which is its right; what it said, and silence, count.
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
      const raw = await composeMail(delivery.mail);
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
        const exchanged = exchange(delivery, raw, (line) => {
          current = line;
          if (isOver) drop(line);
        });
        keep(await Promise.race([exchanged, ended]));
      } catch (error) {
        isOver = true;
        if (current !== undefined) drop(current);
        signal.throwIfAborted();
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

/** Whether the server said that it takes addresses outside ASCII; nodemailer keeps that to itself. */
function hasUtf8(connection: SMTPConnection): boolean {
  const { _supportedExtensions: extensions } = connection as unknown as { readonly _supportedExtensions: unknown };
  return Array.isArray(extensions) && extensions.includes("SMTPUTF8");
}

function refuseUtf8({ from, to, replyTo }: Mail): void {
  const fault = (address: string, more: object): SmtpFault =>
    new SmtpFault(`The mail server takes no letters outside ASCII before the @ of an address: ${address}`, more);
  for (const own of [from.address, replyTo ?? ""])
    if (toWireAddress(own).needsUtf8) throw fault(own, { isOfServer: true });
  if (toWireAddress(to.address).needsUtf8) throw fault(to.address, { isFinal: true });
}

/** What a step of a connection calls back with; a connection that is gone never calls. */
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

/** Whether a connection that was kept was closed before the server said anything about this mail. */
function isBrokenOff(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const isClosed = error instanceof SmtpFault || code === "ECONNECTION" || code === "ESOCKET";
  return isClosed && (responseCode === undefined || responseCode === 421);
}
