/** DELETE /hooks/{id}: takes effect immediately. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenHook } from "../support/given-hooks.ts";

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
