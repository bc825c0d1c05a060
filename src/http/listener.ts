/** Listens, and stops without cutting anything that was begun. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { listen } from "listhen";

export interface Listener {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** Takes no new connection, answers every request that has come whole, and resolves when all is closed. */
  close(): Promise<void>;
}

/** How long a request that has only half arrived may hold the shutdown, in milliseconds. */
const halfSentPatience = 5000;

/** A port that is taken is an error here, never another port. `port` 0 takes any free one. */
export async function startListener(
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const open = new Set<{ message: IncomingMessage; response: ServerResponse }>();
  let closing = false;

  const listening = await listen(
    (message: IncomingMessage, response: ServerResponse) => {
      keepSocket(message);
      const exchange = { message, response };
      open.add(exchange);
      response.once("close", () => open.delete(exchange));
      if (closing) response.setHeader("connection", "close");
      handler(message, response);
    },
    {
      hostname: host,
      port: port === 0 ? { port: 0, random: true, host } : { port, host },
      isProd: true,
      public: host !== "127.0.0.1" && host !== "localhost" && host !== "::1",
      showURL: false,
      autoClose: false,
    },
  ).catch((error: unknown) => {
    throw explain(error, host, port);
  });
  const { server } = listening;
  // Slow senders: a request's headers must come within 20 seconds and all of it within 60.
  Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 });

  return {
    url: listening.url.replace(/\/$/, ""),
    async close() {
      closing = true;
      const started = performance.now();
      const watch = setInterval(() => {
        const halfSentOnly = [...open].every(({ message }) => !message.complete);
        if (performance.now() - started > halfSentPatience && halfSentOnly) server.closeAllConnections();
      }, 100);
      try {
        await listening.close();
      } finally {
        clearInterval(watch);
      }
    },
  };
}

/** The same in words for whoever chose the address. listhen itself looks whether the port is free, and says it in its own way. */
function explain(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES")
    return new Error(`Port ${port} of ${host} needs more rights: name one above 1023 (--port, CRM_PORT).`);
  const taken = code === "EADDRINUSE" || (error instanceof Error && error.name === "GetPortError");
  if (!taken && code !== "EADDRNOTAVAIL" && code !== "ENOTFOUND") return error;
  return new Error(
    `Port ${port} of ${host} cannot be listened on: it is taken (--port, CRM_PORT), or ${host} is no address of this machine (--host, CRM_HOST).`,
  );
}

/** Node may take the socket from a request that was not read to its end; listhen's shutdown hook then ends the process. */
function keepSocket(message: IncomingMessage): void {
  const { socket } = message;
  Object.defineProperty(message, "socket", { configurable: true, enumerable: true, get: () => socket, set() {} });
}
