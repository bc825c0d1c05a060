/** A request that names a record which another one deletes at the same moment finds it, or finds it gone: neither is an error of the service. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenTag, made, unique } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { untilOneWaits } from "../support/meet.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const rounds = 8;

describe.each([...databaseKinds])("deleted meanwhile on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const send = (method: string, path: string, body: object = {}) =>
    world.send("owner", method, path, { location_id: world.north, ...body });

  /** What a request answers that finds a record whose deletion is committed before the request writes what refers to it. */
  async function afterDeletion(text: string, id: number, use: () => ReturnType<typeof send>) {
    const { database } = world.service;
    let used: ReturnType<typeof send>;
    await database.transaction(async ({ rows }) => {
      await rows(text, [id]);
      used = use();
      await untilOneWaits(database);
    });
    return used!;
  }

  test("a tag that a contact gets", async () => {
    const { id } = await givenContact(world);
    const tag = await givenTag(world);
    const add = () => send("POST", `/contacts/${id}/tags`, { tag_id: tag.id });
    expect(await afterDeletion("delete from tags where id = ?", tag.id, add)).toMatchObject({
      status: 404,
      body: { error: "tag.not_found" },
    });
  });

  test("a stage in which an opportunity is created", async () => {
    const { id: contact_id } = await givenContact(world);
    const stages = [
      { name: "Asked", kind: "open" },
      { name: "Repaired", kind: "won" },
    ];
    const pipeline = await made(send("POST", "/pipelines", { name: `Repairs ${unique()}`, stages }));
    const stage_id = pipeline.stages[1].id;
    const create = () => send("POST", "/opportunities", { contact_id, pipeline_id: pipeline.id, stage_id });
    expect(await afterDeletion("delete from stages where id = ?", stage_id, create)).toMatchObject({
      status: 422,
      body: { errors: { stage_id: [expect.any(String)] } },
    });
  });

  test("a tag and a custom field that are changed", async () => {
    const tag = await givenTag(world);
    const field = await made(
      send("POST", "/custom-fields", { on: "contact", name: `Field ${unique()}`, type: "text" }),
    );
    const rename = (path: string) => () => send("PATCH", path, { name: `Renamed ${unique()}` });
    expect(await afterDeletion("delete from tags where id = ?", tag.id, rename(`/tags/${tag.id}`))).toMatchObject({
      status: 404,
      body: { error: "tag.not_found" },
    });
    const text = "delete from custom_fields where id = ?";
    expect(await afterDeletion(text, field.id, rename(`/custom-fields/${field.id}`))).toMatchObject({
      status: 404,
      body: { error: "custom_field.not_found" },
    });
  });

  test("a workflow whose run is retried", async () => {
    const contact = await givenContact(world);
    for (let round = 0; round < rounds; round++) {
      const workflow = await givenWorkflow(world, { pause: { type: "wait", for: "1d" } });
      const id = await givenRun(world, workflow, contact.id);
      const [deletion, ...retries] = await Promise.all([
        send("DELETE", `/workflows/${workflow}`),
        ...Array.from({ length: 6 }, () => send("POST", `/workflow-runs/${id}/retry`)),
      ]);
      expect(deletion.status).toBe(204);
      expect(retries.filter(({ status }) => status !== 422 && status !== 404)).toEqual([]);
    }
  });
});
