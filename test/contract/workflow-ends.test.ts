/** GET /workflows/{id}, POST /workflows/{id}/unpublish and DELETE /workflow-runs/{id} */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import type { World } from "../support/world.ts";

const nodes = { wait: { type: "wait", reply: true } } as const;

/** A published workflow in which a contact waits. */
async function givenWaiting(world: World) {
  const workflow = await givenWorkflow(world, nodes);
  return { workflow, run: await givenRun(world, workflow, (await givenContact(world)).id) };
}

contract("getWorkflow", [
  row({
    name: "shows both definitions, and where its runs are",
    given: givenWaiting,
    send: (world, { workflow }) => ["GET", `/workflows/${workflow}?location_id=${world.north}`],
    expect: {
      status: 200,
      body: (_world, { workflow }) => ({
        id: workflow,
        status: "published",
        draft: { entry: "wait", nodes },
        definition: { entry: "wait", nodes },
        active_runs: { wait: 1 },
        has_secret: false,
      }),
    },
  }),
  row({
    name: "does not find that of another workspace",
    as: "stranger",
    given: givenWaiting,
    send: (world, { workflow }) => ["GET", `/workflows/${workflow}?location_id=${world.foreign}`],
    expect: { status: 404, exactly: { error: "workflow.not_found" } },
  }),
]);

contract("unpublishWorkflow", [
  row({
    name: "ends its runs, and enrolls no more",
    given: givenWaiting,
    send: (world, { workflow }) => ["POST", `/workflows/${workflow}/unpublish`, { location_id: world.north }],
    expect: {
      status: 200,
      body: { status: "draft", version: null, ended: 1 },
      events: ["workflow.run_finished"],
    },
    async afterwards(world, { workflow, run }) {
      expect((await runOf(world, run)).ended_reason).toBe("workflow_unpublished");
      const body = { location_id: world.north, contact_id: (await givenContact(world)).id };
      const { status } = await world.send("owner", "POST", `/workflows/${workflow}/enroll`, body);
      expect(status).toBe(422);
    },
  }),
  row({
    name: "changes nothing of one that is not published",
    async given(world) {
      const given = await givenWaiting(world);
      await world.send("owner", "POST", `/workflows/${given.workflow}/unpublish`, { location_id: world.north });
      return given;
    },
    send: (world, { workflow }) => ["POST", `/workflows/${workflow}/unpublish`, { location_id: world.north }],
    expect: { status: 200, body: { status: "draft", ended: 0 } },
  }),
]);

contract("removeRun", [
  row({
    name: "ends it as removed",
    given: givenWaiting,
    send: (world, { run }) => ["DELETE", `/workflow-runs/${run}`, { location_id: world.north }],
    expect: {
      status: 200,
      body: (_world, { run }) => ({ id: run, status: "canceled", ended_reason: "removed" }),
      events: ["workflow.run_finished"],
    },
  }),
  row({
    name: "refuses one that is over",
    async given(world) {
      const given = await givenWaiting(world);
      await world.send("owner", "DELETE", `/workflow-runs/${given.run}`, { location_id: world.north });
      return given;
    },
    send: (world, { run }) => ["DELETE", `/workflow-runs/${run}`, { location_id: world.north }],
    expect: { status: 422 },
  }),
  row({
    name: "is not for a key that only reads",
    as: "readonly",
    given: givenWaiting,
    send: (world, { run }) => ["DELETE", `/workflow-runs/${run}`, { location_id: world.north }],
    expect: { status: 403, body: { required_scope: "workflows.write" } },
  }),
]);
