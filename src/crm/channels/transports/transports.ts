/** How messages leave a channel: the table of transports. A further one is an entry here, and one in senders.ts. */
import type { ChannelKind } from "../../../vocabulary/states.ts";

interface Transport {
  /**
   * What a message is as soon as its change is committed: `sent` where nothing is left to do, `queued` where a network is spoken to
   * afterwards, never inside of the change.
   */
  readonly accepts: "sent" | "queued";
  /** The kinds of channels that it can serve; null: all. */
  readonly kinds: readonly ChannelKind[] | null;
  /** What its secret is: nothing, the password of the URL's user, or what signs, which is made where none is given. */
  readonly secret: "none" | "password" | "signing";
}

const table = {
  /** Keeps the message and hands it to nobody: for calls that people make, and for channels whose messages another tool sends. */
  log: { accepts: "sent", kinds: null, secret: "none" },
  /** A mail server. */
  smtp: { accepts: "queued", kinds: ["email"], secret: "password" },
  /** A gateway that the user runs: it is posted to, and tells what became of it. */
  http: { accepts: "queued", kinds: null, secret: "signing" },
} as const satisfies Readonly<Record<string, Transport>>;

export type TransportName = keyof typeof table;

/** Those that speak to a network. */
export type NetworkTransport = Exclude<TransportName, "log">;

export const transportNames = Object.keys(table) as readonly TransportName[];

export const transports: Readonly<Record<TransportName, Transport>> = table;
