/** Listens, takes the requests of a connection in their turn, and stops without cutting anything that was begun. */
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Server as SocketServer } from "node:net";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { listen } from "listhen";

export interface Listener {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** Takes no new connection, answers every request that has come whole, and resolves when all is closed. */
  close(): Promise<void>;
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  current: Exchange | undefined;
  /** What was sent ahead of an answer (pipelining). */
  readonly waiting: Exchange[];
}

/** A connection that is so many requests ahead is not read on until they are answered. */
const mostWaiting = 32;

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
  const connections = new Map<Socket, Connection>();
  let closing = false;
  let connected = 0;
  let begun = 0;

  function add(socket: Socket): Connection {
    const connection: Connection = { current: undefined, waiting: [] };
    connections.set(socket, connection);
    connected += 1;
    socket.once("close", () => connections.delete(socket));
    // Node by itself reads on after every answer.
    socket.on("resume", () => isAhead(connection) && socket.pause());
    return connection;
  }

  /** One request at a time: the answers to what one client sends ahead and does not read would fill the memory. */
  function take(message: IncomingMessage, response: ServerResponse): void {
    const { socket } = message;
    const connection = connections.get(socket) ?? add(socket);
    begun += 1;
    // Node may take the socket from a request that was not read to its end; listhen's shutdown hook, which hears of
    // the finished answer after this, would then end the process.
    response.once("finish", () => (message.socket ??= socket));
    if (connection.current === undefined) {
      serve(socket, connection, { message, response });
      return;
    }
    connection.waiting.push({ message, response });
    if (isAhead(connection)) socket.pause();
  }

  function serve(socket: Socket, connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    exchange.response.once("close", () => {
      connection.current = undefined;
      const next = connection.waiting.shift();
      if (next === undefined || socket.destroyed) return;
      if (socket.isPaused() && !isAhead(connection)) socket.resume();
      serve(socket, connection, next);
    });
    if (closing) announceClose(connection);
    handler(exchange.message, exchange.response);
  }

  const listening = await listen(take, {
    hostname: host,
    port: port === 0 ? { port: 0, random: true, host } : { port, host },
    isProd: true,
    public: host !== "127.0.0.1" && host !== "localhost" && host !== "::1",
    showURL: false,
    autoClose: false,
  }).catch((error: unknown) => {
    throw explain(error, host, port);
  });
  const { server } = listening;
  server.on("connection", add);
  // Slow senders: a request's headers must come within 20 seconds and all of it within 60. `timeout` is for those who
  // do not take their answer: nothing moved for so long.
  Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, timeout: 60_000 });

  /** Takes what the system connected for us already, one in each turn: it would be reset, with the request it carries. */
  async function untilAccepted(): Promise<void> {
    const started = performance.now();
    for (let quiet = 0; quiet < quietTurns && performance.now() - started < backlogPatience;) {
      const before = connected;
      await nextTurn();
      quiet = connected === before ? quiet + 1 : 0;
    }
  }

  /** Looks are counted, not time: between two of them the event loop has read what had come. */
  async function untilQuiet(): Promise<void> {
    for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks && connections.size > 0; looks++) {
      const before = begun;
      await sleep(lookPause);
      quiet = begun === before ? quiet + 1 : 0;
    }
  }

  /** Closes what is idle, and after their patience those who neither finish their request nor take their answer. */
  function closeIdle(waited: number): void {
    for (const [socket, { current }] of connections) {
      if (current === undefined) socket.destroySoon();
      else if (
        current.message.complete
          ? current.response.writableEnded && waited > untakenPatience
          : waited > halfSentPatience
      ) {
        socket.destroy();
      }
    }
  }

  return {
    url: listening.url.replace(/\/$/, ""),
    async close() {
      // Answers ask to close only afterwards: whoever is told so connects anew.
      await untilAccepted();
      closing = true;
      const closed = once(server, "close");
      // Not the close of http, which destroys what is idle at this moment, with the request that is on its way there.
      SocketServer.prototype.close.call(server);
      for (const connection of connections.values()) announceClose(connection);
      await untilQuiet();
      const started = performance.now();
      const watch = setInterval(() => closeIdle(performance.now() - started), lookPause);
      try {
        await closed;
        await listening.close();
      } finally {
        clearInterval(watch);
      }
    },
  };
}

function isAhead({ waiting }: Connection): boolean {
  return waiting.length >= mostWaiting;
}

/** Lets the last answer that a connection owes be its last. */
function announceClose({ current, waiting }: Connection): void {
  if (current !== undefined && waiting.length === 0 && !current.response.headersSent) {
    current.response.setHeader("connection", "close");
  }
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
