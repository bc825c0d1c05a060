/** Whom a request counts for: the client that trusted proxies name, and of a client of IPv6 the network that is its own. */
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createAddressReader } from "../../src/http/request/client-address.ts";

const trusted = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];

test.each([
  ["127.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["198.51.100.7", "203.0.113.1", "198.51.100.7"],
  ["127.0.0.1", "203.0.113.1, 198.51.100.7, 10.1.2.3", "198.51.100.7"],
  ["::ffff:127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"],
  ["127.0.0.1", "unknown", "127.0.0.1"],
  ["127.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["127.0.0.1", "2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["127.0.0.1", "2001:0db8::1", "2001:db8:0:0::/64"],
  ["127.0.0.1", "2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
  ["127.0.0.1", "64:ff9b::198.51.100.7", "64:ff9b:0:0::/64"],
  ["fd00::1", "2001:db8:1:2::3", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "2001:db8::1", "fe80:0:0:0::/64"],
  ["::1", "", "0:0:0:0::/64"],
])("from %s, forwarded for %j: %s", (peer, forwarded, expected) => {
  const message = { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } };
  expect(createAddressReader(trusted)(message as unknown as IncomingMessage)).toBe(expected);
});
