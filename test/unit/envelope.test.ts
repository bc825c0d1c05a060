/** The envelope of an event is put around the frozen text of its data, byte for byte. */
import { expect, it, test } from "vitest";
import { toEnvelope } from "../../src/events/envelope.ts";

const created_at = Date.UTC(2026, 2, 1, 12, 0, 0, 7);

it("carries id, event, created_at and data, in this order and nothing else", () => {
  expect(toEnvelope({ id: 7, event: "note.added", created_at, data: '{"body":"Hello"}' })).toBe(
    '{"id":7,"event":"note.added","created_at":"2026-03-01T12:00:00.007Z","data":{"body":"Hello"}}',
  );
});

test.each([
  ["a number that a parser would round", '{"amount":0.10000000000000000001}'],
  ["blanks and line breaks", '{ "a" :\n 1 }'],
  ["one member twice", '{"a":1,"a":2}'],
  ["escapes", '{"a":"\\u00e9\\/"}'],
])("leaves the bytes of data as they were frozen: %s", (_what, data) => {
  const text = toEnvelope({ id: 1, event: "ping", created_at, data });
  expect(text.slice(text.indexOf('"data":') + '"data":'.length, -1)).toBe(data);
  expect(JSON.parse(text)).toMatchObject({ id: 1, event: "ping" });
});
