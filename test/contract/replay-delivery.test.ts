/** POST /hooks/deliveries/{id}/replay. What it sends is tested with the worker: test/worker/webhooks.test.ts. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenDelivery, givenHook } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

async function givenOne(world: World, change = "") {
  const hook = await givenHook(world);
  const id = await givenDelivery(world, hook.id);
  if (change !== "") await world.service.database.transaction(({ rowsOnce }) => rowsOnce(change, [id]));
  return { hook, id };
}

contract("replayDelivery", [
  ...["delivered", "failed", "canceled", "retrying"].map((state) =>
    row({
      name: `a delivery that is ${state} becomes due immediately`,
      given: (world) =>
        givenOne(world, `update deliveries set state = '${state}', due_at = null, attempt = 5 where id = ?`),
      send: (_world, { id }) => ["POST", `/hooks/deliveries/${id}/replay`],
      expect: {
        status: 202,
        body: (world, { id }) => ({ id, state: "pending", next_attempt_at: world.clock.now().toISOString() }),
      },
    }),
  ),
  row({
    name: "a delivery that a worker has claimed is unchanged",
    given: (world) =>
      givenOne(world, "update deliveries set state = 'delivering', due_at = null, attempt = 1 where id = ?"),
    send: (_world, { id }) => ["POST", `/hooks/deliveries/${id}/replay`],
    expect: { status: 202, body: { state: "delivering" } },
  }),
  row({
    name: "a delivery of a disabled webhook is refused",
    given: (world) =>
      givenOne(world, "update hooks set status = 'disabled' where id = (select hook_id from deliveries where id = ?)"),
    send: (_world, { id }) => ["POST", `/hooks/deliveries/${id}/replay`],
    expect: { status: 422, body: { errors: { hook: [expect.stringMatching(/disabled/)] } } },
  }),
  row({
    name: "a missing delivery is not found",
    send: ["POST", "/hooks/deliveries/999999999/replay"],
    expect: { status: 404, exactly: { error: "delivery.not_found" } },
  }),
]);
