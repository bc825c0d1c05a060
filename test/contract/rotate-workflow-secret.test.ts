/** POST /workflows/{id}/rotate-secret */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenWorkflow } from "../support/workflows.ts";
import type { World } from "../support/world.ts";

const given = async (world: World) => ({ workflow: await givenWorkflow(world, { end: { type: "exit" } }) });
type Given = Awaited<ReturnType<typeof given>>;

const rotating =
  (more: object = {}) =>
  (world: World, { workflow }: Given) =>
    ["POST", `/workflows/${workflow}/rotate-secret`, { location_id: world.north, ...more }] as const;

const secret = expect.stringMatching(/^whsec_[\w-]{43}$/);

contract("rotateWorkflowSecret", [
  row({
    name: "returns the secret once: it is sealed at rest, and in no list",
    given,
    send: rotating(),
    expect: { status: 200, body: (_world, { workflow }) => ({ id: workflow, secret, old_secret_until: null }) },
    async afterwards(world, { workflow }, body) {
      const stored = JSON.stringify(
        await world.service.database.rows("select * from workflows where id = ?", [workflow]),
      );
      const { text } = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
      for (const place of [stored, text]) expect(place).not.toContain(body.secret.slice("whsec_".length));
    },
  }),
  row({
    name: "lets the old secret sign for the grace period",
    async given(world) {
      const made = await given(world);
      await world.send("owner", "POST", `/workflows/${made.workflow}/rotate-secret`, rotating()(world, made)[2]);
      return made;
    },
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
    expect: { status: 422, body: { errors: { grace_seconds: [expect.any(String)] } } },
  }),
]);
