/** While a service starts: health is answered at once, other requests wait for it, a bounded number of them and a bounded time. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startListener } from "../../src/http/connection/listener.ts";
import { createStarting } from "../../src/http/starting.ts";
import { request } from "../support/client.ts";
import { openRaw } from "../support/socket.ts";

async function listenStarting(wait: number) {
  const starting = createStarting(wait);
  const listener = await startListener(starting.answer, { host: "127.0.0.1", port: 0, refusedUnread: () => {} });
  const served: string[] = [];
  return {
    url: listener.url,
    served,
    get: (path: string) => request(listener.url, { method: "GET", path }),
    begin() {
      const handler: Parameters<typeof listener.serve>[0] = ({ url }, response) => {
        served.push(url!);
        response.end("served");
      };
      listener.serve(handler);
      starting.release(handler);
    },
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

test("requests wait for the service, in their order; health does not", async () => {
  await using starting = await listenStarting(60_000);
  const waiting = [starting.get("/api/v1/me")];
  expect((await starting.get("/healthz")).status).toBe(200);
  expect((await starting.get("/readyz")).status).toBe(503);
  waiting.push(starting.get("/sign-in"));
  // A connection of its own comes after it.
  expect((await starting.get("/healthz")).status).toBe(200);
  starting.begin();
  expect((await Promise.all(waiting)).map(({ status, text }) => [status, text])).toEqual([
    [200, "served"],
    [200, "served"],
  ]);
  expect(starting.served).toEqual(["/api/v1/me", "/sign-in"]);
});

test("a request that has waited long enough is told to come again", async () => {
  await using starting = await listenStarting(50);
  const { status, headers, body } = await starting.get("/api/v1/me");
  expect([status, headers.get("retry-after"), body.request_id]).toEqual([503, "1", headers.get("x-request-id")]);
  starting.begin();
  expect([(await starting.get("/")).text, starting.served]).toEqual(["served", ["/"]]);
});

test("of 300 at once, 256 wait", async () => {
  await using starting = await listenStarting(60_000);
  const answers = Array.from({ length: 300 }, () => starting.get("/"));
  const refused = async () =>
    (await Promise.all(answers.map((answer) => Promise.race([answer, sleep(0, undefined)])))).filter(Boolean);
  await expect.poll(async () => (await refused()).length).toBe(44);
  starting.begin();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect([200, 503].map((status) => statuses.filter((one) => one === status).length)).toEqual([256, 44]);
});

test("a request whose client is gone is not begun", async () => {
  await using starting = await listenStarting(60_000);
  const raw = await openRaw(starting.url);
  raw.write("GET /gone HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const waiting = starting.get("/stays");
  expect((await starting.get("/healthz")).status).toBe(200);
  raw.socket.destroy();
  await expect.poll(async () => (await starting.get("/healthz")).status).toBe(200);
  starting.begin();
  await waiting;
  expect(starting.served).toContain("/stays");
  expect(starting.served).not.toContain("/gone");
});
