/** Where the listening of webhooks and workflows begins: what is committed afterwards is told and starts runs, what was there before does not. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createConsola } from "consola";
import { unpublishWorkflow } from "../../src/crm/workflows/publishing.service.ts";
import { publishWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { workflowInput, workflowPatch } from "../../src/crm/workflows/workflow.schema.ts";
import { createWorkflow, updateWorkflow } from "../../src/crm/workflows/workflow.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { readInput } from "../../src/kit/input/read-input.ts";
import { openService } from "../../src/service.ts";
import { updateHook } from "../../src/webhooks/hooks/hook.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { someEvent, stampAll } from "../support/events.ts";
import { givenHook } from "../support/given-hooks.ts";
import { givenContact, unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("beginnings on %s", (kind) => {
  let world: World;
  let north: Caller<LocationContext>;
  beforeEach(async () => {
    world = await createWorld(kind);
    north = await world.service.inLocation(world.acme, world.north);
  });
  afterEach(() => world?.close());

  /** Does what is due in a worker that has only just begun. */
  async function workAnew(): Promise<void> {
    const service = await openService(world.service.settings, {
      log: createConsola({ level: -999 }),
      clock: world.clock,
    });
    try {
      await service.worker.runOnce();
    } finally {
      await service.close();
    }
  }

  /** A webhook of what happens to contacts, for which deliveries wait. */
  async function givenListener(): Promise<number> {
    const { id } = await givenHook(world);
    await world.service.inWorkspace(world.acme).change((change) => updateHook(change, id, { status: "paused" }));
    return id;
  }

  async function toldOf(hook: number): Promise<number[]> {
    const rows = await world.service.database.rows<{ event_id: number }>(
      "select event_id from deliveries where hook_id = ? order by event_id",
      [hook],
    );
    return rows.map(({ event_id }) => event_id);
  }

  const definition = (trigger: object) => ({ entry: "end", nodes: { end: { type: "exit" } }, trigger });
  const onCreated = definition({ event: "contact.created" });

  async function givenPublished(given: object): Promise<number> {
    const { id } = await north.change((change) =>
      createWorkflow(change, readInput(workflowInput, { name: `Workflow ${unique()}`, definition: given })),
    );
    await publish(id);
    return id;
  }

  const publish = (id: number) => world.service.carryOut(publishWorkflow, north, { workflow: id });

  async function startedFor(workflow: number): Promise<number[]> {
    const rows = await world.service.database.rows<{ contact_id: number }>(
      "select contact_id from workflow_runs where workflow_id = ? order by id",
      [workflow],
    );
    return rows.map(({ contact_id }) => contact_id);
  }

  // On SQLite there is one change at a time: its ids are in the order of the commits.
  test.each(kind === "postgres" ? [kind] : [])(
    "on %s, a webhook is told of what is committed after it was registered, though its id was given before that of another",
    async () => {
      const [begun, mayEnd] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
      const slow = north.change(async (change) => {
        begun.resolve((await change.record(someEvent))[0]!);
        await mayEnd.promise;
      });
      const id = await begun.promise;
      await givenContact(world);
      const hook = await givenListener();
      mayEnd.resolve();
      await slow;
      await workAnew();
      expect(await toldOf(hook)).toEqual([id]);
    },
  );

  test("and of nothing that was committed before, whether or not it had its position", async () => {
    await givenContact(world);
    await stampAll(world.service.database);
    await givenContact(world);
    const hook = await givenListener();
    await workAnew();
    expect(await toldOf(hook)).toEqual([]);
    await givenContact(world);
    await workAnew();
    expect(await toldOf(hook)).toHaveLength(1);
  });

  test("nor of what was committed while it was disabled, also where a new worker looks at the log again", async () => {
    const hook = await givenListener();
    // The first read moves the stored position; events without a listener then advance it only in this worker's memory.
    await givenContact(world);
    await world.service.worker.runOnce();
    const told = await toldOf(hook);
    expect(told).toHaveLength(1);
    await world.service.database.transaction(({ rows }) =>
      rows("update hooks set status = 'disabled' where id = ?", [hook]),
    );
    await givenContact(world);
    await world.service.worker.runOnce();
    await world.service.inWorkspace(world.acme).change((change) => updateHook(change, hook, { status: "paused" }));
    await workAnew();
    expect(await toldOf(hook)).toEqual(told);
    await givenContact(world);
    await workAnew();
    expect(await toldOf(hook)).toHaveLength(2);
  });

  test("of more than one go gives positions to, either", async () => {
    const many = Array.from({ length: 1500 }, () => someEvent);
    await north.change((change) => change.record(...many));
    const hook = await givenListener();
    const workflow = await givenPublished(onCreated);
    await workAnew();
    expect([await toldOf(hook), await startedFor(workflow)]).toEqual([[], []]);
    const { id } = await givenContact(world);
    await workAnew();
    expect([await toldOf(hook), await startedFor(workflow)]).toEqual([[expect.any(Number)], [id]]);
  });

  test("a workflow is started by what happens after it was published, also where a new worker looks at the log again", async () => {
    // The first read moves the stored position; events without a listener then advance it only in this worker's memory.
    for (const first_name of ["Ada", "Grace"]) {
      await givenContact(world, { first_name });
      await world.service.worker.runOnce();
    }
    const workflow = await givenPublished(onCreated);
    await workAnew();
    expect(await startedFor(workflow)).toEqual([]);
    const { id } = await givenContact(world);
    await workAnew();
    expect(await startedFor(workflow)).toEqual([id]);
  });

  test("another version starts for what happened under the one before; another trigger, or publishing it again, begins anew", async () => {
    const workflow = await givenPublished(onCreated);
    const draft = (given: object) =>
      north.change((change) => updateWorkflow(change, workflow, readInput(workflowPatch, { definition: given })));
    const { id: ada } = await givenContact(world);
    await draft(definition({ event: "contact.created", filter: {} }));
    await publish(workflow);
    await workAnew();
    expect(await startedFor(workflow)).toEqual([ada]);

    await givenContact(world);
    await unpublishWorkflow(north, workflow);
    await publish(workflow);
    await workAnew();
    expect(await startedFor(workflow)).toEqual([ada]);

    await givenContact(world);
    await draft(definition({ event: "contact.updated" }));
    await publish(workflow);
    await draft(onCreated);
    await publish(workflow);
    await workAnew();
    expect(await startedFor(workflow)).toEqual([ada]);
  });
});
