/** POST /hooks/{id}/test. What it sends is tested with the worker: test/worker/webhooks.test.ts. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenHook } from "../support/given-hooks.ts";

contract("sendTest", [
  row({
    name: "queues a ping, which is due immediately",
    given: (world) => givenHook(world),
    send: (_world, { id }) => ["POST", `/hooks/${id}/test`],
    expect: {
      status: 202,
      body: (world) => ({ event: "ping", state: "pending", next_attempt_at: world.clock.now().toISOString() }),
      events: ["ping"],
    },
  }),
  row({
    name: "a disabled webhook is refused",
    async given(world) {
      const hook = await givenHook(world);
      const disabled = "update hooks set status = 'disabled' where id = ?";
      await world.service.database.transaction(({ rowsOnce }) => rowsOnce(disabled, [hook.id]));
      return hook;
    },
    send: (_world, { id }) => ["POST", `/hooks/${id}/test`],
    expect: { status: 422, body: { errors: { hook: [expect.stringMatching(/disabled/)] } } },
  }),
]);
