/** Concurrent changes of one opportunity and one task: a consistent history of events, and no deadlocks. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteOpportunity, updateOpportunity } from "../../src/crm/opportunities/opportunity.service.ts";
import type { Change, LocationContext } from "../../src/events/caller.ts";
import type { HttpAnswer } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenOpportunity, givenTask, made, pipelineOf } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const atOnce = 24;

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const patch = (path: string, body: object) =>
    world.send("owner", "PATCH", path, { location_id: world.north, ...body });

  test("concurrent moves of one opportunity leave a consistent history of events", async () => {
    const { stages } = await pipelineOf(world);
    const opportunity = await givenOpportunity(world);
    const { result: answers, events } = await world.eventsDuring(() =>
      Promise.all(
        Array.from({ length: atOnce }, (_, number) =>
          patch(`/opportunities/${opportunity.id}`, {
            stage_id: stages[number % stages.length]!.id,
            lost_reason: `Reason ${number}`,
            value_cents: number,
          }),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(["opportunity.stage_changed"]));

    let stage = opportunity.stage.id;
    for (const { data } of events) {
      const move = data.changes.find(({ field }: { field: string }) => field === "stage_id");
      expect([move.old, move.new]).toEqual([stage, data.stage.id]);
      stage = move.new;
    }
    const path = `?location_id=${world.north}`;
    const { body: now } = await world.send("owner", "GET", `/opportunities/${opportunity.id}${path}`);
    const { body: contact } = await world.send("owner", "GET", `/contacts/${opportunity.contact!.id}${path}`);
    expect(now.stage.id).toBe(stage);
    expect(contact).toMatchObject({ stage: now.stage, value_cents: now.value_cents, opportunities: [now] });
  });

  test("a task that is completed concurrently raises one event", async () => {
    const task = await givenTask(world);
    const { result: answers, events } = await world.eventsDuring(() =>
      Promise.all(Array.from({ length: atOnce }, () => patch(`/tasks/${task.id}`, { completed: true }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(events.map(({ event }) => event)).toEqual(["task.completed"]);
  });

  test("a task that is deleted concurrently is gone for all requests but one", async () => {
    const { id: contact_id } = await givenContact(world);
    for (const given of [{ contact_id }, {}]) {
      const task = await givenTask(world, given);
      const remove = () => world.send("owner", "DELETE", `/tasks/${task.id}`, { location_id: world.north });
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, number) =>
          number % 3 === 1 ? remove() : patch(`/tasks/${task.id}`, { title: `Title ${number}` }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 204)).toHaveLength(1);
      expect(statuses.filter((status) => status !== 200 && status !== 204 && status !== 404)).toEqual([]);
    }
  });

  test("deleting a contact concurrently leaves its opportunities and tasks without a contact", async () => {
    const { stages } = await pipelineOf(world);
    const opportunity = await givenOpportunity(world);
    const contact_id = opportunity.contact!.id;
    const task = await givenTask(world, { contact_id });
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, number) => {
        if (number === atOnce / 2)
          return world.send("owner", "DELETE", `/contacts/${contact_id}`, { location_id: world.north });
        return number % 2 === 0
          ? patch(`/opportunities/${opportunity.id}`, { stage_id: stages[number % 3]!.id })
          : patch(`/tasks/${task.id}`, { completed: number % 4 === 1 });
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
    const { body } = await world.send("owner", "GET", `/opportunities/${opportunity.id}?location_id=${world.north}`);
    expect(body.contact).toBeNull();
    const afterwards = await world.service.database.rows(
      `select count(*) as count from events where contact_id = ? and id >
         (select id from events where contact_id = ? and event = 'contact.deleted')`,
      [contact_id, contact_id],
    );
    expect(afterwards).toEqual([{ count: 0 }]);
  });

  /** Removes the first stage of a new pipeline, which one of two opportunities leaves at the same moment; resolves to what follows. */
  async function whileItsStageGoes(
    leave: (change: Change<LocationContext>, id: number, stage: number) => Promise<unknown>,
  ) {
    const stages = (["Asked", "Offered", "Ordered"] as const).map((name) => ({ name, kind: "open" }));
    const pipeline = await made(
      world.send("owner", "POST", "/pipelines", { location_id: world.north, name: "Orders", stages }),
    );
    const [asked, offered, ordered] = pipeline.stages;
    const fields = { pipeline_id: pipeline.id, stage_id: asked.id };
    const [left, kept] = [await givenOpportunity(world, fields), await givenOpportunity(world, fields)];
    const caller = await world.service.inLocation(world.acme, world.north);
    let removal: Promise<HttpAnswer>;
    await caller.change(async (change) => {
      await leave(change, left.id, ordered.id);
      removal = patch(`/pipelines/${pipeline.id}`, { stages: [offered, ordered], move_to: offered.id });
      // On SQLite, the one writer, it begins when this is over.
      if (kind === "postgres") await expect.poll(() => world.service.database.rows(waiting)).toHaveLength(1);
    });
    const find = (id: number) => world.send("owner", "GET", `/opportunities/${id}?location_id=${world.north}`);
    return { removed: await removal!, left: await find(left.id), kept: await find(kept.id) };
  }
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

  test("an opportunity that leaves a stage while it is removed stays where it went", async () => {
    const after = await whileItsStageGoes((change, id, stage_id) => updateOpportunity(change, id, { stage_id }));
    expect(after.removed.status).toBe(200);
    expect([after.left.body.stage.name, after.kept.body.stage.name]).toEqual(["Ordered", "Offered"]);
  });

  test("a stage is removed although one of its opportunities is deleted at the same moment", async () => {
    const after = await whileItsStageGoes((change, id) => deleteOpportunity(change, id));
    expect([after.removed.status, after.left.status, after.kept.body.stage.name]).toEqual([200, 404, "Offered"]);
  });
});
