/** Locations on pages: created, changed, listed in pages, and every fault at its field. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: locations", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let locations: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    locations = `/w/${world.acme}/locations`;
  });
  afterAll(() => world?.close());

  const fields = {
    name: "Bend",
    timezone: "america/los_angeles",
    country: "ca",
    address1: "63 NW Greenwood Ave",
    city: "Bend",
    state: "OR",
    zip: "97703",
    phone_public: "(541) 555-0100",
    website: "https://bend.example",
  };
  const send = async (path: string, given: Record<string, string>) =>
    olga.submit(await olga.get(`${locations}${path}`), given);

  test("a location is created with its pipeline, and shown with the time zone as it is called", async () => {
    // Suggested like the first location, not like UTC.
    expect((await olga.get(`${locations}/new`)).text).toContain('value="America/New_York"');
    const { result: sent, events } = await world.eventsDuring(() => send("/new", fields));
    expect([sent.status, sent.location]).toEqual([303, locations]);
    const { data } = events.find(({ event }) => event === "location.created")!;
    expect(data).toMatchObject({ name: "Bend", timezone: "America/Los_Angeles" });
    const list = (await olga.get(locations)).text;
    expect(list).toContain("<strong><bdi>Bend</bdi> is created</strong>");
    expect(list).toMatch(/<bdi>Bend<\/bdi>[^]*America\/Los_Angeles/);
    const { text } = await olga.get(`${locations}/${data.id}`);
    for (const value of ["Bend", "America/Los_Angeles", "CA", "63 NW Greenwood Ave", "97703"])
      expect(text).toContain(`value="${value}"`);
    const pipelines = await world.send("owner", "GET", `/pipelines?location_id=${data.id}`);
    expect(pipelines.body.data).toHaveLength(1);
  });

  test("a form that is sent twice at once creates one location", async () => {
    const form = await olga.get(`${locations}/new`);
    const { result: sent, events } = await world.eventsDuring(() =>
      Promise.all([1, 2].map(() => olga.submit(form, { ...fields, name: "Redmond" }))),
    );
    expect(sent.map(({ status, location }) => [status, location])).toEqual([1, 2].map(() => [303, locations]));
    expect(events.map(({ event }) => event)).toEqual(["location.created"]);
  });

  test("a change is saved whole, an emptied field too, and told by one event", async () => {
    await send(`/${world.south}`, { ...fields, name: "South Side" });
    const change = () => send(`/${world.south}`, { ...fields, name: "South Bank", website: "" });
    const { result: sent, events } = await world.eventsDuring(change);
    expect([sent.status, sent.location]).toEqual([303, locations]);
    expect(events).toMatchObject([
      {
        event: "location.updated",
        changes: [
          { field: "name", old: "South Side", new: "South Bank" },
          { field: "website", old: "https://bend.example", new: "" },
        ],
      },
    ]);
  });

  const long = "x".repeat(256);
  test.each<[field: string, sentence: string, value: string]>([
    ["name", "required", ""],
    ["name", "required", "   "],
    ["name", "255", long],
    ["name", "must not contain control characters", "Bend\u202E"],
    ["timezone", "must be an IANA time zone name", "Bend/Oregon"],
    ["timezone", "IANA", "<img src=x>"],
    ["country", "must be a two-letter country code", "USA"],
    ["country", "required", ""],
    ["address1", "255", long],
    ["city", "255", long],
    ["phone_public", "255", long],
    ["website", "NUL", "a\0b"],
  ])("%s: %s: 422, and what was typed", async (field, sentence, value) => {
    for (const path of ["/new", `/${world.north}`]) {
      const answer = await send(path, { ...fields, [field]: value });
      expect(answer.status).toBe(422);
      expect(new RegExp(`id="${field}-fault">[^]*?</p>`).exec(answer.text)?.[0]).toContain(sentence);
      expect(answer.text).toContain(`<a class="line" href="#${field}">`);
      if (field !== "name") expect(answer.text).toContain('value="Bend"');
      expect(answer.text).not.toContain("<img");
    }
  });

  test("many locations are pages of 25, below 40 KB", async () => {
    await world.service.inWorkspace(world.acme).change(async (change) => {
      for (let n = 0; n < 60; n++) await openLocation(change, { name: `Location ${n}.` });
    });
    const seen: string[] = [];
    for (let path: string | undefined = locations; path !== undefined;) {
      const { text }: { text: string } = await olga.get(path);
      expect(Buffer.byteLength(text)).toBeLessThan(40_000);
      seen.push(...[...text.matchAll(/<b><bdi>(Location \d+\.)<\/bdi>/g)].map(([, name]) => name!));
      path = /href="([^"]+after=[^"]+)"/.exec(text)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `Location ${n}.`));
    expect((await olga.get(`${locations}?after=x`)).status).toBe(200);
  });
});
