/** Workflow runs from enrolling to their end: each node, what they wait for, and what ends them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenTag } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("workflow runs on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const work = () => world.service.worker.runOnce();

  it("go through their nodes, wait as long as they are told to, and finish", async () => {
    const contact = await givenContact(world);
    const tag = await givenTag(world);
    const workflow = await givenWorkflow(world, {
      mark: { type: "add_tag", tag: tag.name, next: "rest" },
      rest: { type: "wait", for: "1h", next: "note" },
      note: { type: "add_note", body: "Hello {{contact.first_name}}, {{context.who}}{{nobody}}" },
    });
    const { result: run, events } = await world.eventsDuring(async () => {
      const id = await givenRun(world, workflow, contact.id, { who: "you" });
      await work();
      return id;
    });
    expect(events.map(({ event }) => event)).toEqual(["workflow.run_started", "contact.tag_added"]);
    const wakeAt = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    expect(await runOf(world, run)).toMatchObject({
      status: "waiting",
      current_node_id: "rest",
      wait_reason: "delay",
      wake_at: wakeAt,
    });

    world.clock.advance({ minutes: 59 });
    await work();
    expect(await runOf(world, run)).toMatchObject({ status: "waiting", wake_at: wakeAt });

    world.clock.advance({ minutes: 1 });
    const after = await world.eventsDuring(work);
    expect(after.events.map(({ event, data }) => [event, data.body ?? data.ended_reason])).toEqual([
      ["note.added", "Hello Ada, you"],
      ["workflow.run_finished", "finished"],
    ]);
    expect(await runOf(world, run)).toMatchObject({
      status: "completed",
      current_node_id: "note",
      ended_reason: "finished",
      wait_reason: "none",
      wake_at: null,
      completed_at: wakeAt,
    });
  });
});
