/** GET /hooks/{id}: without the secret, within the access of the credential. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenHook, someTarget } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

const inNorth = (world: World) => givenHook(world, { location_id: world.north });
const missing = { status: 404, exactly: { error: "hook.not_found" } } as const;

contract("getHook", [
  row({
    name: "returns it in full, without its secret",
    given: inNorth,
    send: (_world, { id }) => ["GET", `/hooks/${id}`],
    expect: { status: 200 },
    async afterwards(world, { id }, body) {
      expect(body).toEqual({
        id,
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
  row({
    name: "a key of one location finds no webhook of the whole workspace",
    as: "northOnly",
    given: (world) => givenHook(world),
    send: (_world, { id }) => ["GET", `/hooks/${id}`],
    expect: missing,
  }),
  row({
    name: "a removed webhook is not found",
    async given(world) {
      const hook = await inNorth(world);
      await world.send("owner", "DELETE", `/hooks/${hook.id}`);
      return hook;
    },
    send: (_world, { id }) => ["GET", `/hooks/${id}`],
    expect: missing,
  }),
]);
