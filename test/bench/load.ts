/**
 * The load generator, a process of its own: keeps a number of keep-alive connections busy for a while and counts the
 * answers. Hand-written sockets, so that a core is left to what is measured.
 */
import { connect } from "node:net";
import type { Socket } from "node:net";

/** One slice of load. It ends when `seconds` are over and every request that was sent is answered. */
export interface Slice {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Whole requests as text, taken in turn. `{serial}` becomes a number of seven digits that no other request carries. */
  readonly requests: readonly string[];
  /** The first `{serial}`. */
  readonly serial: number;
  /** The status that every answer must have. */
  readonly status: number;
}

export interface Measured {
  readonly answers: number;
  readonly seconds: number;
  readonly nextSerial: number;
}

const headEnd = Buffer.from("\r\n\r\n");

/** Sends requests one after another over one connection for as long as `next` gives any. Rejects at the first wrong answer. */
function keepBusy(port: number, status: number, next: () => Buffer | undefined, answered: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0);
    /** Bytes of the body that are yet to come; undefined while the head is read. */
    let missing: number | undefined;
    const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true });

    function send(): void {
      const request = next();
      if (request === undefined) {
        socket.end();
        resolve();
      } else {
        socket.write(request);
      }
    }

    function readHead(): void {
      const end = head.indexOf(headEnd);
      if (end < 0) return;
      const text = head.toString("latin1", 0, end);
      if (!text.startsWith(`HTTP/1.1 ${status} `)) {
        socket.destroy();
        reject(new Error(`expected ${status}, not: ${head.toString("utf8", 0, 500)}`));
        return;
      }
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (length === undefined) {
        socket.destroy();
        reject(new Error(`an answer without content-length: ${text}`));
        return;
      }
      missing = Number(length) - (head.length - end - headEnd.length);
      head = Buffer.alloc(0);
    }

    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      if (missing === undefined) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        readHead();
      } else {
        missing -= chunk.length;
      }
      if (missing !== 0) return;
      missing = undefined;
      answered();
      send();
    });
  });
}

async function run({ port, connections, seconds, requests, serial, status }: Slice): Promise<Measured> {
  const needsSerial = requests.some((request) => request.includes("{serial}"));
  const prepared = needsSerial ? [] : requests.map((request) => Buffer.from(request));
  const started = performance.now();
  const until = started + seconds * 1000;
  let sent = 0;
  let answers = 0;
  let nextSerial = serial;

  function next(): Buffer | undefined {
    if (performance.now() >= until) return undefined;
    if (!needsSerial) return prepared[sent++ % requests.length];
    // By the serial, so that the next slice goes on where this one ends: what was changed already would not change again.
    const number = nextSerial++;
    return Buffer.from(requests[number % requests.length]!.replaceAll("{serial}", String(number)));
  }
  await Promise.all(Array.from({ length: connections }, () => keepBusy(port, status, next, () => answers++)));
  return { answers, seconds: (performance.now() - started) / 1000, nextSerial };
}

process.on("message", (slice: Slice) => {
  run(slice).then(
    (measured) => process.send!({ measured }),
    (error: unknown) => process.send!({ failure: String(error) }),
  );
});
// The parent process has ended: no orphan is left running.
process.on("disconnect", () => process.exit());
