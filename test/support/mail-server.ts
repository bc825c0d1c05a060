/** A mail server on loopback that writes down everything, and refuses, waits and breaks off as the test says. */
import { readFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { SMTPServerSession } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** By names in lower case, unfolded; several of one name in their order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly isSecure: boolean;
  readonly user: string | null;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** `smtp://127.0.0.1:PORT` */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Connections that were opened, all together. */
  readonly connections: () => number;
  /** The recipients as they came over the wire. */
  readonly recipients: readonly string[];
  /** Those that are open now. */
  readonly open: () => number;
}

/** A reply code with its text; `drop` closes the connection, and `never` says nothing. */
export type Reply = readonly [code: number, text: string] | "drop" | "never" | undefined;

interface Behaviour {
  /** To RCPT TO, and to the end of DATA; undefined takes it. */
  readonly rcpt?: (to: string, number: number) => Reply;
  readonly data?: (mail: ReceivedMail, number: number) => Reply | Promise<Reply>;
  /** Closes the connection when that many bytes of a message have come. */
  readonly dropInData?: (number: number) => boolean;
  /** Whether it says that it takes addresses outside ASCII; so do most test servers, and few others. */
  readonly utf8?: boolean;
  readonly password?: string;
  /** The certificate of test/support/certificates that it shows by STARTTLS, or from the first byte. */
  readonly startTls?: string;
  readonly tls?: string;
  readonly port?: number;
}

export async function startMailServer(behaviour: Behaviour = {}): Promise<MailServer> {
  const { rcpt, data, dropInData, utf8 = true, password, startTls, tls } = behaviour;
  const mails: ReceivedMail[] = [];
  let connections = 0;
  let recipients = 0;
  let messages = 0;
  const sockets = new Set<Socket>();
  const certificate = (name: string) => {
    const folder = join(import.meta.dirname, "certificates");
    return { key: readFileSync(join(folder, `${name}.key`)), cert: readFileSync(join(folder, `${name}.pem`)) };
  };
  const reply = (said: Reply, { remotePort }: SMTPServerSession, done: (error?: Error | null) => void): void => {
    if (said === undefined) done();
    else if (said === "drop") [...sockets].find((socket) => socket.remotePort === remotePort)?.destroy();
    else if (said !== "never") done(Object.assign(new Error(said[1]), { responseCode: said[0] }));
  };
  const certificateName = tls ?? startTls;
  const server = new SMTPServer({
    ...(certificateName === undefined ? {} : certificate(certificateName)),
    secure: tls !== undefined,
    hideSTARTTLS: startTls === undefined,
    hideSMTPUTF8: !utf8,
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: password === undefined ? ["AUTH"] : [],
    disableReverseLookup: true,
    closeTimeout: 100,
    socketTimeout: 600_000,
    logger: false,
    onAuth(auth, _session, done) {
      if (auth.password === password) done(null, { user: auth.username ?? "" });
      else done(Object.assign(new Error("5.7.8 Bad credentials"), { responseCode: 535 }));
    },
    onRcptTo(address, session, done) {
      recipients += 1;
      reply(rcpt?.(address.address, recipients), session, done);
    },
    onData(stream, session, done) {
      messages += 1;
      const number = messages;
      if (dropInData?.(number) === true) {
        stream.once("data", () => reply("drop", session, done));
        return;
      }
      void (async () => {
        const raw = (await buffer(stream).catch(() => undefined))?.toString("utf8");
        // Who sent it is gone before its end.
        if (raw === undefined) return;
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          headers: headersOf(raw),
          isSecure: session.secure,
          user: typeof session.user === "string" ? session.user : null,
        };
        const said = await data?.(mail, number);
        if (said === undefined) mails.push(mail);
        reply(said, session, done);
      })();
    },
  });
  server.on("error", () => {});
  const recipientsOnWire: string[] = [];
  server.server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.on("data", (data) => {
      for (const [, recipient] of data.toString("utf8").matchAll(/^RCPT TO:<([^>]*)>/gm))
        recipientsOnWire.push(recipient!);
    });
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(behaviour.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    connections: () => connections,
    recipients: recipientsOnWire,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      // Node 24 crashes when the socket below a TLS handshake is destroyed: those are left to the server.
      if (certificateName === undefined) for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function headersOf(raw: string): Record<string, string[]> {
  const [head = ""] = raw.split("\r\n\r\n");
  const headers: Record<string, string[]> = {};
  for (const line of head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const [name = "", ...value] = line.split(":");
    (headers[name.toLowerCase()] ??= []).push(value.join(":").trim());
  }
  return headers;
}
