/** One open stream of server-sent events: ids of changed records, never data. A client that stops reading is disconnected. */
import { Readable } from "node:stream";
import type { LiveRecord } from "./log-changes.ts";

/** The most bytes that wait for a client. */
const mostUnread = 64 << 10;

/** After how many milliseconds a browser reconnects, and how much it is spread: all clients of a stopped process come at once otherwise. */
const reconnectAfter = 2000;
const reconnectJitter = 3000;

export interface LiveStream {
  readonly body: Readable;
  /** Sends the records with the position of their event; null for records that are not in the event log. */
  send(records: readonly LiveRecord[], position: number | null): void;
  /** Tells the position from which the stream continues. */
  ready(position: number): void;
  /** Tells the page to load again: too much was missed. */
  reload(position: number): void;
  /** A comment keeps proxies from closing the connection. */
  beat(): void;
  /** Ends the response; the browser reconnects. */
  end(): void;
}

/** `disconnect` closes the connection of a client that does not read. */
export function createLiveStream(disconnect: () => void): LiveStream {
  const body = new Readable({ read() {} });

  function write(text: string): void {
    if (body.destroyed || body.readableEnded) return;
    body.push(text);
    if (body.readableLength <= mostUnread) return;
    disconnect();
    body.destroy();
  }

  write(`retry: ${reconnectAfter + Math.floor(Math.random() * reconnectJitter)}\n\n`);
  return {
    body,
    send(records, position) {
      // The position stands last: after a disconnection in the middle, the whole change is sent again.
      const messages = records.map(([noun, id]) => `event: ${noun}\ndata: ${id}\n`);
      const last = messages.pop();
      if (last === undefined) return;
      write([...messages, position === null ? last : `id: ${position}\n${last}`].map((one) => `${one}\n`).join(""));
    },
    ready: (position) => write(`id: ${position}\nevent: ready\ndata: ${position}\n\n`),
    reload: (position) => write(`id: ${position}\nevent: reload\ndata: ${position}\n\n`),
    beat: () => write(":\n\n"),
    end() {
      if (!body.destroyed && !body.readableEnded) body.push(null);
    },
  };
}
