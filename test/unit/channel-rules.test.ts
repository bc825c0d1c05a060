/** What fits together in a channel: its kind, its addresses, its transport, that one's URL and secret. */
import { describe, expect, it, test } from "vitest";
import { refuseFaults } from "../../src/crm/channels/channel.rules.ts";
import { channelTransports } from "../../src/crm/channels/transports/all.ts";
import type { ChannelConfiguration } from "../../src/crm/channels/transports/transports.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";

type Channel = ChannelConfiguration & { readonly transport: string };

const log: Channel = { kind: "email", address: "a@b.example", transport: "log", url: null, secret: null };
const smtp: Channel = { ...log, transport: "smtp", url: "smtps://mail.b.example" };
const http: Channel = { ...log, kind: "sms", address: "", transport: "http", url: "https://b.example/", secret: "s" };

function faultsOf(channel: Channel): Record<string, readonly string[]> {
  try {
    refuseFaults(channel, channelTransports.of(channel.transport));
    return {};
  } catch (error) {
    if (error instanceof Invalid) return error.errors;
    throw error;
  }
}

describe("a channel that fits", () => {
  it.each<[string, Channel]>([
    ["log", log],
    ["log without an address", { ...log, address: "" }],
    ["smtp", smtp],
    ["smtp with a user and a password", { ...smtp, url: "smtps://u@mail.b.example", secret: "p" }],
    ["smtp with an outbound address alone", { ...smtp, address: "", outboundAddress: "out@b.example" }],
    ["http", http],
    ["http for mail", { ...http, kind: "email" }],
    ["http in clear, which the guard judges", { ...http, url: "http://b.example" }],
  ])("%s", (_name, channel) => expect(faultsOf(channel)).toEqual({}));
});

test.each<[string, Channel, field: string, sentence: RegExp]>([
  ["no address", { ...log, address: "desk" }, "address", /must be a valid email address/],
  [
    "a second address of a phone",
    { ...http, inboundAddress: "a@b.example" },
    "inbound_address",
    /email channels alone/,
  ],
  ["log with a URL", { ...log, url: "https://b.example" }, "transport_url", /log has none/],
  ["log with a secret", { ...log, secret: "s" }, "transport_secret", /log has none/],
  ["smtp for texts", { ...smtp, kind: "sms", address: "" }, "transport", /smtp is for email channels alone/],
  ["smtp without a URL", { ...smtp, url: null }, "transport_url", /is required for the transport smtp/],
  ["smtp without an address", { ...smtp, address: "" }, "address", /is required for the transport smtp/],
  ["smtp to the web", { ...smtp, url: "https://b.example" }, "transport_url", /must be smtp:/],
  [
    "smtp with a password in the URL",
    { ...smtp, url: "smtp://u:p@b.example" },
    "transport_url",
    /not carry a password/,
  ],
  ["smtp with a user alone", { ...smtp, url: "smtp://u@b.example" }, "transport_secret", /names a user/],
  ["smtp with a password alone", { ...smtp, secret: "p" }, "transport_url", /must name the user/],
  ["http without a URL", { ...http, url: null }, "transport_url", /is required for the transport http/],
  ["http to a mail server", { ...http, url: "smtp://b.example" }, "transport_url", /must be a valid https:/],
])("%s is refused on its field", (_name, channel, field, sentence) => {
  const faults = faultsOf(channel);
  expect(Object.keys(faults)).toEqual([field]);
  expect(faults[field]![0]).toMatch(sentence);
  expect(JSON.stringify(faults)).not.toContain("u:p@");
});
