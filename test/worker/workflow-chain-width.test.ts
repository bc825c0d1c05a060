/** A chain of runs that grows wide is told of: a warning in the log, once an hour for each workflow, and a mark on the workflow. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  let service: Service;
  const told: unknown[][] = [];
  beforeAll(async () => {
    world = await createWorld(kind);
    const log = createConsola({ level: 1, reporters: [{ log: ({ args }) => told.push(args) }] });
    service = await openService(world.service.settings, { log, clock: world.clock });
  });
  afterAll(async () => {
    await service?.close();
    await world?.close();
  });

  /** As if the run had caused so many others. */
  const givenCaused = (origin: number, count: number) =>
    world.service.database.transaction(({ rows }) =>
      rows(
        `insert into workflow_runs (location_id, workflow_id, version_id, contact_id, status, context, origin_run_id, enrolled_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
         select location_id, workflow_id, version_id, contact_id, 'completed', '{}', workflow_runs.id, enrolled_at
         from workflow_runs cross join numbers where workflow_runs.id = ?`,
        [count, origin],
      ),
    );

  const markOf = async (id: number) => {
    const { body } = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
    return body.data.find((workflow: { id: number }) => workflow.id === id).chain_grew_at;
  };

  test("past its bound, and not before", async () => {
    const contact = await givenContact(world);
    const first = await givenWorkflow(world, { note: { type: "add_note", body: "1" } }, { allowReentry: true });
    const trigger = { event: "note.added" } as const;
    const second = await givenWorkflow(world, { rest: { type: "wait", for: "1m" } }, { trigger, allowReentry: true });
    const chain = async (caused: number) => {
      const origin = await givenRun(world, first, contact.id);
      await givenCaused(origin, caused);
      told.length = 0;
      await service.worker.runOnce();
      return [origin, await markOf(second)];
    };

    expect((await chain(limits.workflowRun.chain - 1))[1]).toBe(undefined);
    expect(told).toEqual([]);

    const [origin, mark] = await chain(limits.workflowRun.chain);
    expect(mark).toBe(world.clock.now().toISOString());
    expect(told).toMatchObject([
      [
        "a chain of workflow runs has grown past 1000 runs, and goes on",
        { workflow_id: second, origin_run_id: origin },
      ],
    ]);
    expect(await markOf(first)).toBe(undefined);

    world.clock.advance({ minutes: 59 });
    expect((await chain(limits.workflowRun.chain))[1]).toBe(mark);
    expect(told).toEqual([]);

    world.clock.advance({ minutes: 1 });
    expect((await chain(limits.workflowRun.chain))[1]).toBe(world.clock.now().toISOString());
    expect(told).toHaveLength(1);
  });

  test("a run is of the chain of the one that caused its cause", async () => {
    const contact = await givenContact(world);
    const ids: number[] = [];
    for (const [event, body] of [["note.added", "task"] as const, ["task.created", "note"] as const]) {
      const node =
        body === "task"
          ? ({ type: "create_task", title: "Call" } as const)
          : ({ type: "add_tag", tag: "hot" } as const);
      ids.push(await givenWorkflow(world, { act: node }, { trigger: { event } }));
    }
    const first = await givenWorkflow(world, { note: { type: "add_note", body: "1" } });
    const origin = await givenRun(world, first, contact.id);
    await service.worker.runOnce();
    const rows = await world.service.database.rows(
      "select workflow_id, depth, origin_run_id from workflow_runs where contact_id = ? and workflow_id in (?, ?) order by id",
      [contact.id, ids[0]!, ids[1]!],
    );
    expect(rows).toEqual([
      { workflow_id: ids[0], depth: 1, origin_run_id: origin },
      { workflow_id: ids[1], depth: 2, origin_run_id: origin },
    ]);
  });
});
