/** DELETE /hooks/{id}: takes effect immediately. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/events/caller.ts";
import { replayDelivery, sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { removeHook } from "../../src/webhooks/hooks/hook.service.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenDelivery, givenHook } from "../support/given-hooks.ts";
import { meet } from "../support/meet.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

contract("removeHook", [
  row({
    name: "removes it, with its secret",
    given: (world) => givenHook(world),
    send: (_world, { id }) => ["DELETE", `/hooks/${id}`],
    expect: { status: 204 },
    async afterwards(world, { id }) {
      expect((await world.send("owner", "GET", `/hooks/${id}/deliveries`)).status).toBe(404);
      expect((await world.send("owner", "DELETE", `/hooks/${id}`)).body).toEqual({ error: "hook.not_found" });
      expect(await world.service.database.rows("select secret from hooks where id = ?", [id])).toEqual([
        { secret: "" },
      ]);
    },
  }),
  row({
    name: "a webhook that a key may not see is not found",
    as: "northOnly",
    given: (world) => givenHook(world),
    send: (_world, { id }) => ["DELETE", `/hooks/${id}`],
    expect: { status: 404, exactly: { error: "hook.not_found" } },
  }),
  row({
    name: "a location of the workspace finds a webhook of the whole workspace",
    given: (world) => givenHook(world),
    send: ({ north }, { id }) => ["DELETE", `/hooks/${id}?location_id=${north}`],
    expect: { status: 204 },
  }),
  row({
    name: "its own location finds it",
    as: "northOnly",
    given: (world) => givenHook(world, { as: "northOnly", location_id: world.north }),
    send: ({ north }, { id }) => ["DELETE", `/hooks/${id}`, { location_id: north }],
    expect: { status: 204 },
  }),
  row({
    name: "another location does not find it",
    given: (world) => givenHook(world, { location_id: world.north }),
    send: ({ south }, { id }) => ["DELETE", `/hooks/${id}?location_id=${south}`],
    expect: { status: 404, exactly: { error: "hook.not_found" } },
  }),
  row({
    name: "a key of one location finds no webhook of the whole workspace, whatever location it names",
    as: "northOnly",
    given: (world) => givenHook(world),
    send: ({ north }, { id }) => ["DELETE", `/hooks/${id}?location_id=${north}`],
    expect: { status: 404, exactly: { error: "hook.not_found" } },
  }),
  row({
    name: "a key of one location finds no webhook of another",
    as: "northOnly",
    given: (world) => givenHook(world, { location_id: world.south }),
    send: ({ north }, { id }) => ["DELETE", `/hooks/${id}?location_id=${north}`],
    expect: { status: 404, exactly: { error: "hook.not_found" } },
  }),
  row({
    name: "an invalid id is not found",
    send: ["DELETE", "/hooks/x"],
    expect: { status: 404, exactly: { error: "hook.not_found" } },
  }),
]);

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("a webhook that is removed beside other changes of it is gone for all requests but one, and with it its secret", async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await givenHook(world);
      const removals: number[] = [];
      const others: number[] = [];
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const [removal, ...rest] = await Promise.all([
            world.send("owner", "DELETE", `/hooks/${id}`),
            world.send("owner", "PATCH", `/hooks/${id}`, { status: "paused" }),
            world.send("owner", "POST", `/hooks/${id}/rotate-secret`, {}),
          ]);
          removals.push(removal.status);
          others.push(...rest.map(({ status }) => status));
        }),
      );
      expect(removals.toSorted()).toEqual([204, 404, 404, 404]);
      expect(others.filter((status) => status !== 200 && status !== 404)).toEqual([]);
      expect(await world.service.database.rows("select secret from hooks where id = ?", [id])).toEqual([
        { secret: "" },
      ]);
    }
  });

  test.each<[what: string, refusal: string, act: (change: Change, hook: number, delivery: number) => Promise<unknown>]>(
    [
      ["test", "hook.not_found", (change, hook) => sendTest(change, hook)],
      ["replay", "delivery.not_found", (change, _hook, delivery) => replayDelivery(change, delivery)],
    ],
  )("a %s of a webhook that is removed meanwhile is 404 %s", async (_what, code, act) => {
    const { id } = await givenHook(world);
    const delivery = await givenDelivery(world, id);
    const tried = await meet(world.service.database, world.service.inWorkspace(world.acme), {
      first: (change) => sendTest(change, id),
      second: (change) => act(change, id, delivery),
      last: (change) => removeHook(change, id),
    });
    expect(tried).toMatchObject({ status: "rejected", reason: { code } });
  });
});
