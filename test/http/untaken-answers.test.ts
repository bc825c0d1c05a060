/** The memory of unread responses is bounded in total, and a client that keeps reading gets its whole response, however slowly. */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchSlowReaders } from "../../src/http/connection/slow-readers.ts";

const megabyte = 1 << 20;
/** Far more than the system keeps for both ends of a connection. */
const answer = Buffer.alloc(24 * megabyte, "x");

let server: Server;
/** How often it is sent to each. */
let times: number;
let looking: NodeJS.Timeout;
const served = new Set<Socket>();
const clients: Socket[] = [];

beforeEach(async () => {
  times = 1;
  server = createServer((socket) => {
    served.add(socket);
    socket.on("error", () => {}).once("close", () => served.delete(socket));
    for (let sent = 0; sent < times; sent++) socket.write(answer);
    socket.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // Others ask all the time, and each request looks.
  looking = setInterval(watchSlowReaders(served), 10);
});
afterEach(async () => {
  clearInterval(looking);
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  await once(server, "close");
});

async function open(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  clients.push(client.pause());
  client.on("error", () => {});
  await once(client, "connect");
  return client;
}

/** How many bytes come, read in pieces of up to `size` with `pause` milliseconds between them. */
async function read(client: Socket, size: number, pause: number): Promise<number> {
  let taken = 0;
  let isOver = false;
  client.once("end", () => (isOver = true)).once("close", () => (isOver = true));
  while (!isOver) {
    // Less than a whole piece is given only once there will be no more.
    const piece = client.read(Math.min(size, Math.max(client.readableLength, 1))) as Buffer | null;
    taken += piece?.length ?? 0;
    await sleep(pause);
  }
  return taken;
}

/** The same of a new client that reads all as soon as it comes: paced reading of many connections in one process is slow on a busy machine. */
async function readAtOnce(): Promise<number> {
  const client = await open();
  client.resume();
  await once(client, "close");
  return client.bytesRead;
}

const leftAlone = (): number => [...served].reduce((bytes, { writableLength }) => bytes + writableLength, 0);

test("whoever reads at full speed is never cut off, however much is left at a time", async () => {
  // Takes several times the timeout of clients that read nothing.
  times = 20;
  const taken = await Promise.all(Array.from({ length: 3 }, readAtOnce));
  expect(taken).toEqual(Array.from({ length: 3 }, () => times * answer.length));
});

test("those who take nothing are cut off until the rest is bearable, and a slow reader among them is not", async () => {
  const [slow] = await Promise.all(Array.from({ length: 5 }, open));
  await expect.poll(() => served.size).toBe(5);
  expect(leftAlone()).toBeGreaterThan(4 * answer.length);
  // Some megabytes a second: reading takes longer than the timeout of clients that read nothing.
  const taking = read(slow!, 64 << 10, 10);
  await expect.poll(leftAlone, { timeout: 10_000 }).toBeLessThan(32 * megabyte);
  expect(served.size).toBe(1);
  expect(await taking).toBe(answer.length);
});
