/**
 * Backpressure on reading: pauses a connection while enough of its requests are queued, and feeds the parser in small
 * pieces, in turns with other connections (parse-budget.ts).
 */
import type { Socket } from "node:net";
import { awaitTurn, isTurnSpent, spend } from "./parse-budget.ts";
import { isClosing } from "./staged-close.ts";

/**
 * A read returns up to 64 kB, two thousand minimal requests, all of which Node's parser turns into objects of some
 * kilobytes each before it can be paused: a few hundred clients would fill the memory at 20 MB each. Pieces of this
 * size allow pausing in between. This costs a request some microseconds, because the parser no longer reads the socket
 * directly.
 */
const pieceBytes = 2048;

export interface Reading {
  /** Call when `isEnough` may have become true. */
  stopIfEnough(): void;
  /** Call when `isEnough` may have become false. */
  goOn(): void;
  /** Whether data is waiting for the parser. */
  hasMore(): boolean;
}

/** For a socket just accepted by Node's server. While it is paused, data already read waits here. */
export function boundReading(socket: Socket, isEnough: () => boolean): Reading {
  let rest: Buffer | undefined;
  const parse = parserOf(socket);
  // Node frees the parser of a connection that it detaches, as after CONNECT, and reuses it for another.
  const isOver = () => socket.destroyed || isClosing(socket);
  /** Whether `rest` waits for its turn. */
  let isHeld = false;
  const isStopped = () => isHeld || isEnough();
  const stopIfEnough = () => void (isStopped() && socket.pause());

  function hold(): void {
    isHeld = true;
    awaitTurn(() => {
      isHeld = false;
      if (isOver()) return;
      takeRest();
      if (rest === undefined && !isEnough() && !isPausedByNode(socket)) socket.resume();
    });
  }

  function canParse(): boolean {
    return !isOver() && !isPausedByNode(socket) && !isEnough();
  }

  function feed(bytes: Buffer): void {
    let from = 0;
    // The first piece at once: a small request does not wait for the long bodies of others.
    while (from < bytes.length && canParse() && (from === 0 || !isTurnSpent())) {
      const piece = bytes.length <= pieceBytes ? bytes : bytes.subarray(from, from + pieceBytes);
      spend(() => parse.call(socket, piece));
      from += pieceBytes;
    }
    if (from < bytes.length && !isOver()) rest = bytes.subarray(from);
    if (rest !== undefined && canParse()) hold();
    stopIfEnough();
  }

  function takeRest(): void {
    if (rest === undefined) return;
    const bytes = rest;
    rest = undefined;
    feed(bytes);
  }

  socket.off("data", parse).on("data", (bytes: Buffer) => {
    if (rest === undefined) feed(bytes);
    else rest = Buffer.concat([rest, bytes]);
  });
  // Node resumes reading after every request and response.
  socket.on("resume", () => {
    stopIfEnough();
    if (!socket.isPaused() && !isOver()) takeRest();
  });
  return {
    stopIfEnough,
    goOn: () => void (!isStopped() && socket.isPaused() && !isPausedByNode(socket) && socket.resume()),
    hasMore: () => rest !== undefined,
  };
}

function parserOf(socket: Socket): (piece: Buffer) => void {
  const [parse] = socket.listeners("data") as ((piece: Buffer) => void)[];
  if (parse === undefined) throw new Error("Node has no data listener on its socket, on which bounded reading depends");
  return parse;
}

/** Undocumented: Node resumes by itself after a response was flushed, and does not expect the parser to be busy. */
function isPausedByNode(socket: Socket): boolean {
  return Reflect.get(socket, "_paused") === true;
}
