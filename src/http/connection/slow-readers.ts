/** Disconnects slow clients: caps the memory of unread responses, and drops only clients that have stopped reading. */
import type { Socket } from "node:net";

/** Maximum bytes of all unread responses together. */
const mostUnreadBytes = 32 << 20;
/** Check interval, in milliseconds. */
const checkInterval = 100;
/**
 * Checks without progress, a second together, before a client counts as stuck. The kernel asks for more data only when a third of its
 * socket buffer of some megabytes is free, so a slow reader progresses in steps. Checks instead of time: a stalled process sent nothing.
 */
const patience = 10;

/**
 * Returns a function to call before each request. Above the cap, clients without progress since the last check are
 * disconnected, those with most unread data first, until the total is below the cap.
 */
export function watchSlowReaders(sockets: { keys(): Iterable<Socket> }): () => void {
  let checkedAt = 0;
  let isWatching = false;

  /** Records what each client has been sent, to find those without progress later. */
  function watch(): void {
    isWatching = true;
    const before = new Map<Socket, number>();
    for (const socket of sockets.keys()) if (socket.writableLength > 0) before.set(socket, sentBytes(socket));
    wait(before, patience);
  }

  function wait(before: ReadonlyMap<Socket, number>, checks: number): void {
    // Sockets are flushed between turns: setImmediate after the timer gives each its chance.
    const next = () => (checks > 1 ? wait(before, checks - 1) : disconnectStuck(before));
    setTimeout(() => setImmediate(next), checkInterval).unref();
  }

  function disconnectStuck(before: ReadonlyMap<Socket, number>): void {
    isWatching = false;
    let unread = unreadBytes(sockets);
    if (unread <= mostUnreadBytes) return;
    const stuck = [...before].flatMap(([socket, bytes]) => (sentBytes(socket) === bytes ? [socket] : []));
    for (const socket of stuck.toSorted((one, other) => other.writableLength - one.writableLength)) {
      if (unread <= mostUnreadBytes) return;
      unread -= socket.writableLength;
      socket.destroy();
    }
    if (unread > mostUnreadBytes) watch();
  }

  return () => {
    const now = performance.now();
    if (isWatching || now - checkedAt < checkInterval) return;
    checkedAt = now;
    if (unreadBytes(sockets) > mostUnreadBytes) watch();
  };
}

/** Memory held by responses in progress: each in full until its last byte is flushed. */
function unreadBytes(sockets: { keys(): Iterable<Socket> }): number {
  let bytes = 0;
  for (const { writableLength } of sockets.keys()) bytes += writableLength;
  return bytes;
}

/**
 * Rises as a client reads: the bytes that the kernel took of all responses, since the unsent ones of two equal responses are often equal.
 * Undocumented: Node itself uses `writeQueueSize` to tell slow from dead clients (`socket.setTimeout`). Without it, whole responses count.
 */
function sentBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const [written, queued]: unknown[] =
    typeof handle === "object" && handle !== null
      ? [Reflect.get(handle, "bytesWritten"), Reflect.get(handle, "writeQueueSize")]
      : [];
  return typeof written === "number" && typeof queued === "number" ? written - queued : -socket.writableLength;
}
