/** A live stream on its own: what it sends, and a client that does not read. */
import { expect, test } from "vitest";
import { createLiveStream } from "../../src/pages/live/live-stream.ts";

function open() {
  const disconnected: true[] = [];
  const stream = createLiveStream(() => void disconnected.push(true));
  return { stream, disconnected };
}

test("a message is a noun and an id; the last one of an event has its position", () => {
  const { stream } = open();
  stream.send(
    [
      ["contact", 7],
      ["conversation", 3],
    ],
    41,
  );
  stream.send([["hook", 5]], null);
  stream.send([], 42);
  stream.ready(42);
  stream.reload(43);
  stream.beat();
  expect(String(stream.body.read()).replace(/retry: [2-5]\d{3}/, "retry: N")).toBe(
    "retry: N\n\nevent: contact\ndata: 7\n\nid: 41\nevent: conversation\ndata: 3\n\nevent: hook\ndata: 5\n\n" +
      "id: 42\nevent: ready\ndata: 42\n\nid: 43\nevent: reload\ndata: 43\n\n:\n\n",
  );
});

test("a client that has not read 64 KiB is disconnected, and nothing more is kept for it", () => {
  const { stream, disconnected } = open();
  let sent = 0;
  for (; disconnected.length === 0; sent++) stream.send([["contact", sent]], sent);
  expect(sent * "id: 1000\nevent: contact\ndata: 1000\n\n".length).toBeGreaterThan(60 << 10);
  for (let more = 0; more < 5000; more++) stream.send([["contact", more]], more);
  stream.end();
  expect([disconnected.length, stream.body.destroyed, stream.body.readableLength <= 66 << 10]).toEqual([1, true, true]);
});
