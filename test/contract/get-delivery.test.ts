/** GET /hooks/deliveries/{id}. Scopes: test/worker/scope-matrix.test.ts. Apps: test/oauth/scopes.test.ts. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenDelivery, givenHook, someTarget } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

const given =
  (fields: Parameters<typeof givenHook>[1] = {}) =>
  async (world: World) => {
    const hook = (await givenHook(world, fields)).id;
    return { hook, id: await givenDelivery(world, hook) };
  };

const reading = (_world: World, { id }: { id: number }) => ["GET", `/hooks/deliveries/${id}`] as const;
const missing = { status: 404, exactly: { error: "delivery.not_found" } } as const;

contract("getDelivery", [
  row({
    name: "returns it with its webhook and the body that is sent",
    given: given(),
    send: reading,
    expect: { status: 200 },
    async afterwards(world, { hook, id }, shown) {
      const now = world.clock.now().toISOString();
      const { body, ...rest } = shown;
      expect(rest).toEqual({
        id,
        event: "ping",
        state: "pending",
        created_at: now,
        next_attempt_at: now,
        attempts: [],
        hook: { id: hook, target_url: someTarget, status: "active" },
      });
      expect(JSON.parse(body)).toMatchObject({ id, event: "ping", created_at: now, data: { hook_id: hook } });
    },
  }),
  row({
    name: "returns the attempts in order, as the list does",
    async given(world) {
      const { hook, id } = await given()(world);
      await world.service.database.transaction(async ({ rows }) => {
        for (const number of [1, 2]) {
          await rows(
            "insert into delivery_attempts (delivery_id, number, at, duration_ms, status, error, body) values (?, ?, ?, 12, 503, 'http_5xx', 'Later.')",
            [id, number, world.clock.now()],
          );
        }
        await rows("update deliveries set attempt = 2, state = 'retrying' where id = ?", [id]);
      });
      return { hook, id };
    },
    send: reading,
    expect: { status: 200, body: { attempts: [{ number: 1, body: "Later." }, { number: 2 }] } },
    async afterwards(world, { hook }, shown) {
      const { data } = (await world.send("owner", "GET", `/hooks/${hook}/deliveries`)).body;
      const { hook: _hook, body: _body, ...listed } = shown;
      expect(data).toEqual([listed]);
    },
  }),
  row({
    name: "has no body once the payload is pruned",
    async given(world) {
      const { id } = await given()(world);
      await world.service.database.transaction(({ rows }) =>
        rows("update events set data = null where id = (select event_id from deliveries where id = ?)", [id]),
      );
      return { id };
    },
    send: reading,
    expect: { status: 200, body: { event: "ping", body: null } },
  }),
  row({
    name: "a location of the workspace finds that of a webhook of the whole workspace",
    given: given(),
    send: ({ north }, { id }) => ["GET", `/hooks/deliveries/${id}?location_id=${north}`],
    expect: { status: 200 },
  }),
  row({
    name: "a key of one location finds none of a webhook of the whole workspace, whatever location it names",
    as: "northOnly",
    given: given(),
    send: ({ north }, { id }) => ["GET", `/hooks/deliveries/${id}?location_id=${north}`],
    expect: missing,
  }),
  row({
    name: "a key of one location finds none of another location's webhook",
    as: "northOnly",
    given: (world) => given({ location_id: world.south })(world),
    send: reading,
    expect: missing,
  }),
  row({
    name: "one of a removed webhook is not found",
    async given(world) {
      const { hook, id } = await given()(world);
      await world.send("owner", "DELETE", `/hooks/${hook}`);
      return { id };
    },
    send: reading,
    expect: missing,
  }),
  row({ name: "an invalid id is not found", send: ["GET", "/hooks/deliveries/x"], expect: missing }),
]);
