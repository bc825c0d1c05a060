/** GET /hooks/{id}/deliveries: newest first, in pages, optionally only failed ones. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenDelivery, givenHook } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

async function givenMany(world: World) {
  const hook = await givenHook(world);
  const ids: number[] = [];
  for (let count = 0; count < 203; count++) ids.push(await givenDelivery(world, hook.id));
  await world.service.database.transaction(({ rows }) =>
    rows("update deliveries set state = 'failed', due_at = null where id = ?", [ids[100]!]),
  );
  return { hook, ids };
}

contract("listDeliveries", [
  row({
    name: "lists them newest first, in pages",
    given: givenMany,
    send: (_world, { hook }) => ["GET", `/hooks/${hook.id}/deliveries`],
    expect: { status: 200 },
    async afterwards(world, { hook, ids }, { data, next_cursor }) {
      const rest = await world.send("owner", "GET", `/hooks/${hook.id}/deliveries?cursor=${next_cursor}`);
      const shown = [...data, ...rest.body.data].map(({ id }: { id: number }) => id);
      expect(shown).toEqual(ids.toReversed());
      expect([data.length, rest.body.next_cursor]).toEqual([200, null]);
      expect(data[0]).toEqual({
        id: ids.at(-1),
        event: "ping",
        state: "pending",
        created_at: world.clock.now().toISOString(),
        next_attempt_at: world.clock.now().toISOString(),
        attempts: [],
      });
      const failed = await world.send("owner", "GET", `/hooks/${hook.id}/deliveries?state=failed`);
      expect(failed.body.data.map(({ id }: { id: number }) => id)).toEqual([ids[100]]);
    },
  }),
  row({
    name: "a location of the workspace finds a webhook of the whole workspace",
    async given(world) {
      const { id } = await givenHook(world);
      return { id, delivery: await givenDelivery(world, id) };
    },
    send: ({ north }, { id }) => ["GET", `/hooks/${id}/deliveries?location_id=${north}`],
    expect: { status: 200, body: (_world, { delivery }) => ({ data: [{ id: delivery }] }) },
    async afterwards(world, { delivery }) {
      const replay = `/hooks/deliveries/${delivery}/replay`;
      expect((await world.send("owner", "POST", replay, { location_id: world.north })).status).toBe(202);
      expect((await world.send("northOnly", "POST", replay, { location_id: world.north })).body).toEqual({
        error: "delivery.not_found",
      });
    },
  }),
  row({
    name: "a key of one location finds no webhook of the whole workspace, whatever location it names",
    as: "northOnly",
    given: (world) => givenHook(world),
    send: ({ north }, { id }) => ["GET", `/hooks/${id}/deliveries?location_id=${north}`],
    expect: { status: 404, exactly: { error: "hook.not_found" } },
  }),
  row({
    name: "ends a page before its responses exceed 256 KiB, and the next continues there",
    async given(world) {
      const { hook, ids } = await givenMany(world);
      // The maximum number of attempts, each with the maximum of text that takes the most bytes.
      await world.service.database.transaction(({ rows }) =>
        rows(
          `insert into delivery_attempts (delivery_id, number, at, duration_ms, status, body)
           select deliveries.id, numbers.number, deliveries.created_at, 1, 500, ? from deliveries
             cross join (select 1 as number union select 2 union select 3) as numbers where hook_id = ?`,
          ["\u0001".repeat(4096), hook.id],
        ),
      );
      await world.service.database.transaction(({ rows }) =>
        rows("update deliveries set attempt = 3 where hook_id = ?", [hook.id]),
      );
      return { hook, ids };
    },
    send: (_world, { hook }) => ["GET", `/hooks/${hook.id}/deliveries`],
    expect: { status: 200 },
    async afterwards(world, { hook, ids }, first) {
      const seen: number[] = [];
      for (let page = first; page !== undefined;) {
        expect(page.data.length).toBeLessThanOrEqual(Math.floor(262_144 / (3 * 4096)));
        for (const { id, attempts } of page.data) {
          seen.push(id);
          expect(attempts.map(({ body }: { body: string }) => body.length)).toEqual([4096, 4096, 4096]);
        }
        const { next_cursor: cursor } = page;
        if (cursor === null) break;
        page = (await world.send("owner", "GET", `/hooks/${hook.id}/deliveries?cursor=${cursor}`)).body;
      }
      expect(seen).toEqual(ids.toReversed());
    },
  }),
  row({
    name: "refuses another state",
    given: (world) => givenHook(world),
    send: (_world, { id }) => ["GET", `/hooks/${id}/deliveries?state=lost`],
    expect: { status: 422, body: { errors: { state: [expect.any(String)] } } },
  }),
]);
