/** POST /hooks/{id}/rotate-secret. What the secrets sign is tested at the terminal: test/cli/hooks.test.ts. */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenHook } from "../support/given-hooks.ts";
import type { World } from "../support/world.ts";

const given = (world: World) => givenHook(world);

const rotating =
  (more: object = {}) =>
  (_world: World, { id }: { id: number }) =>
    ["POST", `/hooks/${id}/rotate-secret`, more] as const;

const secret = expect.stringMatching(/^whsec_[\w-]{43}$/);
const refused = { status: 422, body: { errors: { grace_seconds: [expect.any(String)] } } } as const;

contract("rotateHookSecret", [
  row({
    name: "returns a new secret once: it is sealed at rest, and in no list",
    given,
    send: rotating(),
    expect: { status: 200, body: (_world, { id }) => ({ id, secret, old_secret_until: null }) },
    async afterwards(world, { id, secret: old }, body) {
      expect(body.secret).not.toBe(old);
      const stored = JSON.stringify(await world.service.database.rows("select * from hooks where id = ?", [id]));
      const { text } = await world.send("owner", "GET", `/hooks/${id}`);
      for (const place of [stored, text]) expect(place).not.toContain(body.secret.slice("whsec_".length));
    },
  }),
  row({
    name: "lets the old secret sign for the grace period",
    given,
    send: rotating({ grace_seconds: 3600 }),
    expect: {
      status: 200,
      body: (world) => ({ secret, old_secret_until: new Date(world.clock.now().getTime() + 3_600_000).toISOString() }),
    },
  }),
  row({
    name: "refuses a grace period that is no number",
    given,
    send: rotating({ grace_seconds: "soon" }),
    expect: refused,
  }),
  row({
    name: "refuses a grace period beyond every date",
    given,
    send: rotating({ grace_seconds: Number.MAX_SAFE_INTEGER }),
    expect: refused,
  }),
]);
