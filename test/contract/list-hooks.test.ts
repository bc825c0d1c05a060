/** GET /hooks: only webhooks whose permissions the credential covers. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenHook, someTarget } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

async function givenThree(world: World) {
  return {
    all: (await givenHook(world)).id,
    north: (await givenHook(world, { location_id: world.north })).id,
    ofNorthKey: (await givenHook(world, { as: "northOnly", event: "contact.updated" })).id,
    south: (await givenHook(world, { location_id: world.south })).id,
    foreign: (await givenHook(world, { as: "stranger" })).id,
  };
}

type Given = Awaited<ReturnType<typeof givenThree>>;

function sees(name: string, of: Pick<Parameters<typeof row>[0], "as" | "send">, which: readonly (keyof Given)[]) {
  return row<Given>({
    name,
    given: givenThree,
    ...of,
    expect: { status: 200 },
    async afterwards(_world, given, { data }) {
      const shown = new Set(data.map(({ id }: { id: number }) => id));
      const mine = (Object.keys(given) as (keyof Given)[]).filter((key) => shown.has(given[key]));
      expect(mine.toSorted()).toEqual([...which].toSorted());
    },
  } as Parameters<typeof row<Given>>[0]);
}

contract("listHooks", [
  row({
    name: "returns them in full, without their secrets",
    given: (world) => givenHook(world, { location_id: world.north }),
    send: (world) => ["GET", `/hooks?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, given, { data }) {
      expect(data.find(({ id }: { id: number }) => id === (given as { id: number }).id)).toEqual({
        id: (given as { id: number }).id,
        event: "contact.created",
        events: ["contact.created"],
        target_url: someTarget,
        location_id: world.north,
        status: "active",
        failing_since: null,
        created_at: world.clock.now().toISOString(),
      });
    },
  }),
  sees("the owner sees all of the workspace", { send: ["GET", "/hooks"] }, ["all", "north", "ofNorthKey", "south"]),
  sees("a key of one location sees those of it alone", { as: "northOnly", send: ["GET", "/hooks"] }, [
    "north",
    "ofNorthKey",
  ]),
  sees("a location narrows", { send: (world: World) => ["GET", `/hooks?location_id=${world.south}`] }, ["south"]),
  sees("a stranger sees his own", { as: "stranger", send: ["GET", "/hooks"] }, ["foreign"]),
  row({
    name: "refuses a foreign cursor",
    send: ["GET", "/hooks?cursor=x"],
    expect: { status: 422, body: { errors: { cursor: [expect.any(String)] } } },
  }),
]);
