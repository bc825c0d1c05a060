/** How messages leave a channel: the table of transports. A further one is an entry here. */
interface Transport {
  /**
   * What a message is as soon as its change is committed: `sent` where nothing is left to do, `queued` where a network is spoken to
   * afterwards, never inside of the change.
   */
  readonly accepts: "sent" | "queued";
}

const table = {
  /** Keeps the message and hands it to nobody: for calls that people make, and for channels whose messages another tool sends. */
  log: { accepts: "sent" },
} as const satisfies Readonly<Record<string, Transport>>;

export type TransportName = keyof typeof table;

export const transportNames = Object.keys(table) as readonly TransportName[];

export const transports: Readonly<Record<TransportName, Transport>> = table;
