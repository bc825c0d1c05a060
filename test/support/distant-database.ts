/** A PostgreSQL that seems far away: a line on loopback that takes its time in each direction, and counts the journeys. */
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface DistantDatabase extends AsyncDisposable {
  /** The same database, over the line. */
  readonly url: string;
  /** The number of round trips since the last call. */
  journeys(): number;
}

/** Not counted: the notification of other processes about a commit is sent later, without waiting. */
const uncounted = "notify ";

/** `delay`: milliseconds each way. */
export async function moveAway(url: string, { delay }: { delay: number }): Promise<DistantDatabase> {
  const near = new URL(url);
  const sockets = new Set<Socket>();
  let counted = 0;

  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: near.hostname, port: Number(near.port || 5432), noDelay: true });
    let isWaiting = false;
    carry(client, database, (chunk) => {
      if (chunk.includes(uncounted)) return;
      if (!isWaiting) counted += 1;
      isWaiting = true;
    });
    carry(database, client, () => (isWaiting = false));
  });

  function carry(from: Socket, to: Socket, seen: (chunk: Buffer) => void): void {
    sockets.add(from);
    from.on("data", (chunk: Buffer) => {
      seen(chunk);
      if (delay === 0) to.write(chunk);
      else setTimeout(() => to.write(chunk), delay);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroySoon();
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const far = new URL(url);
  far.hostname = "127.0.0.1";
  far.port = String((server.address() as AddressInfo).port);
  return {
    url: far.href,
    journeys() {
      const since = counted;
      counted = 0;
      return since;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
