/** POST and PATCH /locations (extension). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { made, unique } from "../support/given.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const north = {
  name: "Harbour",
  city: "Kiel",
  timezone: "Europe/Berlin",
  country: "DE",
  website: "https://acme.example",
};

/** Every field that the answer shows; the country it does not. */
const whole = {
  name: "Pier",
  address1: "1 Pier",
  city: "Kiel",
  state: "SH",
  zip: "24103",
  phone_public: "+49 431 9876",
  timezone: "Europe/Berlin",
  website: "https://pier.example",
};

contract("createLocation", [
  row({
    name: "keeps every field",
    send: ["POST", "/locations", { ...whole, country: "DE" }],
    expect: { status: 201, body: whole, events: ["location.created"] },
  }),
  row({
    name: "returns the location, which has a default pipeline",
    send: ["POST", "/locations", north],
    expect: {
      status: 201,
      body: { name: "Harbour", city: "Kiel", timezone: "Europe/Berlin", address1: "", phone_public: "" },
      events: ["location.created"],
    },
    async afterwards(world, _given, { id }) {
      const { data } = await made(world.send("owner", "GET", `/pipelines?location_id=${id}`));
      expect(data).toHaveLength(1);
    },
  }),
  row({
    name: "null counts as left out, and the time zone and the country must exist",
    send: ["POST", "/locations", { name: null, city: null, timezone: "Mars/Olympus", country: "XX" }],
    expect: {
      status: 422,
      body: {
        errors: { name: expect.any(Array), timezone: expect.any(Array), country: expect.any(Array) },
      },
    },
  }),
  row({
    name: "needs access to every location: the key could not see the new one",
    as: "northOnly",
    send: ["POST", "/locations", { name: "Out of sight" }],
    expect: { status: 403, body: { error: "insufficient_scope", required_scope: "locations.write" } },
  }),
]);

contract("updateLocation", [
  row({
    name: "changes every field",
    given: (world) => made(world.send("owner", "POST", "/locations", north)),
    send: (_world, { id }) => ["PATCH", `/locations/${id}`, { ...whole, country: "DE" }],
    expect: { status: 200, body: whole, events: ["location.updated"] },
  }),
  row({
    name: "changes the given fields alone",
    given: (world) => made(world.send("owner", "POST", "/locations", { ...north, name: `Harbour ${unique()}` })),
    send: (_world, { id }) => ["PATCH", `/locations/${id}`, { name: "Lake", phone_public: "+49 431 1234" }],
    expect: { status: 200, events: ["location.updated"] },
    async afterwards(world, given, body) {
      expect(body).toEqual({ ...given, name: "Lake", phone_public: "+49 431 1234" });
      const { data } = await made(world.send("owner", "GET", "/locations"));
      expect(data).toContainEqual(body);
    },
  }),
  row({
    name: "a location out of the key's reach is not found",
    as: "northOnly",
    send: ({ south }) => ["PATCH", `/locations/${south}`, { name: "Mine" }],
    expect: { status: 404, exactly: { error: "location.not_found" } },
  }),
  row({
    name: "a name cannot be cleared",
    send: ({ north: id }) => ["PATCH", `/locations/${id}`, { name: null }],
    expect: { status: 422, body: { errors: { name: expect.any(Array) } } },
  }),
]);

describe.each([...databaseKinds])("concurrent changes of one location on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const patchAtOnce = async (...patches: object[]) => {
    const { result, events } = await world.eventsDuring(() =>
      Promise.all(patches.map((patch) => world.send("owner", "PATCH", `/locations/${world.south}`, patch))),
    );
    expect(new Set(result.map(({ status }) => status))).toEqual(new Set([200]));
    return events;
  };

  test("one change that several requests make is one event", async () => {
    const website = "https://south.example";
    const events = await patchAtOnce(...Array.from({ length: 12 }, () => ({ website })));
    expect(events.map(({ event }) => event)).toEqual(["location.updated"]);
  });

  test("each event tells its own change, and the location as it was then", async () => {
    const { data: before } = await made(world.send("owner", "GET", `/locations?location_id=${world.south}`));
    const patches = Array.from({ length: 12 }, (_, number) =>
      number % 2 === 0 ? { city: `City ${number}` } : { address1: `${number} Pier` },
    );
    const [shown] = before;
    for (const { data } of await patchAtOnce(...patches)) {
      const { changes, location_id: _, ...location } = data;
      for (const { field, old, new: now } of changes) {
        expect(old).toBe(shown[field]);
        shown[field] = now;
      }
      expect(location).toEqual(shown);
    }
    const { data: after } = await made(world.send("owner", "GET", `/locations?location_id=${world.south}`));
    expect(after).toEqual([shown]);
  });
});
