/**
 * Concurrent clients that read at full speed, in a separate process so that they do not delay the measuring one. Arguments: `url`, path,
 * key, number of clients, and requests per client. Prints one line of JSON at the end.
 */
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

/** The results of all requests; bytes are those of the bodies. */
export interface ReadersReport {
  readonly answers: number;
  readonly statuses: readonly number[];
  /** The bytes of the smallest and the largest body. */
  readonly smallest: number;
  readonly largest: number;
  /** Milliseconds. */
  readonly slowest: number;
}

const [url = "", path = "", key = "", count = "1", times = "1"] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n\r\n`;

/** Reads one response to its end, and keeps only its head. */
function read(socket: Socket): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    let head = "";
    let left = -1;
    const cutOff = (): void => reject(new Error(`cut off with ${left} bytes left`));
    socket.once("close", cutOff);
    socket.on("data", function take(chunk: Buffer) {
      let body = chunk.length;
      if (left < 0) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        body = head.length - end - 4;
        head = head.slice(0, end);
        left = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      }
      left -= body;
      if (left > 0) return;
      socket.off("data", take).off("close", cutOff);
      resolve({
        status: Number(head.split(" ")[1]),
        bytes: Number(/^content-length: (\d+)$/im.exec(head)?.[1]),
      });
    });
  });
}

const answers: { status: number; bytes: number; milliseconds: number }[] = [];

async function ask(): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  for (let time = 0; time < Number(times); time++) {
    const begun = performance.now();
    socket.write(request);
    answers.push({ ...(await read(socket)), milliseconds: performance.now() - begun });
  }
  socket.destroy();
}

await Promise.all(Array.from({ length: Number(count) }, ask));
const sizes = answers.map(({ bytes }) => bytes);
const report: ReadersReport = {
  answers: answers.length,
  statuses: [...new Set(answers.map(({ status }) => status))],
  smallest: Math.min(...sizes),
  largest: Math.max(...sizes),
  slowest: Math.max(...answers.map(({ milliseconds }) => milliseconds)),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
