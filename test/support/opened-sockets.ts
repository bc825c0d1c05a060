/** Counts the client sockets that this process opens, as Node itself tells of them: what a refusal must come before. */
import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** How many were opened while `work` ran. Each is destroyed before it connects, so that a guard that fails sends nothing either. */
export async function socketsDuring(work: () => Promise<unknown>): Promise<number> {
  let opened = 0;
  const count = (message: unknown): void => {
    opened += 1;
    (message as { socket: Socket }).socket.destroy();
  };
  diagnostics.subscribe("net.client.socket", count);
  try {
    await work();
  } finally {
    diagnostics.unsubscribe("net.client.socket", count);
  }
  return opened;
}
