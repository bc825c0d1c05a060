/** Closes a connection in stages, so that the last answer arrives also where the client goes on sending. */
import type { Socket } from "node:net";

/** How long a client may go on sending after its last answer, in milliseconds, and how much of that is read, in bytes. */
const lingeringTime = 2000;
const lingeringBytes = 1_048_576;

const closing = new WeakSet<Socket>();

/**
 * Ends our side, and waits until the client ends its own or its time is over. A connection that is closed with
 * something unread is reset, and the reset takes the answer with it (RFC 9112, 9.6). What still comes is dropped; those
 * who read only when they have sent all are helped as far as `lingeringBytes`.
 */
export function closeInStages(socket: Socket): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), lingeringTime);
    socket.once("close", () => clearTimeout(timer));
  });
  let bytes = 0;
  // From here on nothing is parsed.
  socket.removeAllListeners("data").on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > lingeringBytes) socket.pause();
  });
  socket.resume();
}

/** Whether nothing is answered on this connection any more. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}
