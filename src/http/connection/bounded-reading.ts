/** Reads requests only as far as they are served: not on while enough wait, and never a whole read at once. */
import type { Socket } from "node:net";
import { isClosing } from "./staged-close.ts";

/**
 * One read brings up to 64 kB, two thousand of the smallest requests, and Node's parser makes objects of all of them, some
 * kilobytes each, before anybody can tell it to stop: a few hundred clients would fill the memory with 20 MB. In pieces of this
 * size it can be told. That costs a request some microseconds, since the parser does not read the socket by itself any more.
 */
const pieceBytes = 2048;

export interface Reading {
  /** To be called when `isEnough` may have become true. */
  stopIfEnough(): void;
  /** To be called when `isEnough` may have become false. */
  goOn(): void;
  /** Whether something was read that the parser has not been given. */
  hasMore(): boolean;
}

/** For a socket that Node's server has just taken. While the socket is paused, what was read of it waits here. */
export function boundReading(socket: Socket, isEnough: () => boolean): Reading {
  let rest: Buffer | undefined;
  const parse = parserOf(socket);
  // Node frees the parser of a connection that it gives up, as after CONNECT, and hands it to another one.
  const isOver = () => socket.destroyed || isClosing(socket);
  const stopIfEnough = () => void (isEnough() && socket.pause());

  function feed(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length && !isOver() && !socket.isPaused() && !isPausedByNode(socket) && !isEnough()) {
      parse.call(socket, bytes.length <= pieceBytes ? bytes : bytes.subarray(from, from + pieceBytes));
      from += pieceBytes;
    }
    if (from < bytes.length && !isOver()) rest = bytes.subarray(from);
    stopIfEnough();
  }

  socket.off("data", parse).on("data", (bytes: Buffer) => {
    if (rest === undefined) feed(bytes);
    else rest = Buffer.concat([rest, bytes]);
  });
  // Node by itself reads on after every request and every answer.
  socket.on("resume", () => {
    stopIfEnough();
    if (rest === undefined || socket.isPaused() || isOver()) return;
    const bytes = rest;
    rest = undefined;
    feed(bytes);
  });
  return {
    stopIfEnough,
    goOn: () => void (!isEnough() && socket.isPaused() && !isPausedByNode(socket) && socket.resume()),
    hasMore: () => rest !== undefined,
  };
}

function parserOf(socket: Socket): (piece: Buffer) => void {
  const [parse] = socket.listeners("data") as ((piece: Buffer) => void)[];
  if (parse === undefined) throw new Error("Node does not read this connection as it did when this was written");
  return parse;
}

/** Undocumented: Node waits until an answer is taken, goes on by itself, and does not expect to parse meanwhile. */
function isPausedByNode(socket: Socket): boolean {
  return Reflect.get(socket, "_paused") === true;
}
