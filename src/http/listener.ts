/** Listens, and stops without cutting anything that was begun. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Server as SocketServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { listen } from "listhen";

export interface Listener {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** Takes no new connection, answers every request that has come whole, and resolves when all is closed. */
  close(): Promise<void>;
}

/** How long a request that has only half arrived may hold the shutdown, in milliseconds. */
const halfSentPatience = 5000;
/** The same for an answer that its client does not take. */
const untakenPatience = 10_000;

/** Listening ends once no connection came in so many turns of the event loop, or after so many milliseconds. */
const quietTurns = 3;
const backlogPatience = 5000;

/** Connections are closed once no request came in so many looks in a row, so many milliseconds apart. */
const quietLooks = 5;
const lookPause = 50;
const mostLooks = 40;

/** A port that is taken is an error here, never another port. `port` 0 takes any free one. */
export async function startListener(
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const open = new Set<{ message: IncomingMessage; response: ServerResponse }>();
  let closing = false;
  let connected = 0;
  let disconnected = 0;
  let begun = 0;

  const listening = await listen(
    (message: IncomingMessage, response: ServerResponse) => {
      const { socket } = message;
      const exchange = { message, response };
      open.add(exchange);
      // Node may take the socket from a request that was not read to its end; listhen's shutdown hook, which hears of
      // the finished answer after this, would then end the process.
      response.once("finish", () => (message.socket ??= socket));
      begun += 1;
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
  server.on("connection", (socket) => {
    connected += 1;
    socket.once("close", () => (disconnected += 1));
  });
  Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 });

  /** Takes what the system connected for us already, one in each turn: it would be reset, with the request it carries. */
  async function untilAccepted(started: number): Promise<void> {
    for (let quiet = 0; quiet < quietTurns && performance.now() - started < backlogPatience;) {
      const before = connected;
      await nextTurn();
      quiet = connected === before ? quiet + 1 : 0;
    }
  }

  /** Looks are counted, not time: between two of them the event loop has read what had come. */
  async function untilQuiet(): Promise<void> {
    for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks && connected > disconnected; looks++) {
      const before = begun;
      await sleep(lookPause);
      quiet = begun === before ? quiet + 1 : 0;
    }
  }

  return {
    url: listening.url.replace(/\/$/, ""),
    async close() {
      const started = performance.now();
      const watch = setInterval(() => {
        const waited = performance.now() - started;
        const hopeless = [...open].every(({ message, response }) =>
          message.complete ? response.writableEnded && waited > untakenPatience : waited > halfSentPatience,
        );
        if (hopeless && waited > halfSentPatience) server.closeAllConnections();
      }, 100);
      try {
        // Answers ask to close only afterwards: whoever is told so connects anew.
        await untilAccepted(started);
        closing = true;
        // Not the close of http, which destroys what is idle at this moment, with the request that is on its way there.
        SocketServer.prototype.close.call(server);
        for (const { response } of open) if (!response.headersSent) response.setHeader("connection", "close");
        await untilQuiet();
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
