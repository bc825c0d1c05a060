/** The event log on pages: the latest events, those after a position, by name, and one with its payload. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { someOtherEvent, stampAll } from "../support/events.ts";
import { givenContact } from "../support/given.ts";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: events", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let log: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    log = `/w/${world.acme}/events`;
    const caller = await world.service.inLocation(world.acme, world.north);
    await caller.change(async (change) => change.record(...Array.from({ length: 30 }, () => someOtherEvent)));
    await givenContact(world, { first_name: "<script>alert(1)</script>" });
    await stampAll(world.service.database);
  });
  afterAll(() => world?.close());

  const positionsIn = (text: string) => [...text.matchAll(/\/events\/(\d+)"/g)].map(([, position]) => Number(position));
  const lastPosition = async () => positionsIn((await olga.get(log)).text)[0]!;

  test("the latest events come first, and the log is read from its beginning", async () => {
    const latest = positionsIn((await olga.get(log)).text);
    expect(latest).toHaveLength(25);
    expect(latest).toEqual(latest.toSorted((a, b) => b - a));
    const read: number[] = [];
    for (let address: string | undefined = `${log}?after=0`; address !== undefined;) {
      const { text }: { text: string } = await olga.get(address);
      read.push(...positionsIn(text));
      address = /href="([^"]+)">Next page/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    expect(read.slice(-25)).toEqual(latest.toReversed());
    expect(new Set(read).size).toBe(read.length);
  });

  test("the log is read from its end, earlier events page by page", async () => {
    const read: number[] = [];
    for (let address: string | undefined = log; address !== undefined;) {
      const { text }: { text: string } = await olga.get(address);
      read.push(...positionsIn(text));
      address = /href="([^"]+)">Earlier events/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(read).toEqual(read.toSorted((a, b) => b - a));
    expect(read.length).toBeGreaterThan(30);
    expect(new Set(read).size).toBe(read.length);
    expect((await olga.get(`${log}?before=1`)).text).toContain("No earlier events");
  });

  test("an event names its record", async () => {
    const { text } = await olga.get(`${log}?event=contact.created`);
    expect(text).toMatch(/<bdi>&lt;script[^<]*<\/bdi>\s+#\d+/);
  });

  test("events are filtered by name", async () => {
    const { text } = await olga.get(`${log}?event=contact.created`);
    expect(positionsIn(text)).toHaveLength(1);
    expect(text).toContain('value="contact.created" selected');
    expect((await olga.get(`${log}?event=user.removed`)).text).toContain("No events yet");
  });

  test("one event shows its payload, escaped", async () => {
    const { text } = await olga.get(`${log}/${await lastPosition()}`);
    expect(text).toContain("contact.created");
    expect(text).toContain("&lt;script&gt;alert(1)");
    expect(text).not.toContain("<script>alert(1)");
  });

  test.each([
    ["an unknown event", "event=nothing.happened", "must be one of"],
    ["a position beyond the end", "after=99999999", "beyond the end of the log"],
    ["a position that is no number", "after=-1", "must be a position"],
    ["an end that is no number", "before=x", "before"],
  ])("%s: 422 with the sentence", async (_name, query, sentence) => {
    const answer = await olga.get(`${log}?${query}`);
    expect([answer.status, answer.text.includes(sentence)]).toEqual([422, true]);
  });
});
