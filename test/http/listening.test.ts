/** What cannot be listened at is refused with the reason and what to change, and nothing else is listened at instead. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { sentenceOf } from "../../src/http/connection/listen-faults.ts";
import { startListener } from "../../src/http/connection/listener.ts";
import { freePort } from "../support/free-port.ts";

const other = createServer();
let taken: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  taken = (other.address() as AddressInfo).port;
});
afterAll(() => void other.close());

async function listen(host: string, port: number): Promise<string> {
  const listener = await startListener(() => {}, { host, port, refusedUnread: () => {} });
  await listener.close();
  return listener.url;
}

it.each<[string, string, () => number, RegExp]>([
  ["a port that is taken", "127.0.0.1", () => taken, /^Port \d+ of 127\.0\.0\.1 is in use by another program/],
  // From a block reserved for documentation: no host has this address (RFC 5737).
  ["somebody else's address", "203.0.113.7", () => 0, /^203\.0\.113\.7 is not an address of this machine: .*CRM_HOST/],
  ["somebody else's address and port", "203.0.113.7", () => taken, /^203\.0\.113\.7 is not an address of this machine/],
  ["a name that is none", "nowhere.invalid", () => 0, /^nowhere\.invalid does not resolve to an address/],
  ["a port that browsers refuse", "127.0.0.1", () => 6000, /^Port 6000 is reserved for another protocol.*CRM_PORT/],
])("%s", async (_what, host, port, sentence) => {
  await expect(listen(host, port())).rejects.toThrow(sentence);
});

it.each(["127.0.0.1", "localhost", "0.0.0.0", "::1"])("any free port of %s", async (host) => {
  expect(await listen(host, 0)).toMatch(/^http:\/\/\S+:\d+$/);
});

test("a port is listened on once, by the server that stays: a client that connects to one that closes loses its request", async () => {
  const port = await freePort();
  const begun: unknown[] = [];
  const note = (message: unknown) => void begun.push((message as { readonly options: unknown }).options);
  subscribe("tracing:net.server.listen:asyncStart", note);
  await listen("127.0.0.1", port).finally(() => unsubscribe("tracing:net.server.listen:asyncStart", note));
  expect(begun).toEqual([expect.objectContaining({ port })]);
});

// Not every machine has a port that its user may not take.
test.each([
  ["EACCES", "Port 80 needs privileges that this user lacks: choose a port above 1023 (--port, CRM_PORT)."],
  ["EAFNOSUPPORT", "::1 is not an address of this machine: choose one that is, or 0.0.0.0 for all (--host, CRM_HOST)."],
  ["EAI_AGAIN", "::1 does not resolve to an address: choose another (--host, CRM_HOST)."],
  ["EINVAL", "Cannot listen on port 80 of ::1 (EINVAL): check --host and --port."],
])("%s is told in one sentence", (code, sentence) => expect(sentenceOf(code, "::1", 80)).toBe(sentence));
