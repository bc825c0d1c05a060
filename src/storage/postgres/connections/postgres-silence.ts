/** Detects a stalled PostgreSQL or a silent network path: neither closes connections, so nothing else would notice. */
import type { Socket } from "node:net";
import pg from "pg";

/** Counts checks instead of time: between two checks the event loop has read all pending data, however late. */
const lookPause = 250;
/** Number of checks without data for waiting connections, after which the server is probed. */
const silentLooks = 2;
/** Number of checks after which connections are cut. With the connect timeout a request stays below five seconds. */
const lostLooks = 8;

/** This process cannot connect: the state of the server is unknown. */
const ownTroubles = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL|EAI_AGAIN)$/;

/** A connection that knows whether it awaits a response. */
export interface WaitingClient extends pg.Client {
  readonly isWaiting: boolean;
}

export interface SilenceWatch {
  /** Suspended while `work` runs: schema changes may wait for more than five seconds, and must not stop halfway. */
  leaving<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Destroys all connections. */
  cut(): void;
  stop(): void;
}

/**
 * Watches the connections of `pool`. A slow statement or one waiting for a lock is left alone as long as the server
 * responds to a probe on a separate connection (made by `connect`). If the probe gets no response, all connections are
 * destroyed: pending statements fail as on a lost connection, and the server rolls back uncommitted work.
 */
export function watchSilence(pool: pg.Pool, connect: () => pg.Client): SilenceWatch {
  const clients = new Set<WaitingClient>();
  const read = new WeakMap<Socket, number>();
  let asker: pg.Client | undefined;
  let isProbing = false;
  let silent = 0;
  let left = 0;

  pool.on("connect", (client) => clients.add(client as unknown as WaitingClient));
  pool.on("remove", (client) => clients.delete(client as unknown as WaitingClient));

  /** Whether `client` received data since the last check. */
  function hasSpoken(client: pg.Client): boolean {
    const socket = socketOf(client);
    const before = read.get(socket) ?? 0;
    read.set(socket, socket.bytesRead);
    return socket.bytesRead > before;
  }

  function ask(): void {
    if (isProbing) return;
    isProbing = true;
    const wasThere = asker !== undefined;
    const answered = asker === undefined ? (asker = connect()).connect() : asker.query("select 1");
    answered
      .then(() => (isProbing = false))
      .catch((error: unknown) => {
        // A server that refuses is alive. A probe that was terminated meanwhile proves nothing.
        if (error instanceof pg.DatabaseError || wasThere || isOwnTrouble(error)) silent = 0;
        dismiss();
      });
  }

  function dismiss(): void {
    if (asker !== undefined) socketOf(asker).destroy();
    asker = undefined;
    isProbing = false;
  }

  function cut(): void {
    dismiss();
    for (const client of clients) socketOf(client).destroy();
  }

  function look(): void {
    const everybody: pg.Client[] = asker === undefined ? [...clients] : [...clients, asker];
    // Checks every connection, so that old data does not count as new next time.
    const spoken = everybody.filter(hasSpoken).length > 0;
    const someoneWaits = [...clients].some(({ isWaiting }) => isWaiting);
    silent = someoneWaits && !spoken && left === 0 ? silent + 1 : 0;
    if (!someoneWaits && !isProbing) dismiss();
    if (silent === silentLooks) ask();
    if (silent < lostLooks) return;
    silent = 0;
    cut();
  }

  const looking = setInterval(look, lookPause).unref();
  return {
    async leaving(work) {
      left += 1;
      try {
        return await work();
      } finally {
        left -= 1;
      }
    },
    cut,
    stop() {
      clearInterval(looking);
      dismiss();
    },
  };
}

function isOwnTrouble(error: unknown): boolean {
  return error instanceof Error && "code" in error && ownTroubles.test(String(error.code));
}

function socketOf(client: pg.Client): Socket {
  return client.connection.stream as Socket;
}
