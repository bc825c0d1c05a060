/** Opens the listening server: by listhen for any free port, else directly, for the first listener of a port must be the last one. */
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server as TlsServer } from "node:https";
import { createServer as createSocketServer } from "node:net";
import type { AddressInfo } from "node:net";
import { listen } from "listhen";
import type { TlsPair } from "./tls.ts";

interface OpenServer {
  readonly server: Server | TlsServer;
  readonly port: number;
  /** Without a trailing slash. */
  readonly url: string;
  /** Resolves when no connection is left. */
  close(): Promise<void>;
}

interface ServerAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Whether this is a process of a cluster, whose supervisor accepts the connections. */
  readonly inCluster: boolean;
  /** Undefined: plain HTTP. */
  readonly tls?: TlsPair | undefined;
}

/** A client that connects and says nothing is cut off, in milliseconds. */
const handshakeTimeout = 20_000;

/** Throws errors of Node and of listhen. */
export async function openServer(take: RequestListener, address: ServerAddress): Promise<OpenServer> {
  const { host, port, tls } = address;
  // In a cluster the other processes then listen on the port that listhen has chosen.
  if (tls !== undefined || port !== 0) return openDirectly(take, address);
  const listening = await listen(take, {
    hostname: host,
    // With `verbose`, listhen prints skipped ports on stdout.
    port: { port, host, random: true, verbose: false },
    isProd: true,
    public: host !== "127.0.0.1" && host !== "localhost" && host !== "::1",
    showURL: false,
    autoClose: false,
  });
  return {
    server: listening.server as Server,
    port: listening.address.port,
    url: listening.url.replace(/\/$/, ""),
    close: listening.close,
  };
}

/**
 * Without listhen, which checks a port by listening on it for a moment: a client that waits for the port, such as a proxy during a restart, connects to
 * that listener, and its request is reset. In a cluster, a connection that the supervisor dispatches to it is neither answered nor closed.
 */
async function openDirectly(
  take: RequestListener,
  { host, inCluster, tls, ...given }: ServerAddress,
): Promise<OpenServer> {
  // The other processes listen on the number: a port that the supervisor chose for 0 is not theirs.
  const port = inCluster && given.port === 0 ? await findFreePort(host) : given.port;
  // HTTP/1.1 alone is offered (ALPN).
  const server = tls === undefined ? createServer(take) : createTlsServer({ ...tls, handshakeTimeout }, take);
  const closed = new Promise<void>((resolve) => void server.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const own = (server.address() as AddressInfo).port;
  return {
    server,
    port: own,
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${own}`,
    close() {
      server.close();
      return closed;
    },
  };
}

/** A port that was free a moment ago. */
function findFreePort(host: string): Promise<number> {
  const server = createSocketServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port: 0, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
