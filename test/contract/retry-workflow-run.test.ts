/** POST /workflow-runs/{id}/retry, and the retry of all failed runs of a workflow */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retryFailedRuns } from "../../src/crm/workflows/workflow-run.operations.ts";
import { unpublishWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { sampleOf } from "../support/chance.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** A run that has failed at `note`, because its text is empty once expanded; a company mends it. */
async function givenFailed(world: World, { allowReentry = false, count = 1 } = {}) {
  const workflow = await givenWorkflow(
    world,
    {
      tag: { type: "add_tag", tag: "VIP", next: "note" },
      note: { type: "add_note", body: "{{contact.company}}", next: "wait" },
      wait: { type: "wait", reply: true },
    },
    { allowReentry },
  );
  const contact = await givenContact(world, { company: null });
  await world.send("owner", "POST", "/tags", { location_id: world.north, name: "VIP" });
  const runs: number[] = [];
  for (let left = count; left > 0; left -= 1) runs.push(await givenRun(world, workflow, contact.id));
  await world.service.worker.runOnce();
  expect(await runOf(world, runs[0]!)).toMatchObject({ status: "failed", current_node_id: "note" });
  return { workflow, contact, runs, run: runs[0]! };
}

type Given = Awaited<ReturnType<typeof givenFailed>>;

const retry = (world: World, { run }: Given) =>
  ["POST", `/workflow-runs/${run}/retry`, { location_id: world.north }] as const;

const mend = (world: World, { contact }: Given) =>
  made(world.send("owner", "PATCH", `/contacts/${contact.id}`, { location_id: world.north, company: "Ferrari" }));

const refused = (name: string, sentence: string, spoil: (world: World, given: Given) => Promise<unknown>) =>
  row({
    name,
    async given(world) {
      const given = await givenFailed(world);
      await spoil(world, given);
      return given;
    },
    send: retry,
    expect: { status: 422, body: { errors: { run: [sentence] } } },
  });

contract("retryRun", [
  row({
    name: "continues at the node that failed, and repeats none before it",
    async given(world) {
      const given = await givenFailed(world);
      await mend(world, given);
      return given;
    },
    send: retry,
    expect: {
      status: 200,
      body: { status: "active", current_node_id: "note", ended_reason: null, completed_at: null, wake_at: null },
    },
    async afterwards(world, { run }) {
      await world.service.worker.runOnce();
      const { body } = await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`);
      expect(body).toMatchObject({ status: "waiting", current_node_id: "wait", error: null, attempts: 0 });
      expect(
        body.steps.map((step: { node_id: string; type: string; outcome: string }) =>
          Object.values(step).slice(0, 2).concat(step.outcome),
        ),
      ).toEqual([
        ["tag", "add_tag", "done"],
        ["note", "add_note", "failed"],
        ["note", "add_note", "retried"],
        ["note", "add_note", "done"],
        ["wait", "wait", "waits"],
      ]);
    },
  }),
  row({
    name: "fails again while the cause remains",
    given: (world) => givenFailed(world),
    send: retry,
    expect: { status: 200, body: { status: "active" } },
    async afterwards(world, { run }) {
      await world.service.worker.runOnce();
      expect(await runOf(world, run)).toMatchObject({ status: "failed", current_node_id: "note" });
    },
  }),
  refused(
    "refuses a run that is active",
    "Only a failed run can be retried; this one is active.",
    async (world, given) => made(world.send("owner", ...retry(world, given))),
  ),
  refused(
    "refuses a run whose contact is in the workflow again",
    "The contact has an active run of this workflow already.",
    (world, { workflow, contact }) => givenRun(world, workflow, contact.id),
  ),
  refused("refuses a run of a deleted contact", "The contact of the run was deleted.", (world, { contact }) =>
    world.send("owner", "DELETE", `/contacts/${contact.id}?location_id=${world.north}`),
  ),
  refused(
    "refuses a run of an unpublished workflow",
    "The workflow of the run is not published.",
    async (world, { workflow }) =>
      world.service.carryOut(unpublishWorkflow, await world.service.inLocation(world.acme, world.north), { workflow }),
  ),
]);

describe.each(sampleOf("retries of runs", 1, databaseKinds))("retries on %s", (kind) => {
  let world: World;
  let other: Service;
  beforeAll(async () => {
    world = await createWorld(kind);
    other = await openService(world.service.settings, { log: createConsola({ level: 1 }), clock: world.clock });
  });
  afterAll(async () => {
    await other?.close();
    await world?.close();
  });

  test("of fifty concurrent ones one continues the run, which performs its node once", async () => {
    const given = await givenFailed(world);
    await mend(world, given);
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.send("owner", ...retry(world, given))));
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      200,
      ...Array(49).fill(422),
    ]);
    await world.service.worker.runOnce();
    const { body } = await world.send("owner", "GET", `/contacts/${given.contact.id}?location_id=${world.north}`);
    expect(body.notes.map((note: { body: string }) => note.body)).toEqual(["Ferrari"]);
  });

  test("all failed runs of a workflow since a time continue, and the refused are counted by reason", async () => {
    const early = await givenFailed(world);
    world.clock.advance({ hours: 2 });
    // Two of one contact, which may have one active run.
    const caller = await world.service.inLocation(world.acme, world.north);
    const again = (service: Service, workflow: number, hours: number) =>
      service.carryOut(retryFailedRuns, caller, {
        workflow,
        input: { since: new Date(world.clock.now().getTime() - hours * 3_600_000).toISOString() } as never,
      });
    expect(await again(world.service, early.workflow, 1)).toEqual({ retried: 0, refused: {} });
    expect(await again(world.service, early.workflow, 3)).toEqual({ retried: 1, refused: {} });

    const repeated = await givenFailed(world, { allowReentry: true, count: 3 });
    await world.service.database.transaction(({ rows }) =>
      rows("update workflows set allow_reentry = ? where id = ?", [false, repeated.workflow]),
    );
    expect(await again(other, repeated.workflow, 1)).toEqual({
      retried: 1,
      refused: { "The contact has an active run of this workflow already.": 2 },
    });
  });
});
