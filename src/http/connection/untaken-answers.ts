/** Bounds what the answers that clients do not take hold of the memory, all of them together. */
import type { Socket } from "node:net";

/** How much of all answers together may wait to be taken, in characters. */
const mostUntaken = 32 << 20;
/** How often that is looked at, in milliseconds. */
const lookPause = 100;

/** Gives what is to be called before each request is served: those who leave most are cut off when all leave too much together. */
export function watchUntaken(sockets: { keys(): Iterable<Socket> }): () => void {
  let looked = 0;
  return () => {
    const now = performance.now();
    if (now - looked < lookPause) return;
    looked = now;
    let untaken = 0;
    for (const { writableLength } of sockets.keys()) untaken += writableLength;
    if (untaken <= mostUntaken) return;
    for (const socket of [...sockets.keys()].toSorted((one, other) => other.writableLength - one.writableLength)) {
      if (untaken <= mostUntaken) return;
      untaken -= socket.writableLength;
      socket.destroy();
    }
  };
}
