/** Goals: a run that waits jumps to one as soon as it holds, whatever made it hold and whatever it waits for. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { deleteTag, updateTag } from "../../src/crm/tags/tag.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenOpportunity, givenTaggedContact, givenTask, made } from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("goals of workflows", 1, databaseKinds))("goals on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());

  const work = () => world.service.worker.runOnce();
  const patch = (path: string, body: object) =>
    made(world.send("owner", "PATCH", path, { location_id: world.north, ...body }));

  const restThenGoal = (when: unknown): Record<string, WorkflowNode> => ({
    rest: { type: "wait", for: "9d", next: "goal" },
    goal: { type: "goal", when } as WorkflowNode,
  });

  /** A contact with an opportunity of one dollar. */
  const deal = async () => {
    const { id: contact } = await givenContact(world);
    const { id } = await givenOpportunity(world, { contact_id: contact, value_cents: 100 });
    return { contact, id };
  };

  describe("what no event tells of", () => {
    interface Case {
      readonly contact: number;
      readonly when: unknown;
      readonly change: () => Promise<unknown>;
    }
    test.each<[string, () => Promise<Case>]>([
      [
        "the value of an opportunity",
        async () => {
          const { contact, id } = await deal();
          const when = [{ field: "value_cents", op: "gte", value: 5000 }];
          return { contact, when, change: () => patch(`/opportunities/${id}`, { value_cents: 5000 }) };
        },
      ],
      [
        "a task that is opened again",
        async () => {
          const { id: contact } = await givenContact(world);
          const task = await givenTask(world, { contact_id: contact });
          await patch(`/tasks/${task.id}`, { completed: true });
          return {
            contact,
            when: { has_open_task: true },
            change: () => patch(`/tasks/${task.id}`, { completed: false }),
          };
        },
      ],
      [
        "a tag that is deleted",
        async () => {
          const { contact, tag } = await givenTaggedContact(world);
          const caller = await world.service.inLocation(world.acme, world.north);
          const when = [{ field: "tag", op: "nin", value: [tag.name] }];
          return { contact: contact.id, when, change: () => deleteTag(caller, tag.id) };
        },
      ],
      [
        "a tag that gets the name that is waited for",
        async () => {
          const { contact, tag } = await givenTaggedContact(world);
          const caller = await world.service.inLocation(world.acme, world.north);
          const name = `${tag.name} of gold`;
          return { contact: contact.id, when: { tag: name }, change: () => updateTag(caller, tag.id, { name }) };
        },
      ],
    ])("%s", async (_what, given) => {
      const { contact, when, change } = await given();
      const run = await givenRun(world, await givenWorkflow(world, restThenGoal(when)), contact);
      await work();
      expect(await runOf(world, run)).toMatchObject({ status: "waiting" });
      const { events } = await world.eventsDuring(async () => {
        await change();
        await work();
      });
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "goal_met", current_node_id: "goal" });
      expect(events.map(({ event }) => event)).toEqual(["workflow.run_finished"]);
    });

    it("a deleted tag that the contact got between the pieces of the deletion", async () => {
      const { tag } = await givenTaggedContact(world);
      const { contact, tag: other } = await givenTaggedContact(world);
      const untagged = [{ field: "tag", op: "is_null", value: true }];
      const run = await givenRun(world, await givenWorkflow(world, restThenGoal(untagged)), contact.id);
      await work();
      const caller = await world.service.inLocation(world.acme, world.north);
      await deleteTag(caller, tag.id, async (removed) => {
        if (removed > 1) return;
        const ofContact = `/contacts/${contact.id}/tags`;
        await made(world.send("owner", "POST", ofContact, { location_id: world.north, tag_id: tag.id }));
        await made(world.send("owner", "DELETE", `${ofContact}/${other.id}?location_id=${world.north}`));
        await work();
        expect(await runOf(world, run)).toMatchObject({ status: "waiting" });
      });
      await work();
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "goal_met" });
    });

    it("whoever waits on, waits on as before; whoever has no goal is not looked at", async () => {
      const { contact, id } = await deal();
      const when = [{ field: "value_cents", op: "gte", value: 5000 }];
      const forReply = await givenWorkflow(world, {
        listen: { type: "wait", reply: true, next: "goal" },
        goal: { type: "goal", when } as WorkflowNode,
      });
      const without = await givenWorkflow(world, { rest: { type: "wait", for: "9d" } });
      const runs = [
        await givenRun(world, await givenWorkflow(world, restThenGoal(when)), contact),
        await givenRun(world, forReply, contact),
        await givenRun(world, without, contact),
      ];
      await work();
      const states = () => Promise.all(runs.map((run) => runOf(world, run)));
      const before = await states();
      world.clock.advance({ hours: 1 });
      await patch(`/opportunities/${id}`, { value_cents: 4999 });
      expect((await states())[2]).toEqual(before[2]);
      await work();
      expect(await states()).toEqual(before);
      await patch(`/opportunities/${id}`, { value_cents: 5000 });
      await work();
      expect((await states()).map((run) => run.ended_reason)).toEqual(["goal_met", "goal_met", null]);
    });
  });

  describe("a run that waits until its webhook is tried again", () => {
    const posts = (url: string, when: unknown): Record<string, WorkflowNode> => ({
      post: { type: "webhook", url, next: "goal" },
      goal: { type: "goal", when } as WorkflowNode,
    });

    it("waits its time, whatever else happens to its contact, and jumps when the goal holds", async () => {
      await using receiver = await startReceiver(() => 500);
      const contact = await givenContact(world, { city: "Paris" });
      const run = await givenRun(
        world,
        await givenWorkflow(world, posts(receiver.url, { city: "Boston" })),
        contact.id,
      );
      await work();
      const waiting = await runOf(world, run);
      expect(waiting).toMatchObject({
        status: "waiting",
        wake_at: new Date(world.clock.now().getTime() + 60_000).toISOString(),
      });
      world.clock.advance({ seconds: 1 });
      await patch(`/contacts/${contact.id}`, { city: "London" });
      await work();
      expect(await runOf(world, run)).toEqual(waiting);
      await patch(`/contacts/${contact.id}`, { city: "Boston" });
      await work();
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "goal_met" });
      expect(receiver.arrivals).toHaveLength(1);
    });

    it("jumps at once to what came to hold while it was posted", async () => {
      const { contact, id } = await deal();
      await using receiver = await startReceiver(() => async (response) => {
        await patch(`/opportunities/${id}`, { value_cents: 5000 });
        response.writeHead(500).end();
      });
      const nodes = posts(receiver.url, [{ field: "value_cents", op: "gte", value: 5000 }]);
      const run = await givenRun(world, await givenWorkflow(world, nodes), contact);
      await work();
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "goal_met" });
      expect(receiver.arrivals).toHaveLength(1);
    });
  });

  it("a node that threw is tried again at its time, whatever else happens to its contact", async () => {
    const contact = await givenContact(world, { city: "Paris" });
    const workflow = await givenWorkflow(world, {
      poison: { type: "add_note", body: "x", next: "goal" },
      goal: { type: "goal", when: { city: "Boston" } },
    });
    await world.service.database.transaction(({ rows }) =>
      rows(`update workflow_versions set definition = replace(definition, '"body":"x",', '') where workflow_id = ?`, [
        workflow,
      ]),
    );
    const run = await givenRun(world, workflow, contact.id);
    await work();
    const waiting = await runOf(world, run);
    expect(waiting).toMatchObject({ status: "waiting", wait_reason: "delay" });
    for (const city of ["London", "Rome", "Oslo"]) {
      world.clock.advance({ seconds: 1 });
      await patch(`/contacts/${contact.id}`, { city });
      await work();
      expect(await runOf(world, run)).toEqual(waiting);
    }
    world.clock.advance({ seconds: 57 });
    await work();
    expect(await runOf(world, run)).toMatchObject({
      wake_at: new Date(world.clock.now().getTime() + 300_000).toISOString(),
    });
  });
});
