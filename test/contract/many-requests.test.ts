/** A client with many requests at once waits for its own: those of others are not queued behind them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

/** About as many as there are connections to the database, once for the key and once for the record. */
const mostOvertaken = 120;

type Request = readonly [method: "GET" | "POST", path: string, body?: object];

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let id: number;
  beforeAll(async () => {
    world = await createWorld(kind);
    ({ id } = await givenContact(world));
  });
  afterAll(() => world?.close());

  const read = (): Request => ["GET", `/contacts/${id}?location_id=${world.north}`];
  const create = (): Request => [
    "POST",
    "/contacts",
    { location_id: world.north, first_name: "Ada", last_name: "Lovelace" },
  ];

  test.each([
    ["reads", 400, read],
    // Served within the seconds that a request waits for a connection, on a slow machine as well.
    ["changes", 160, create],
  ] as const)("%s of one key", async (_, requests, request) => {
    let answered = 0;
    const ask = async (as: Asker, [method, path, body]: Request): Promise<void> => {
      const { status } = await world.send(as, method, path, body);
      expect(status).toBe(method === "POST" ? 201 : 200);
      answered += 1;
    };
    const many = Array.from({ length: requests }, () => ask("owner", request()));
    await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(20);
    const begun = answered;
    await ask("readonly", read());
    const overtaken = answered - begun - 1;
    await Promise.all(many);
    expect(overtaken).toBeLessThan(mostOvertaken);
  });
});
