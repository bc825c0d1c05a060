/** Listens, and shuts down gracefully. */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { Server as SocketServer } from "node:net";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isUnsafePort } from "get-port-please";
import { limits } from "../../vocabulary/limits.ts";
import { createExchanges } from "./exchanges.ts";
import { notThatPort, toListenError } from "./listen-faults.ts";
import { openServer } from "./open-server.ts";
import type { TlsPair } from "./tls.ts";
import { watchHandshakes } from "./tls-handshakes.ts";
import type { MalformedRequestAnswer } from "./malformed-requests.ts";

export interface Listener {
  /** Node's server, for a new certificate; undefined for plain HTTP. */
  readonly tlsServer: TlsServer | undefined;
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** Replaces the handler. */
  serve(handler: RequestListener): void;
  /** Stops accepting connections, responds to every complete request, and resolves when all connections are closed. */
  close(): Promise<void>;
}

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly refusedUnread: (answer: MalformedRequestAnswer) => void;
  /** Resolves when connections dispatched to this process have arrived; given if a supervisor accepts them. */
  readonly arrived?: (() => Promise<void>) | undefined;
  /** In a cluster: resolves when none of the stopping processes listens any more. Called when this one has stopped. */
  readonly allClosed?: (() => Promise<void>) | undefined;
  readonly patience?: Partial<Patience> | undefined;
  /** Undefined: plain HTTP. */
  readonly tls?: TlsPair | undefined;
}

/** Shutdown timeouts, in milliseconds. */
export interface Patience {
  /** For incomplete requests, unread responses, and streams, some of which never end. */
  readonly others: number;
  /** For responses that have not begun. */
  readonly answers: number;
  /** Check interval: connections are closed once several checks in a row saw no request. */
  readonly look: number;
}

/** Together less than ten seconds. */
const usualPatience: Patience = { others: 5000, answers: 5500, look: 50 };

/**
 * Listening ends after this many turns of the event loop (or `arrived` round trips) without a connection, or after
 * `backlogPatience`.
 */
const quietTurns = 5;
/**
 * The pause before a turn, in milliseconds. A connection that the kernel, or the supervisor of a cluster, establishes between the last turn and the
 * close is reset with its request: since answers are held meanwhile, clients that send one request after the other come to rest.
 */
const quietPause = 10;
/** In milliseconds: clients that come to no rest get their answers held for no longer. In a cluster a turn always needs its pause. */
const quietPatience = 500;
/**
 * In milliseconds. A turn accepts one connection, and on a busy machine takes a tenth of a second: what exceeds the usual
 * part shortens the timeouts that follow.
 */
const backlogPatience = 4000;
const usualBacklog = 1000;
/** Extra milliseconds for connections dispatched too late. */
const handBackPatience = 500;
/** Extra milliseconds for other processes to stop listening. */
const othersPatience = 1000;

const quietLooks = 5;
const mostLooks = 30;

/**
 * A port in use is an error and never replaced by another. `port` 0 takes any free one. `handler` serves until it is
 * replaced.
 */
export async function startListener(
  handler: RequestListener,
  { host, port, refusedUnread, arrived, allClosed = async () => {}, patience: given, tls }: ListenerOptions,
): Promise<Listener> {
  const patience = { ...usualPatience, ...given };
  const exchanges = createExchanges(handler, refusedUnread);
  let greeted = 0;

  if (isUnsafePort(port)) throw notThatPort(port);
  const listening = await openServer(exchanges.take, { host, port, inCluster: arrived !== undefined, tls }).catch(
    async (error: unknown) => {
      throw await toListenError(error, host, port);
    },
  );
  const { server } = listening;
  const greeting = tls === undefined ? undefined : watchHandshakes(server, { begun: () => (greeted += 1) });
  server.on(tls === undefined ? "connection" : "secureConnection", exchanges.add);
  server.on("clientError", exchanges.refuse as (error: Error, socket: Duplex) => void);
  // An unsupported expectation is refused in order (app.ts).
  server.on("checkExpectation", exchanges.take);
  // Slow senders: headers must arrive within 20 seconds, the whole request within 60; Node checks every 30. `timeout`
  // is for clients that do not read their response: no progress for that long.
  Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, timeout: 60_000 });
  // A client that waits for its turn makes no progress either, and gets its answer however late.
  server.on("timeout", (socket: Socket) => void (exchanges.isAwaiting(socket) || socket.destroy()));
  // listhen creates the server and passes no options; Node reads these properties per connection.
  Object.assign(server, { maxHeaderSize: limits.requestHead, requireHostHeader: false });

  /** Resolves when dispatched connections have arrived, or after a timeout, since the supervisor may be stalled. */
  const untilArrived = (milliseconds: number): Promise<void> => atMost(milliseconds, (arrived ?? nextTurn)());

  /** Resolves with `awaited`, or after a timeout in milliseconds. */
  async function atMost(milliseconds: number, awaited: Promise<void>): Promise<void> {
    const over = new AbortController();
    // After a stall, the event loop first reads pending data.
    const tooLate = sleep(Math.max(0, milliseconds), undefined, over).then(
      () => nextTurn(),
      () => {},
    );
    await Promise.race([awaited, tooLate]).finally(() => over.abort());
  }

  /**
   * Accepts connections already established by the kernel, one per turn: closing would reset them with their requests.
   * Resolves to how many milliseconds that took.
   */
  async function untilAccepted(): Promise<number> {
    const started = performance.now();
    const end = started + backlogPatience;
    for (let quiet = 0; quiet < quietTurns && performance.now() < end;) {
      const before = exchanges.added + greeted;
      if (arrived !== undefined || performance.now() - started < quietPatience) await sleep(quietPause);
      await untilArrived(end - performance.now());
      quiet = exchanges.added + greeted === before ? quiet + 1 : 0;
    }
    return performance.now() - started;
  }

  /** Counts checks instead of time: between two checks the event loop has read all pending data. */
  async function untilQuiet(): Promise<void> {
    for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks && exchanges.connections > 0; looks++) {
      const before = exchanges.begun;
      await sleep(patience.look);
      quiet = exchanges.begun === before ? quiet + 1 : 0;
    }
  }

  /** Closes idle connections, and those still open after the timeouts. */
  function closeIdle(waited: number): void {
    if (waited > patience.others) greeting?.cut();
    exchanges.closeIdle(waited, patience);
  }

  return {
    url: listening.url,
    tlsServer: tls === undefined ? undefined : (server as TlsServer),
    serve: exchanges.serveBy,
    async close() {
      // Responses are sent, with `Connection: close`, only after listening has ended, so that clients reconnect
      // elsewhere.
      exchanges.hold();
      const accepting = await untilAccepted();
      const closed = once(server, "close");
      // Not http's close(), which destroys idle connections together with requests in transit.
      SocketServer.prototype.close.call(server);
      // Connections dispatched too late have been returned by then, for another process.
      await untilArrived(handBackPatience);
      // A client reconnects after its response, and another process could accept it in the middle of its own close.
      await atMost(othersPatience, allClosed());
      exchanges.release();
      await untilQuiet();
      const started = performance.now() - Math.max(0, accepting - usualBacklog);
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
