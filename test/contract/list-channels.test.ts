/** GET /channels */
import { expect } from "vitest";
import { createChannel, setChannelStatus } from "../../src/crm/channels/channel.service.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenChannel } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A location of Acme that has no channels yet. */
async function freshPlace(world: World) {
  const { id } = await world.service
    .inWorkspace(world.acme)
    .change((change) => openLocation(change, { name: "Fresh" }));
  return world.service.inLocation(world.acme, id);
}

contract("listChannels", [
  row({
    name: "returns exactly every channel by kind, then id; only email has two further addresses",
    async given(world) {
      const place = await freshPlace(world);
      const make = (input: Parameters<typeof createChannel>[1]) =>
        place.change((change) => createChannel(change, input));
      const desk = await make({ kind: "sms", name: "Texts", address: "(212) 555-0100" });
      const mail = await make({
        kind: "email",
        name: "Desk",
        address: "desk@example.com",
        outbound_address: "no@reply.example",
      });
      const call = await make({ kind: "call", name: "Calls" });
      const other = await make({ kind: "call", name: "More calls" });
      await place.change((change) => setChannelStatus(change, other.id, "paused"));
      return { location: place.location.id, desk, mail, call, other };
    },
    send: (_world, { location }) => ["GET", `/channels?location_id=${location}`],
    expect: { status: 200 },
    async afterwards(world, { desk, mail, call, other }, body) {
      const created_at = world.clock.now().toISOString();
      expect(body).toEqual({
        data: [
          { id: call.id, kind: "call", name: "Calls", address: "", status: "active", created_at },
          { id: other.id, kind: "call", name: "More calls", address: "", status: "paused", created_at },
          {
            id: mail.id,
            kind: "email",
            name: "Desk",
            address: "desk@example.com",
            status: "active",
            created_at,
            inbound_address: "desk@example.com",
            outbound_address: "no@reply.example",
          },
          { id: desk.id, kind: "sms", name: "Texts", address: "(212) 555-0100", status: "active", created_at },
        ],
      });
    },
  }),
  row({
    name: "does not return the inbound URL, and the database has its token encrypted",
    given: (world) => givenChannel(world),
    send: (world) => ["GET", `/channels?location_id=${world.north}`],
    as: "readonly",
    expect: { status: 200 },
    async afterwards(world, given, body) {
      expect(given.inbound_url).toMatch(new RegExp(`^${world.url}/inbound/crm_in_\\w{36}$`));
      const token = given.inbound_url.split("/").at(-1)!;
      expect(JSON.stringify(body)).not.toContain(token);
      const [stored] = await world.service.database.rows<object>("select * from channels where id = ?", [given.id]);
      expect(JSON.stringify(stored)).not.toContain(token);
    },
  }),
  row({
    name: "a location has at most 200 channels, since the list has no pages",
    given: freshPlace,
    send: (_world, { location }) => ["GET", `/channels?location_id=${location.id}`],
    expect: { status: 200, exactly: { data: [] } },
    async afterwards(world, place) {
      const make = () => place.change((change) => createChannel(change, { kind: "sms", name: "Many" }));
      for (let count = 1; count < limits.channels; count++) await make();
      // Of several concurrent requests for the last slot, one succeeds.
      const outcomes = await Promise.allSettled([make(), make(), make()]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
      await expect(make()).rejects.toThrow("The location has 200 channels, the most that it can have.");
      const { body } = await world.send("owner", "GET", `/channels?location_id=${place.location.id}`);
      expect(body.data.length).toBe(limits.channels);
    },
  }),
]);
