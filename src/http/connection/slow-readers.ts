/** Bounds what untaken answers hold of the memory, all of them together, and cuts nobody off who takes his own. */
import type { Socket } from "node:net";

/** How much of all answers together may wait to be taken, in bytes. */
const mostUntaken = 32 << 20;
/** How often that is looked at, in milliseconds. */
const lookPause = 100;
/**
 * How long nothing of an answer must go out before its client is one that takes nothing, in milliseconds. The system asks for more
 * only when a third of its buffer of some megabytes is free, so that a slow reader shows in steps.
 */
const patience = 1000;

/**
 * Gives what is to be called before each request is served. When all leave too much together, those who took nothing of
 * their answer since the last look are cut off, who left most first, until the rest is bearable.
 */
export function watchSlowReaders(sockets: { keys(): Iterable<Socket> }): () => void {
  let looked = 0;
  let isWatching = false;

  /** Remembers what everybody leaves, and comes back to see who left it all. */
  function watch(): void {
    isWatching = true;
    const before = new Map<Socket, number>();
    for (const socket of sockets.keys()) if (socket.writableLength > 0) before.set(socket, unsentBytes(socket));
    // Answers go out between two turns: the turn that follows the timer has given every socket its chance.
    setTimeout(() => setImmediate(judge, before), patience).unref();
  }

  function judge(before: ReadonlyMap<Socket, number>): void {
    isWatching = false;
    let untaken = untakenBytes(sockets);
    if (untaken <= mostUntaken) return;
    const stuck = [...before].flatMap(([socket, bytes]) => (unsentBytes(socket) === bytes ? [socket] : []));
    for (const socket of stuck.toSorted((one, other) => other.writableLength - one.writableLength)) {
      if (untaken <= mostUntaken) return;
      untaken -= socket.writableLength;
      socket.destroy();
    }
    if (untaken > mostUntaken) watch();
  }

  return () => {
    const now = performance.now();
    if (isWatching || now - looked < lookPause) return;
    looked = now;
    if (untakenBytes(sockets) > mostUntaken) watch();
  };
}

/** What the answers on their way hold of the memory: all of each, until its last byte went out. */
function untakenBytes(sockets: { keys(): Iterable<Socket> }): number {
  let bytes = 0;
  for (const { writableLength } of sockets.keys()) bytes += writableLength;
  return bytes;
}

/**
 * What has not gone out yet, which falls as a client reads. Undocumented: Node itself looks at it to tell a slow client from one that is
 * gone (`socket.setTimeout`). Should it not be there, whole answers count.
 */
function unsentBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const size: unknown =
    typeof handle === "object" && handle !== null ? Reflect.get(handle, "writeQueueSize") : undefined;
  return typeof size === "number" ? size : socket.writableLength;
}
