/** GET /events */
import { expect } from "vitest";
import { prunePayloads } from "../../src/events/retention.ts";
import { stampPositions } from "../../src/events/positions.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { eventNames } from "../../src/vocabulary/events.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { request } from "../support/client.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTag, made } from "../support/given.ts";
import { someOtherEvent } from "../support/events.ts";
import type { World } from "../support/world.ts";

/** Assigns positions, like the worker after each commit. */
async function stampAll({ service }: World): Promise<void> {
  while ((await stampPositions(service.database)) > 0);
}

/** The end of the log. */
async function endOf(world: World): Promise<number> {
  await stampAll(world);
  return (await made(world.send("owner", "GET", "/events?after=latest"))).last_position;
}

/** A contact with notes, its events stamped, and where the log ended before it. */
async function givenNews(world: World, { notes = 1, location = world.north } = {}) {
  const after = await endOf(world);
  const contact = await givenContact(world, { location_id: location });
  for (let note = 0; note < notes; note++) {
    await made(
      world.send("owner", "POST", `/contacts/${contact.id}/notes`, { location_id: location, body: `Note ${note}` }),
    );
  }
  await stampAll(world);
  return { after, contact };
}

// oxlint-disable-next-line typescript/no-explicit-any -- the parsed body, looked into freely
const told = ({ data }: any) => data.map(({ event, data: { location_id } }: any) => [event, location_id]);

/** Reads until the end of the log, like a follower. */
async function readAll(world: World, path: string, after: number) {
  const pages = [];
  for (let more = true; more;) {
    const { body } = await world.send("owner", "GET", `${path}after=${after}`);
    pages.push(body);
    after = body.last_position;
    more = body.has_more;
  }
  return pages;
}

async function keyOf(world: World, options: { scopes: readonly ScopeName[]; location_ids: number[] | null }) {
  const { key } = await world.service
    .inWorkspace(world.acme)
    .change((change) => createApiKey(change, { name: "limited", ...options }));
  return (path: string) => request(world.url, { method: "GET", path: `/api/v1${path}`, key });
}

contract("readEventLog", [
  row({
    name: "returns events in log order, in the envelope of webhooks",
    given: (world) => givenNews(world),
    send: (_world, { after }) => ["GET", `/events?after=${after}`],
    expect: { status: 200 },
    async afterwards(world, { after, contact }, body) {
      expect(body).toEqual({
        data: [
          {
            position: after + 1,
            id: expect.any(Number),
            event: "contact.created",
            created_at: world.clock.now().toISOString(),
            data: expect.objectContaining({ id: contact.id, name: contact.name, location_id: world.north }),
            contact_id: contact.id,
            actor: { type: "api_key", id: expect.any(Number), name: "owner" },
          },
          expect.objectContaining({ position: after + 2, event: "note.added", contact_id: contact.id }),
        ],
        last_position: after + 2,
        has_more: false,
      });
      expect(Object.keys(body.data[0]).slice(1, 5)).toEqual(["id", "event", "created_at", "data"]);
    },
  }),
  row({
    name: "returns an event at once",
    async given(world) {
      const after = await endOf(world);
      await givenContact(world);
      return after;
    },
    send: (_world, after) => ["GET", `/events?after=${after}`],
    expect: {
      status: 200,
      body: (_world, after) => ({ data: [{ position: after + 1 }], last_position: after + 1, has_more: false }),
    },
  }),
  row({
    name: "returns at most `limit` events, and has_more",
    given: (world) => givenNews(world, { notes: 4 }),
    send: (_world, { after }) => ["GET", `/events?after=${after}&limit=2`],
    expect: {
      status: 200,
      body: (_world, { after }) => ({ data: [{}, {}], last_position: after + 2, has_more: true }),
    },
    async afterwards(world, { after }) {
      const pages = await readAll(world, "/events?limit=2&", after);
      expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
      expect(pages.flatMap(({ data }) => data.map(({ position }: { position: number }) => position - after))).toEqual([
        1, 2, 3, 4, 5,
      ]);
    },
  }),
  row({
    name: "a page ends before its payloads exceed the response size",
    async given(world) {
      const after = await endOf(world);
      const contact = await givenContact(world);
      for (let note = 0; note < 9; note++) {
        await made(
          world.send("owner", "POST", `/contacts/${contact.id}/notes`, {
            location_id: world.north,
            body: `${note}${"😀".repeat(limits.noteBody - 1)}`,
          }),
        );
      }
      await stampAll(world);
      return after;
    },
    send: (_world, after) => ["GET", `/events?after=${after}`],
    expect: { status: 200, body: { has_more: true } },
    async afterwards(world, after) {
      const pages = await readAll(world, "/events?", after);
      expect(pages.map(({ data }) => data.length)).toEqual([4, 3, 3]);
    },
  }),
  row({
    name: "is limited to a location if one is named",
    async given(world) {
      const { after } = await givenNews(world);
      await givenNews(world, { location: world.south });
      return after;
    },
    send: (world, after) => ["GET", `/events?after=${after}&location_id=${world.south}`],
    expect: { status: 200 },
    async afterwards(world, after, body) {
      expect(told(body)).toEqual([
        ["contact.created", world.south],
        ["note.added", world.south],
      ]);
      expect(body.last_position).toBe(after + 4);
    },
  }),
  row({
    name: "filters by name, and continues after skipped events",
    given: (world) => givenNews(world, { notes: 2 }),
    send: (_world, { after }) => ["GET", `/events?after=${after}&event=contact.created, contact.deleted`],
    expect: { status: 200, body: (_world, { after }) => ({ last_position: after + 3, has_more: false }) },
    async afterwards(world, _given, body) {
      expect(told(body)).toEqual([["contact.created", world.north]]);
    },
  }),
  row({
    name: "scans a bounded part of the log, and returns where it stopped",
    async given(world) {
      const { after } = await givenNews(world);
      const north = await world.service.inLocation(world.acme, world.north);
      const others = Array.from({ length: limits.eventScan }, () => someOtherEvent);
      await north.change((change) => change.record(...others));
      await givenContact(world);
      await stampAll(world);
      return after;
    },
    send: (_world, after) => ["GET", `/events?after=${after}&event=contact.created`],
    expect: {
      status: 200,
      body: (_world, after) => ({ data: [{}], last_position: after + limits.eventScan, has_more: true }),
    },
    async afterwards(world, after) {
      const pages = await readAll(world, "/events?event=contact.created&", after);
      expect(pages.map(({ data }) => data.length)).toEqual([1, 1]);
    },
  }),
  row({
    name: "a key limited to locations sees their events, and none without a location",
    async given(world) {
      const { after } = await givenNews(world);
      await givenNews(world, { location: world.south });
      await world.service
        .inWorkspace(world.acme)
        .change((change) =>
          inviteUser(change, { email: `${after}@acme.example`, name: "Someone", role: "owner", locationIds: null }),
        );
      await stampAll(world);
      return after;
    },
    as: "northOnly",
    send: (_world, after) => ["GET", `/events?after=${after}`],
    expect: { status: 200 },
    async afterwards(world, after, body) {
      const north = [
        ["contact.created", world.north],
        ["note.added", world.north],
      ];
      const south = north.map(([event]) => [event, world.south]);
      expect(told(body)).toEqual(north);
      expect(body.last_position).toBe(after + 5);
      const ofBoth = await keyOf(world, { scopes: scopeNames, location_ids: [world.north, world.south] });
      expect(told((await ofBoth(`/events?after=${after}`)).body)).toEqual([...north, ...south]);
      const all = await world.send("owner", "GET", `/events?after=${after}`);
      expect(told(all.body)).toEqual([...north, ...south, ["user.invited", null]]);
    },
  }),
  row({
    name: "a key sees the events that its scopes allow",
    async given(world) {
      const { after } = await givenNews(world);
      await made(
        world.send("owner", "POST", "/events", { location_id: world.north, event: "review.received", data: {} }),
      );
      await stampAll(world);
      return after;
    },
    send: (_world, after) => ["GET", `/events?after=${after}`],
    expect: { status: 200, body: { data: [{}, {}, {}] } },
    async afterwards(world, after) {
      const narrow = await keyOf(world, { scopes: ["events.readonly"], location_ids: null });
      expect(told((await narrow(`/events?after=${after}`)).body)).toEqual([["review.received", world.north]]);
      const tasks = await keyOf(world, { scopes: ["events.readonly", "tasks.readonly"], location_ids: [world.north] });
      expect((await tasks(`/events?after=${after}&event=contact.created`)).body).toEqual({
        data: [],
        last_position: after + 3,
        has_more: false,
      });
      const blind = await keyOf(world, { scopes: ["contacts.write"], location_ids: null });
      expect(await blind(`/events?after=${after}`)).toMatchObject({
        status: 403,
        body: { required_scope: "events.readonly" },
      });
    },
  }),
  row({
    name: "another workspace sees none of them",
    as: "stranger",
    given: (world) => givenNews(world),
    send: (_world, { after }) => ["GET", `/events?after=${after}`],
    expect: { status: 200, body: { data: [], has_more: false } },
  }),
  row({
    name: "starts with the oldest event that is kept, and refuses to skip pruned ones",
    async given(world) {
      const { after } = await givenNews(world);
      const quiet = await made(world.send("stranger", "GET", "/events?after=latest"));
      await givenNews(world, { notes: 3 });
      const forgotten = await endOf(world);
      world.clock.advance({ days: 31 });
      const before = new Date(world.clock.now().getTime() - 86_400_000);
      const tag = await givenTag(world);
      const { contact } = await givenNews(world, { notes: 0 });
      await made(
        world.send("owner", "POST", `/contacts/${contact.id}/tags`, { location_id: world.north, tag_id: tag.id }),
      );
      await stampAll(world);
      const { database } = world.service;
      // No follower is behind.
      await database.transaction(({ rows }) => rows("update event_marks set position = ?", [forgotten]));
      while ((await prunePayloads(database, before)) > 0);
      return { after, forgotten, quiet: quiet.last_position };
    },
    send: (_world, { after }) => ["GET", `/events?after=${after}`],
    expect: {
      status: 422,
      body: (_world, { forgotten }) => ({
        errors: {
          after: [
            `The after field is too old: events up to position ${forgotten} are no longer kept. Continue after ${forgotten}, and reload what may have changed before it.`,
          ],
        },
      }),
    },
    async afterwards(world, { forgotten, quiet }) {
      const kept = [
        ["contact.created", world.north],
        ["contact.tag_added", world.north],
      ];
      for (const after of [`&after=${forgotten}`, "", "&after=0", "&after="]) {
        const { body } = await world.send("owner", "GET", `/events?limit=5${after}`);
        expect([after, told(body)]).toEqual([after, kept]);
      }
      // A reader whose log had no events has missed nothing.
      expect((await world.send("stranger", "GET", `/events?after=${quiet}`)).body).toMatchObject({ data: [] });
    },
  }),
  ...[
    ["after=-1", { after: ["The after field must be a position, which is a whole number, or latest."] }],
    ["after=x", { after: ["The after field must be a position, which is a whole number, or latest."] }],
    [
      "after=99999999",
      { after: [expect.stringMatching(/^The after field is beyond the end of the log, which is \d+\.$/)] },
    ],
    ["limit=0", { limit: ["The limit field must be a whole number from 1 to 200."] }],
    ["limit=201", { limit: ["The limit field must be a whole number from 1 to 200."] }],
    ["limit=x", { limit: ["The limit field must be a whole number from 1 to 200."] }],
    ["limit=1.5", { limit: ["The limit field must be a whole number from 1 to 200."] }],
    ["limit=0x10", { limit: ["The limit field must be a whole number from 1 to 200."] }],
    ["limit=1e2", { limit: ["The limit field must be a whole number from 1 to 200."] }],
    ["event=", { event: ["The event field is required."] }],
    ["event=contact.created,zzz,yyy", { event: [expect.stringMatching(/must be one of ping, /)] }],
    [
      `event=zzz${",zzz".repeat(eventNames.length)}`,
      { event: [`The event field must name at most ${eventNames.length} events.`] },
    ],
  ].map(([query, errors]) =>
    row({
      name: `refuses ${query}`,
      send: ["GET", `/events?${query}`],
      expect: { status: 422, body: { errors } },
    }),
  ),
]);
