/** Listens, takes the requests of a connection in their turn, and stops without cutting anything that was begun. */
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Server as SocketServer } from "node:net";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { listen } from "listhen";
import { limits } from "../../vocabulary/limits.ts";
import { boundReading } from "./bounded-reading.ts";
import type { Reading } from "./bounded-reading.ts";
import { notThatPort, toListenError } from "./listen-faults.ts";
import { closeInStages, isClosing } from "./staged-close.ts";
import { toUnreadAnswer } from "./unread-requests.ts";
import type { UnreadAnswer } from "./unread-requests.ts";
import { watchSlowReaders } from "./slow-readers.ts";

export interface Listener {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** From now on `handler` answers. */
  serve(handler: RequestListener): void;
  /** Takes no new connection, answers every request that has come whole, and resolves when all is closed, whatever is left to send. */
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly refusedUnread: (answer: UnreadAnswer) => void;
  /** Resolves when what was on its way to this process has come; to be given where another process takes the connections for it. */
  readonly arrived?: (() => Promise<void>) | undefined;
  /** Of several processes on one port that stop together: resolves when none of them listens any more. Called when this one has stopped listening. */
  readonly allClosed?: (() => Promise<void>) | undefined;
  readonly patience?: Partial<Patience> | undefined;
}

interface HttpExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  current: HttpExchange | undefined;
  /** What was sent ahead of an answer (pipelining). */
  readonly waiting: HttpExchange[];
  readonly reading: Reading;
  /** What is answered last of all, since nothing can be read any more. */
  unread?: UnreadAnswer;
}

/** A connection that is so many requests ahead is not read on until they are answered. */
const mostWaiting = 8;

/** How long the shutdown waits, in milliseconds. */
export interface Patience {
  /** For clients that send half a request or do not take their answer, and for streams, some of which never end. */
  readonly others: number;
  /** For answers of ours that have not begun. */
  readonly answers: number;
  /** Between two looks: connections are closed once no request came in some looks in a row. */
  readonly look: number;
}

/** All of it takes no ten seconds. */
const usualPatience: Patience = { others: 5000, answers: 6500, look: 50 };

/** Listening ends once no connection came in so many turns of the event loop (or journeys, see `arrived`), or after so many milliseconds. */
const quietTurns = 3;
/**
 * Where another process takes the connections, so many milliseconds between two journeys: it takes some until it has heard of the close, which
 * are reset, so that clients that are about to connect again are given time to.
 */
const journeyPause = 10;
const backlogPatience = 500;
/** So many milliseconds more for what was handed over too late. */
const handBackPatience = 250;
/** And so many for the other processes to stop listening. */
const othersPatience = 500;

const quietLooks = 5;
const mostLooks = 40;

/** A port that is taken is an error here, never another port. `port` 0 takes any free one. `handler` answers until another one does. */
export async function startListener(
  handler: RequestListener,
  { host, port, refusedUnread, arrived, allClosed = async () => {}, patience: given }: ListenerOptions,
): Promise<Listener> {
  const patience = { ...usualPatience, ...given };
  const connections = new Map<Socket, Connection>();
  let closing = false;
  /** What is answered once listening has ended: whoever waits for an answer does not connect anew meanwhile. */
  let held: (() => void)[] | undefined;
  let connected = 0;
  let begun = 0;
  const dropUntaken = watchSlowReaders(connections);

  function add(socket: Socket): Connection {
    const waiting: HttpExchange[] = [];
    const reading = boundReading(socket, () => waiting.length >= mostWaiting && !isClosing(socket));
    const connection: Connection = { current: undefined, waiting, reading };
    connections.set(socket, connection);
    connected += 1;
    socket.once("close", () => connections.delete(socket));
    // So Node closes after an answer that is the last.
    socket.destroySoon = () => {
      connection.waiting.length = 0;
      closeInStages(socket);
    };
    return connection;
  }

  /** One request at a time: the answers to what one client sends ahead and does not read would fill the memory. */
  function take(message: IncomingMessage, response: ServerResponse): void {
    const { socket } = message;
    // Not known yet: it connected before listhen gave us the server.
    const connection = connections.get(socket) ?? add(socket);
    if (isClosing(socket) || socket.destroyed) return;
    begun += 1;
    // Node may take the socket from a request that was not read to its end; listhen's shutdown hook, which hears of
    // the finished answer after this, would then end the process.
    response.once("finish", () => (message.socket ??= socket));
    if (connection.current === undefined) {
      connection.current = { message, response };
      serve(socket, connection, connection.current);
      return;
    }
    connection.waiting.push({ message, response });
    connection.reading.stopIfEnough();
  }

  function serve(socket: Socket, connection: Connection, exchange: HttpExchange): void {
    exchange.response.once("close", () => {
      const next = connection.waiting.shift();
      connection.current = next;
      if (socket.destroyed) return;
      if (next === undefined) return answerUnread(socket, connection);
      connection.reading.goOn();
      // Not at once: whoever sends ahead would be served to the end before anybody else is read.
      setImmediate(serve, socket, connection, next);
    });
    if (closing) announceClose(connection);
    dropUntaken();
    if (held === undefined) handler(exchange.message, exchange.response);
    else held.push(() => !exchange.response.destroyed && handler(exchange.message, exchange.response));
  }

  /** Node cannot read on: what came before is answered in its turn, and then this. */
  function refuse(error: Error, socket: Socket): void {
    const connection = connections.get(socket);
    // Whatever still comes is as unreadable as what came.
    if (connection?.unread !== undefined || isClosing(socket)) return;
    const answer = toUnreadAnswer(error);
    if (connection === undefined || answer === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    connection.unread = answer;
    refusedUnread(answer);
    const { current, waiting } = connection;
    // A body that breaks off has no request to follow it: the answer is its own.
    if (waiting.at(-1)?.message.complete === false) waiting.pop();
    else if (current?.message.complete === true) return;
    else if (current?.response.headersSent) socket.destroySoon();
    else answerUnread(socket, connection);
  }

  function answerUnread(socket: Socket, { unread: answer }: Connection): void {
    if (answer === undefined) return;
    socket.write(answer.bytes);
    socket.destroySoon();
  }

  const listening = await listen(take, {
    hostname: host,
    // It would tell on stdout which ports it passes over.
    port: { port, host, random: port === 0, verbose: false },
    isProd: true,
    public: host !== "127.0.0.1" && host !== "localhost" && host !== "::1",
    showURL: false,
    autoClose: false,
  }).catch(async (error: unknown) => {
    throw await toListenError(error, host, port);
  });
  const { server } = listening;
  if (port !== 0 && listening.address.port !== port) {
    await listening.close();
    throw notThatPort(port);
  }
  server.on("connection", add);
  server.on("clientError", refuse as (error: Error, socket: Duplex) => void);
  // An expectation that nobody meets is refused in its turn (app.ts).
  server.on("checkExpectation", take);
  // Slow senders: a request's headers must come within 20 seconds and all of it within 60; Node looks every 30. `timeout`
  // is for those who do not take their answer: nothing moved for so long.
  Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, timeout: 60_000 });
  // listhen makes the server, and hands on no option of it; Node looks at these for each connection.
  Object.assign(server, { maxHeaderSize: limits.requestHead, requireHostHeader: false });

  /** Resolves when what was on its way has come, and after so many milliseconds: whoever hands it over may stand still. */
  const untilArrived = (milliseconds: number): Promise<void> => atMost(milliseconds, (arrived ?? nextTurn)());

  /** Resolves with `awaited`, or after so many milliseconds. */
  async function atMost(milliseconds: number, awaited: Promise<void>): Promise<void> {
    const over = new AbortController();
    // A loop that was held up for so long reads what has come before it gives up.
    const tooLate = sleep(milliseconds, undefined, over).then(
      () => nextTurn(),
      () => {},
    );
    await Promise.race([awaited, tooLate]).finally(() => over.abort());
  }

  /** Takes what the system connected for us already, one in each turn: it would be reset, with the request it carries. */
  async function untilAccepted(): Promise<void> {
    const end = performance.now() + backlogPatience;
    for (let quiet = 0; quiet < quietTurns && performance.now() < end;) {
      const before = connected;
      if (arrived !== undefined) await sleep(journeyPause);
      await untilArrived(end - performance.now());
      quiet = connected === before ? quiet + 1 : 0;
    }
  }

  /** Looks are counted, not time: between two of them the event loop has read what had come. */
  async function untilQuiet(): Promise<void> {
    for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks && connections.size > 0; looks++) {
      const before = begun;
      await sleep(patience.look);
      quiet = begun === before ? quiet + 1 : 0;
    }
  }

  /** Closes what is idle, and what is still there when nobody waits for it any more. */
  function closeIdle(waited: number): void {
    for (const [socket, { current }] of connections) {
      if (waited > (isOurs(current) ? patience.answers : patience.others)) socket.destroy();
      else if (current === undefined) socket.destroySoon();
    }
  }

  return {
    url: listening.url.replace(/\/$/, ""),
    serve(next) {
      handler = next;
    },
    async close() {
      // Answers leave, and ask to close, only afterwards: whoever has one connects anew.
      held = [];
      await untilAccepted();
      const closed = once(server, "close");
      // Not the close of http, which destroys what is idle at this moment, with the request that is on its way there.
      SocketServer.prototype.close.call(server);
      // What was handed over too late has gone back by then, for another process to take.
      await untilArrived(handBackPatience);
      // A client that has its answer connects anew, and another process would take the connection in the middle of its own close.
      await atMost(othersPatience, allClosed());
      closing = true;
      for (const connection of connections.values()) announceClose(connection);
      const waited = held;
      held = undefined;
      for (const goOn of waited) goOn();
      await untilQuiet();
      const started = performance.now();
      const watch = setInterval(() => closeIdle(performance.now() - started), patience.look);
      try {
        await closed;
        await listening.close();
      } finally {
        clearInterval(watch);
      }
    },
  };
}

/** Whether it is this process that is waited for: the request has come whole, and nothing of the answer is on its way. */
function isOurs(current: HttpExchange | undefined): boolean {
  return current !== undefined && current.message.complete && !current.response.headersSent;
}

/** Lets the last answer that a connection owes be its last. */
function announceClose({ current, waiting, reading }: Connection): void {
  if (current !== undefined && waiting.length === 0 && !reading.hasMore() && !current.response.headersSent) {
    current.response.setHeader("connection", "close");
  }
}
