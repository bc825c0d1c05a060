/** A listener closes within its time limit and answers the requests that it held, even if the primary process is stalled. */
import type { RequestListener } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { startListener } from "../../src/http/connection/listener.ts";
import { openRaw } from "../support/socket.ts";

const answer: RequestListener = (_request, response) => void response.end("told");

const never = new Promise<void>(() => {});

// Each takes the time that a stop allows.
test.concurrent.each([
  ["from the beginning", 0],
  ["after it has answered once", 1],
  ["when nothing is listened to any more", 3],
  ["while the other processes close", Number.POSITIVE_INFINITY],
])("where that stands still %s", async (_when, answers) => {
  let asked = 0;
  const arrived = async (): Promise<void> => {
    await (asked++ < answers ? nextTurn() : never);
  };
  const options = { host: "127.0.0.1", port: 0, refusedUnread: () => {} };
  const listener = await startListener(answer, { ...options, arrived, allClosed: () => never });
  const raw = await openRaw(listener.url);
  const begun = performance.now();
  const closing = listener.close();
  raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await raw.until(/told/)).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
  await closing;
  // The bound of a stop, with the waits for connections in transit (docs/operations.md).
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test("an answer is held until no process listens on the port: a client that has it connects again, to one that is about to close", async () => {
  const closed = Promise.withResolvers<void>();
  const options = { host: "127.0.0.1", port: 0, refusedUnread: () => {} };
  const listener = await startListener(answer, { ...options, allClosed: () => closed.promise });
  const raw = await openRaw(listener.url);
  const closing = listener.close();
  raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => openRaw(listener.url).then(({ socket }) => socket.destroy(), String)).toMatch("ECONNREFUSED");
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(raw.received()).toBe("");
  closed.resolve();
  expect(await raw.until(/told/, 2000)).toMatch(/connection: close/i);
  await closing;
});

test("a client that connects when the event loop has come to rest is accepted, and answered", async () => {
  const listener = await startListener(answer, { host: "127.0.0.1", port: 0, refusedUnread: () => {} });
  const closing = listener.close();
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  const raw = await openRaw(listener.url);
  raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await raw.until(/told/, 2000)).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
  await closing;
});
