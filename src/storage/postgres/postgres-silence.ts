/** Notices a PostgreSQL that stands still, or that a line has gone silent: neither ends a connection, so nothing else would. */
import type { Socket } from "node:net";
import pg from "pg";

/** Looks are counted, not time: between two of them the event loop has read what had come, however late it was. */
const lookPause = 250;
/** After so many looks at a server that says nothing to those who wait, it is asked something that takes no time. */
const silentLooks = 2;
/** After so many it is given up. With the patience for a new connection a request stays below five seconds. */
const lostLooks = 8;

/** That this process gets no connection of its own: nothing is known of the server. */
const ownTroubles = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL|EAI_AGAIN)$/;

/** A connection that knows whether it waits for an answer. */
export interface WaitingClient extends pg.Client {
  readonly isWaiting: boolean;
}

export interface SilenceWatch {
  /** Cuts nobody while `work` runs: nobody waits for five seconds where the schema changes, and half of that is nothing. */
  leaving<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Cuts all connections. */
  cut(): void;
  stop(): void;
}

/**
 * Watches the connections of `pool`. A statement that takes long, or waits for a lock, is left alone as long as the server
 * answers a question on a connection of its own (`connect` makes it). Where nothing answers, all connections are cut: what
 * waits fails as a lost connection does, and the server rolls back what it had not been told to commit.
 */
export function watchSilence(pool: pg.Pool, connect: () => pg.Client): SilenceWatch {
  const clients = new Set<WaitingClient>();
  const read = new WeakMap<Socket, number>();
  let asker: pg.Client | undefined;
  let asked = false;
  let silent = 0;
  let left = 0;

  pool.on("connect", (client) => clients.add(client as unknown as WaitingClient));
  pool.on("remove", (client) => clients.delete(client as unknown as WaitingClient));

  /** Whether anything came from the server on `client` since the last look. */
  function hasSpoken(client: pg.Client): boolean {
    const socket = socketOf(client);
    const before = read.get(socket) ?? 0;
    read.set(socket, socket.bytesRead);
    return socket.bytesRead > before;
  }

  function ask(): void {
    if (asked) return;
    asked = true;
    const wasThere = asker !== undefined;
    const answered = asker === undefined ? (asker = connect()).connect() : asker.query("select 1");
    answered
      .then(() => (asked = false))
      .catch((error: unknown) => {
        // A server that refuses is there all the same. A connection that somebody had ended meanwhile says nothing of it.
        if (error instanceof pg.DatabaseError || wasThere || isOwnTrouble(error)) silent = 0;
        dismiss();
      });
  }

  function dismiss(): void {
    if (asker !== undefined) socketOf(asker).destroy();
    asker = undefined;
    asked = false;
  }

  function cut(): void {
    dismiss();
    for (const client of clients) socketOf(client).destroy();
  }

  function look(): void {
    const everybody: pg.Client[] = asker === undefined ? [...clients] : [...clients, asker];
    // Each is looked at, so that nothing old counts as news the next time.
    const spoken = everybody.filter(hasSpoken).length > 0;
    const someoneWaits = [...clients].some(({ isWaiting }) => isWaiting);
    silent = someoneWaits && !spoken && left === 0 ? silent + 1 : 0;
    if (!someoneWaits && !asked) dismiss();
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
