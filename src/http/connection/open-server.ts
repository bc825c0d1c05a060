/** Opens the listening server, by listhen or, in a cluster, directly. */
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listen } from "listhen";

interface OpenServer {
  readonly server: Server;
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
}

/** Throws errors of Node and of listhen. */
export async function openServer(take: RequestListener, { host, port, inCluster }: ServerAddress): Promise<OpenServer> {
  // With port 0, listhen chooses a free port, on which the other processes then listen.
  if (inCluster && port !== 0) return openInCluster(take, host, port);
  const listening = await listen(take, {
    hostname: host,
    // With `verbose`, listhen prints skipped ports on stdout.
    port: { port, host, random: port === 0, verbose: false },
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
 * Without listhen, which checks a port by listening on it for a moment: the supervisor would accept connections for that listener, and one
 * that it dispatches after the listener has closed is neither answered nor closed.
 */
async function openInCluster(take: RequestListener, host: string, port: number): Promise<OpenServer> {
  const server = createServer(take);
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
    url: `http://${host.includes(":") ? `[${host}]` : host}:${own}`,
    close() {
      server.close();
      return closed;
    },
  };
}
