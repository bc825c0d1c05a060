/** Sends messages by the transports of their channels. Each transport is opened with its first message. */
import { channelTransports } from "./all.ts";
import type { Attempt, OutgoingMessage, TransportAccess, TransportSender } from "./transport.ts";
import type { SenderDeps } from "./transports.ts";

export interface Senders {
  /** Resolves within about a minute. Throws the reason of `signal`, and for a transport that sends nothing. */
  send(transport: string, message: OutgoingMessage, access: TransportAccess, signal: AbortSignal): Promise<Attempt>;
  /** Closes the connections that are kept open. */
  close(): Promise<void>;
}

export function createSenders(deps: SenderDeps, transports = channelTransports): Senders {
  const opened = new Map<string, Promise<TransportSender>>();
  function senderOf(name: string): Promise<TransportSender> {
    const transport = transports.of(name);
    if (transport.accepts === "sent") throw new Error(`the transport ${name} sends nothing`);
    const sender = opened.get(name) ?? transport.open(deps);
    opened.set(name, sender);
    return sender;
  }
  return {
    send: async (transport, message, access, signal) => (await senderOf(transport)).send(message, access, signal),
    async close() {
      await Promise.all([...opened.values()].map(async (sender) => (await sender).close()));
    },
  };
}
