/** POST and PATCH /channels, and rotating and testing one (extension): secrets go in and never come out. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { made, unique } from "../support/given.ts";
import { request } from "../support/client.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const gateway = {
  kind: "sms",
  name: "Texts",
  transport: "http",
  transport_url: "https://192.0.3.1/send",
  transport_secret: "a-secret-of-a-gateway-that-signs",
};
const log = { kind: "email", name: "Front desk", address: "desk@example.com" };
const create = (world: World, fields: object = log) =>
  made(world.send("owner", "POST", "/channels", { location_id: world.north, ...fields }));

contract("createChannel", [
  row({
    name: "returns the inbound URL, at which messages come in",
    send: ({ north }) => ["POST", "/channels", { location_id: north, ...log, name: "Desk" }],
    expect: { status: 201, body: { kind: "email", name: "Desk", status: "active", inbound_address: log.address } },
    async afterwards(world, _given, { id, inbound_url: url }) {
      const sent = { from: `ada${unique()}@example.com`, body: "Hello" };
      const path = new URL(url).pathname;
      expect((await request(world.url, { method: "POST", path, body: sent })).status).toBe(201);
      const listed = await world.send("owner", "GET", `/channels?location_id=${world.north}`);
      expect(listed.text).toContain(`"id":${id},`);
      expect(listed.text).not.toContain("inbound_url");
    },
  }),
  row({
    name: "a given secret comes out of no answer",
    send: ({ north }) => ["POST", "/channels", { location_id: north, ...gateway }],
    expect: { status: 201, body: { name: "Texts" } },
    async afterwards(world, _given, body) {
      const listed = await world.send("owner", "GET", `/channels?location_id=${world.north}`);
      expect(JSON.stringify(body) + listed.text).not.toContain(gateway.transport_secret);
    },
  }),
  row({
    name: "a generated secret is shown once",
    send: ({ north }) => ["POST", "/channels", { location_id: north, ...gateway, transport_secret: null }],
    expect: { status: 201, body: { transport_secret: expect.stringMatching(/^whsec_/) } },
  }),
  ...["https://127.0.0.1/send", "https://localhost/send", "https://[::1]/send", "https://169.254.169.254/latest"].map(
    (url) =>
      row({
        name: `${url} is no target`,
        send: ({ north }) => ["POST", "/channels", { location_id: north, ...gateway, transport_url: url }],
        expect: { status: 422, body: { errors: { transport_url: [expect.any(String)] } } },
      }),
  ),
  row({
    name: "a mail server on the internal network is no target",
    send: ({ north }) => [
      "POST",
      "/channels",
      { location_id: north, ...log, transport: "smtp", transport_url: "smtp://10.0.0.5:25" },
    ],
    expect: { status: 422, body: { errors: { transport_url: [expect.any(String)] } } },
  }),
  row({
    name: "a readonly key cannot",
    as: "readonly",
    send: ({ north }) => ["POST", "/channels", { location_id: north, ...log }],
    expect: { status: 403, body: { required_scope: "channels.write" } },
  }),
]);

const addresses = {
  address: "all@example.com",
  inbound_address: "in@example.com",
  outbound_address: "out@example.com",
};

contract("updateChannel", [
  row({
    name: "changes the addresses",
    given: (world) => create(world),
    send: ({ north }, { id }) => ["PATCH", `/channels/${id}`, { location_id: north, ...addresses }],
    expect: { status: 200, body: addresses },
  }),
  row({
    name: "changes name and status, and keeps the rest",
    given: (world) => create(world),
    send: ({ north }, { id }) => ["PATCH", `/channels/${id}`, { location_id: north, name: "Desk 2", status: "paused" }],
    expect: { status: 200, body: { name: "Desk 2", status: "paused", address: log.address } },
  }),
  row({
    name: "the guard judges a new target as well",
    given: (world) => create(world, gateway),
    send: ({ north }, { id }) => [
      "PATCH",
      `/channels/${id}`,
      { location_id: north, transport_url: "https://10.0.0.1/send" },
    ],
    expect: { status: 422, body: { errors: { transport_url: [expect.any(String)] } } },
  }),
  row({
    name: "a status that only the service sets is refused",
    given: (world) => create(world),
    send: ({ north }, { id }) => ["PATCH", `/channels/${id}`, { location_id: north, status: "error" }],
    expect: { status: 422, body: { errors: { status: [expect.any(String)] } } },
  }),
]);

contract("rotateInboundUrl", [
  row({
    name: "returns a new inbound URL, and the old one is gone",
    given: (world) => create(world),
    send: ({ north }, { id }) => ["POST", `/channels/${id}/rotate`, { location_id: north }],
    expect: { status: 200 },
    async afterwards(world, given, { inbound_url: url }) {
      expect(url).not.toBe(given.inbound_url);
      const statusAt = async (address: string) =>
        (
          await request(world.url, {
            method: "POST",
            path: new URL(address).pathname,
            body: { from: "a@b.example", body: "Hi" },
          })
        ).status;
      expect([await statusAt(given.inbound_url), await statusAt(url)]).toEqual([404, 201]);
    },
  }),
]);

contract("testChannel", [
  row({
    name: "says why the transport failed",
    given: (world) => create(world, { ...gateway, transport_url: "https://192.0.3.1:9/send" }),
    send: ({ north }, { id }) => ["POST", `/channels/${id}/test`, { location_id: north }],
    expect: { status: 422, body: { errors: { to: [expect.any(String)] } } },
  }),
]);

describe.each([...databaseKinds])("concurrent changes of one channel on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("one that has no URL keeps none, whichever change comes first", async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await create(world, { ...gateway, transport_url: "https://192.0.3.1/send" });
      const patch = (body: object) =>
        world.send("owner", "PATCH", `/channels/${id}`, { location_id: world.north, ...body });
      await Promise.all([
        patch({ transport: "log" }),
        patch({ transport_url: "https://192.0.3.2/send" }),
        patch({ transport: "log" }),
        patch({ transport_url: "https://192.0.3.3/send" }),
      ]);
      const rows = await world.service.database.rows("select transport, transport_url from channels where id = ?", [
        id,
      ]);
      expect(rows).toEqual([{ transport: "log", transport_url: null }]);
    }
  });
});
