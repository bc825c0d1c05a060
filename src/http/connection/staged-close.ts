/**
 * Lingering close: closes a connection in stages, so that the last response arrives although the client is still
 * sending.
 */
import type { Socket } from "node:net";

/**
 * How long a client may continue to send after its last response, in milliseconds, and how many bytes of it are read.
 */
const lingeringTime = 2000;
const lingeringBytes = 1_048_576;

const closing = new WeakSet<Socket>();

/**
 * Half-closes, then waits until the client closes or a timeout. Closing with unread data sends a reset, which destroys
 * the response in transit (RFC 9112, 9.6). Further input is discarded; clients that read only after sending everything
 * are supported up to `lingeringBytes`.
 */
export function closeInStages(socket: Socket): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), lingeringTime);
    socket.once("close", () => clearTimeout(timer));
  });
  let bytes = 0;
  // Nothing is parsed from here on.
  socket.removeAllListeners("data").on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > lingeringBytes) socket.pause();
  });
  socket.resume();
}

/** Whether the connection is closing. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}
