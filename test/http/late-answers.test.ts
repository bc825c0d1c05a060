/** A connection without progress is closed, unless its client waits for an answer that has not begun. */
import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startListener } from "../../src/http/connection/listener.ts";
import type { Listener } from "../../src/http/connection/listener.ts";

/** In milliseconds, instead of the minute that a connection has. */
const patience = 50;
const begin = "HTTP/1.1 200 OK";

/** What happens when the connection has made no progress for that long, by path. */
const late: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/queued": (response) => response.end("late"),
  "/begun": () => {},
  "/half": () => {},
};
const handler: RequestListener = (request, response) => {
  const { socket, url = "" } = request;
  socket.setTimeout(patience);
  socket.once("timeout", () => late[url]!(response));
  if (url === "/begun") response.writeHead(200, { "content-length": 4 }).flushHeaders();
};

let listener: Listener;
beforeAll(async () => {
  listener = await startListener(handler, { host: "127.0.0.1", port: 0, refusedUnread: () => {} });
});
afterAll(() => listener.close());

async function send(request: string): Promise<Socket> {
  const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(request);
  return socket;
}

test.each([
  ["waits for its turn", "GET /queued HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", [begin, "late"]],
  ["has got a part", "GET /begun HTTP/1.1\r\nhost: a\r\n\r\n", [begin, ""]],
  ["has sent half of its request", "POST /half HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nab", ["", undefined]],
])("of one that %s", async (_what, request, [line, body]) => {
  const socket = await send(request);
  const [head, rest] = (await buffer(socket)).toString().split("\r\n\r\n");
  expect([head!.split("\r\n")[0], rest]).toEqual([line, body]);
});
