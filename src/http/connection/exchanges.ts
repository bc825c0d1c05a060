/** Serves the requests of each connection in order, one at a time, and closes connections during a shutdown. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { boundReading } from "./bounded-reading.ts";
import type { Reading } from "./bounded-reading.ts";
import { toMalformedRequestAnswer } from "./malformed-requests.ts";
import type { MalformedRequestAnswer } from "./malformed-requests.ts";
import { watchSlowReaders } from "./slow-readers.ts";
import { closeInStages, isClosing } from "./staged-close.ts";

interface HttpExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  current: HttpExchange | undefined;
  /** Pipelined requests. */
  readonly waiting: HttpExchange[];
  readonly reading: Reading;
  /** The last response, if the input cannot be parsed further. */
  unread?: MalformedRequestAnswer;
}

/** Maximum pipelined requests of a connection before reading pauses. */
const mostWaiting = 8;

export interface Exchanges {
  /** Open connections now. */
  readonly connections: number;
  /** Connections so far. */
  readonly added: number;
  /** Requests that were taken so far. */
  readonly begun: number;
  add(socket: Socket): void;
  /** Serves a request after the earlier ones of its connection. */
  take(message: IncomingMessage, response: ServerResponse): void;
  /** A parse error: earlier requests are served in order, then this response. */
  refuse(error: Error, socket: Socket): void;
  /** Whether the client waits for this process: its request is complete and no response has begun. */
  isAwaiting(socket: Socket): boolean;
  /** Replaces the handler. */
  serveBy(handler: RequestListener): void;
  /** Requests that follow wait for `release`. */
  hold(): void;
  /** Serves what was held; every last response of a connection says that it closes. */
  release(): void;
  /** Closes idle connections, and the others after these milliseconds: `answers` where a client awaits its response, else `others`. */
  closeIdle(waited: number, patience: { readonly answers: number; readonly others: number }): void;
}

export function createExchanges(
  handler: RequestListener,
  refusedUnread: (answer: MalformedRequestAnswer) => void,
): Exchanges {
  const connections = new Map<Socket, Connection>();
  const disconnectSlowReaders = watchSlowReaders(connections);
  let added = 0;
  let begun = 0;
  let closing = false;
  let held: (() => void)[] | undefined;

  function add(socket: Socket): Connection {
    const waiting: HttpExchange[] = [];
    const reading = boundReading(socket, () => waiting.length >= mostWaiting && !isClosing(socket));
    const connection: Connection = { current: undefined, waiting, reading };
    connections.set(socket, connection);
    added += 1;
    socket.once("close", () => connections.delete(socket));
    // Node then closes after the response.
    socket.destroySoon = () => {
      connection.waiting.length = 0;
      closeInStages(socket);
    };
    return connection;
  }

  /** One request at a time: the responses to a client that pipelines and does not read would fill the memory. */
  function serve(socket: Socket, connection: Connection, exchange: HttpExchange): void {
    exchange.response.once("close", () => {
      const next = connection.waiting.shift();
      connection.current = next;
      if (socket.destroyed) return;
      if (next === undefined) return answerUnread(socket, connection);
      connection.reading.goOn();
      // Deferred: otherwise a pipelining client would be served completely before any other.
      setImmediate(serve, socket, connection, next);
    });
    if (closing) announceClose(connection);
    disconnectSlowReaders();
    if (held === undefined) handler(exchange.message, exchange.response);
    else held.push(() => !exchange.response.destroyed && handler(exchange.message, exchange.response));
  }

  return {
    get connections() {
      return connections.size;
    },
    get added() {
      return added;
    },
    get begun() {
      return begun;
    },
    add,
    take(message, response) {
      const { socket } = message;
      // Unknown: it connected before listhen returned the server.
      const connection = connections.get(socket) ?? add(socket);
      if (isClosing(socket) || socket.destroyed) return;
      begun += 1;
      // Node may detach the socket of a request that was not fully read; listhen's shutdown hook, which sees the finished
      // response later, would then end the process.
      response.once("finish", () => (message.socket ??= socket));
      if (connection.current === undefined) {
        connection.current = { message, response };
        serve(socket, connection, connection.current);
        return;
      }
      connection.waiting.push({ message, response });
      connection.reading.stopIfEnough();
    },
    refuse(error, socket) {
      const connection = connections.get(socket);
      // Further input cannot be parsed either.
      if (connection?.unread !== undefined || isClosing(socket)) return;
      const answer = toMalformedRequestAnswer(error);
      if (connection === undefined || answer === undefined || !socket.writable) {
        socket.destroy();
        return;
      }
      connection.unread = answer;
      refusedUnread(answer);
      const { current, waiting } = connection;
      // A truncated body has no request after it: its own response reports it.
      if (waiting.at(-1)?.message.complete === false) waiting.pop();
      else if (current?.message.complete === true) return;
      else if (current?.response.headersSent) socket.destroySoon();
      else answerUnread(socket, connection);
    },
    isAwaiting: (socket) => isAwaited(connections.get(socket)?.current),
    serveBy(next) {
      handler = next;
    },
    hold() {
      held = [];
    },
    release() {
      closing = true;
      for (const connection of connections.values()) announceClose(connection);
      const waited = held ?? [];
      held = undefined;
      for (const goOn of waited) goOn();
    },
    closeIdle(waited, { answers, others }) {
      for (const [socket, { current }] of connections) {
        if (waited > (isAwaited(current) ? answers : others)) socket.destroy();
        else if (current === undefined) socket.destroySoon();
      }
    },
  };
}

function answerUnread(socket: Socket, { unread: answer }: Connection): void {
  if (answer === undefined) return;
  socket.write(answer.bytes);
  socket.destroySoon();
}

function isAwaited(current: HttpExchange | undefined): boolean {
  return current !== undefined && current.message.complete && !current.response.headersSent;
}

/** Marks the last response of a connection as its last. */
function announceClose({ current, waiting, reading }: Connection): void {
  if (current !== undefined && waiting.length === 0 && !reading.hasMore() && !current.response.headersSent) {
    current.response.setHeader("connection", "close");
  }
}
