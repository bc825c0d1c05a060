/** An IMAP server on loopback with one mailbox, which tests fill, break and renumber. */
import { readFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import hoodiecrow from "hoodiecrow-imap";

export interface ImapServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** A new mail, of which connected clients are told. */
  append(raw: Buffer, arrivedAt?: string): void;
  readonly flags: () => string[][];
  readonly count: (folder?: string) => number;
  readonly connections: () => number;
  /** Closes every connection. */
  breakOff(): void;
  /** Numbers the mails anew, as a restored server does. */
  renumber(): void;
}

interface Behaviour {
  readonly password?: string;
  readonly port?: number;
  /** The certificate of test/support/certificates that it shows by STARTTLS, or from the first byte. */
  readonly startTls?: string;
  readonly tls?: string;
}

export async function startImapServer({
  password = "mailbox-password",
  port = 0,
  startTls,
  tls,
}: Behaviour = {}): Promise<ImapServer> {
  const certificate = tls ?? startTls;
  const read = (ending: string) =>
    readFileSync(join(import.meta.dirname, "certificates", `${certificate}.${ending}`), "utf8");
  const server = hoodiecrow({
    ...(certificate === undefined ? {} : { credentials: { key: read("key"), cert: read("pem") } }),
    secureConnection: tls !== undefined,
    plugins: [
      ...(startTls === undefined ? [] : ["STARTTLS"]),
      "ID",
      "SASL-IR",
      "AUTH-PLAIN",
      "NAMESPACE",
      "IDLE",
      "ENABLE",
      "LITERALPLUS",
      "UNSELECT",
      "MOVE",
      "UIDPLUS",
    ],
    users: { desk: { password } },
    storage: { INBOX: { messages: [] }, "": { folders: { Done: {} } } },
  });
  const sockets = new Set<Socket>();
  let connections = 0;
  server.server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.server.address() as AddressInfo;
  const breakOff = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: address.port,
    url: `imap://desk@127.0.0.1:${address.port}`,
    append: (raw, arrivedAt) => server.appendMessage("INBOX", [], arrivedAt ?? false, raw.toString("latin1")),
    flags: () => server.folderCache["INBOX"]!.messages.map(({ flags }) => flags),
    count: (folder = "INBOX") => server.folderCache[folder]!.messages.length,
    connections: () => connections,
    breakOff,
    renumber() {
      server.folderCache["INBOX"]!.uidvalidity += 1;
      breakOff();
    },
    async [Symbol.asyncDispose]() {
      breakOff();
      await new Promise<void>((resolve) => server.server.close(() => resolve()));
    },
  };
}
