/** Drafts, publishing and its errors, versions, and the runs of an unpublished workflow. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enroll } from "../../src/crm/workflow-runs/enrollment.service.ts";
import { unpublishWorkflow } from "../../src/crm/workflows/publishing.service.ts";
import { setSecret } from "../../src/crm/workflows/posting/workflow-secrets.ts";
import { publishWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { toWorkflow } from "../../src/crm/workflows/workflow.view.ts";
import { endSomeRuns } from "../../src/crm/workflows/unpublished-runs.ts";
import { findWorkflow } from "../../src/crm/workflows/workflow.queries.ts";
import { workflowInput, workflowPatch } from "../../src/crm/workflows/workflow.schema.ts";
import { createWorkflow, updateWorkflow } from "../../src/crm/workflows/workflow.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { readInput } from "../../src/kit/input/read-input.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenTag, made, pipelineOf, unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const waiting = { entry: "ask", nodes: { ask: { type: "wait", reply: true } } };
const leaving = { entry: "end", nodes: { end: { type: "exit" } }, trigger: { event: "form.submitted" } };

describe.each(sampleOf("published workflows", 1, databaseKinds))("workflows on %s", (kind) => {
  let world: World;
  let north: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    north = await world.service.inLocation(world.acme, world.north);
  });
  afterAll(() => world?.close());

  const create = (definition: object, fields: object = {}) =>
    north.change((change) =>
      createWorkflow(change, readInput(workflowInput, { name: `Workflow ${unique()}`, definition, ...fields })),
    );
  const update = (id: number, fields: object) =>
    north.change((change) => updateWorkflow(change, id, readInput(workflowPatch, fields)));
  const publish = (id: number, caller = north) => world.service.carryOut(publishWorkflow, caller, { workflow: id });
  const start = (workflowId: number, contactId: number) =>
    north.change((change) => enroll(change, { workflowId, contactId, context: {} }));
  const faultsOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "published",
      (error) => error.errors,
    );

  test("a draft may be invalid; publishing reports the errors, and leaves it a draft", async () => {
    const workflow = await create({ nonsense: true });
    expect(workflow).toMatchObject({ status: "draft", version: null, trigger_event: null });
    expect(await faultsOf(publish(workflow.id))).toMatchObject({
      definition: [expect.stringContaining("nonsense"), "The entry field is required.", "The nodes field is required."],
    });
    expect(await findWorkflow(north, workflow.id)).toEqual(workflow);
    await expect(publish(999_999)).rejects.toThrow("workflow.not_found");
  });

  test("a secret that a header names must be one of the workflow, for the address of the node", async () => {
    const headers = { "X-Api-Key": "{{secret.gateway}}" };
    const nodes = { post: { type: "webhook", url: "https://192.0.3.1/hook", headers } };
    const { id } = await create({ entry: "post", nodes });
    const fault = (end: string) => ({
      definition: [`The headers field of the node "post" names the secret "gateway", which ${end}`],
    });
    const set = (host: string) =>
      north.change((change) => setSecret(change, id, { key: "gateway", value: "s", origin: `https://${host}` }));
    expect(await faultsOf(publish(id))).toEqual(fault("this workflow does not have."));
    await set("192.0.3.2");
    expect(await faultsOf(publish(id))).toEqual(fault("is only sent to https://192.0.3.2."));
    await set("192.0.3.1");
    expect(await faultsOf(publish(id))).toBe("published");
  });

  test("a draft holds no secret of a header in clear", async () => {
    const of = (headers: object) => ({ entry: "a", nodes: { a: { type: "webhook", headers } } });
    const refused = { definition: [expect.stringMatching(/header X-Api-Key; take it from a secret/)] };
    expect(await faultsOf(create(of({ "X-Api-Key": "abc" })))).toEqual(refused);
    const { id } = await create(of({ "X-Api-Key": "{{secret.gateway}}", "X-Source": "crm" }));
    expect(await faultsOf(update(id, { definition: of({ "X-Api-Key": "abc" }) }))).toEqual(refused);
    const stored = await world.service.database.rows("select id from workflows where draft like '%abc%'");
    expect(stored).toEqual([]);
  });

  test("filters name custom fields that the workspace has defined", async () => {
    const key = `plan_${unique()}`;
    const branch = (field: string, next: string) => ({
      type: "branch",
      cases: [{ when: { [field]: "pro" }, next }],
    });
    const { id } = await create({
      entry: "one",
      trigger: { event: "form.submitted", filter: { [`custom.${key}`]: "pro" } },
      nodes: { one: branch(`custom.${key}`, "two"), two: branch("custom.nowhere", "end"), end: { type: "exit" } },
    });
    expect(await faultsOf(publish(id))).toEqual({
      definition: [
        expect.stringMatching(/^The trigger\.filter field/),
        expect.stringMatching(/^The cases\.0\.when field of the node "one"/),
        expect.stringMatching(/^The cases\.0\.when field of the node "two"/),
      ],
    });
    await made(world.send("owner", "POST", "/custom-fields", { key, name: key, type: "text", on: "contact" }));
    expect(await faultsOf(publish(id))).toEqual({
      definition: [expect.stringMatching(/names the custom field custom\.nowhere; there are custom\./)],
    });
    await update(id, {
      definition: { entry: "one", nodes: { one: branch(`custom.${key}`, "end"), end: { type: "exit" } } },
    });
    expect(await faultsOf(publish(id))).toBe("published");
  });

  test("references to missing records are reported by node, all at once", async () => {
    const south = await givenChannel(world, {}, world.south);
    const { id: elsewhere, stages } = await pipelineOf(world, world.south);
    const { id: pipeline } = await pipelineOf(world);
    const message = (channel_id: number, next: string) => ({ type: "send_message", channel_id, body: "Hello", next });
    const workflow = await create({
      entry: "write",
      nodes: {
        write: message(south.id, "again"),
        again: message((await givenChannel(world)).id, "tag"),
        tag: { type: "add_tag", tag: "No such tag", next: "untag" },
        untag: { type: "remove_tag", tag: 999_999, next: "move" },
        move: { type: "move_stage", pipeline_id: pipeline, stage_id: stages[0]!.id, next: "away" },
        away: { type: "move_stage", pipeline_id: elsewhere, stage_id: stages[0]!.id, next: "task" },
        task: { type: "create_task", title: "Call", assignee_user_id: world.users.otto, next: "own" },
        own: { type: "update_contact", set: { owner_user_id: world.users.otto }, next: "post" },
        post: { type: "webhook", url: "https://127.0.0.1/hook", next: "lost" },
        lost: { type: "webhook", url: "https://example.com/{{contact.city}}" },
      },
    });
    const person = "must name a person who has access to the location.";
    expect(await faultsOf(publish(workflow.id))).toEqual({
      definition: [
        'The url field of the node "lost" must not contain {{: a URL is not filled in, and is sent as it stands.',
        'The channel_id field of the node "write" must name a channel of the location.',
        'The tag field of the node "tag" must name a tag of the workspace.',
        'The tag field of the node "untag" must name a tag of the workspace.',
        'The stage_id field of the node "move" must name a stage of the location.',
        'The pipeline_id field of the node "away" must name a pipeline of the location.',
        'The stage_id field of the node "away" must name a stage of the location.',
        `The assignee_user_id field of the node "task" ${person}`,
        `The set.owner_user_id field of the node "own" ${person}`,
        'The url field of the node "post" must be a public address: what is or resolves to a private, local or reserved one is refused.',
      ],
    });
  });

  test("valid references are published, tags by name or id, and warnings are reported", async () => {
    const tag = await givenTag(world, `Very Important ${unique()}`);
    const { id: pipeline, stages } = await pipelineOf(world);
    const { id } = await create({
      entry: "tag",
      nodes: {
        tag: { type: "add_tag", tag: ` ${tag.name.toUpperCase()} `, next: "untag" },
        untag: { type: "remove_tag", tag: tag.id, next: "move" },
        move: { type: "move_stage", pipeline_id: pipeline, stage_id: stages[1]!.id, next: "task" },
        task: { type: "create_task", title: "Call {{contact.phone}}", assignee_user_id: world.users.nora },
      },
    });
    expect(await publish(id)).toMatchObject({
      id,
      status: "published",
      version: 1,
      warnings: [
        'The title field of the node "task" names {{contact.phone}}, which is always empty. Did you mean {{contact.phone_display}}?',
      ],
    });
  });

  test("a run keeps the version it started with, and a draft takes effect with the next publish", async () => {
    const { id } = await create(waiting, { allow_reentry: true });
    await publish(id);
    const contact = await givenContact(world);
    const before = await start(id, contact.id);
    await update(id, { definition: leaving, name: "Goodbye" });
    expect((await start(id, contact.id)).current_node_id).toBe("ask");
    expect(await publish(id)).toMatchObject({ name: "Goodbye", version: 2, trigger_event: "form.submitted" });
    expect((await start(id, contact.id)).current_node_id).toBe("end");
    const [kept] = await world.service.database.rows<{ definition: string }>(
      `select workflow_versions.definition from workflow_runs
       join workflow_versions on workflow_versions.id = workflow_runs.version_id where workflow_runs.id = ?`,
      [before.id],
    );
    expect(JSON.parse(kept!.definition)).toEqual(waiting);
  });

  test("publishing without changes creates no version, and an empty update changes nothing", async () => {
    const { id } = await create(waiting);
    const published = await publish(id);
    world.clock.advance({ minutes: 1 });
    expect(await publish(id)).toEqual(published);
    expect(published).toMatchObject(toWorkflow(await update(id, { definition: waiting })));
    expect((await update(id, { allow_reentry: true })).updated_at).toBe(world.clock.now().getTime());
  });

  test("unpublishing ends the runs in batches, and publishing again does not end new ones", async () => {
    const { id } = await create(waiting, { allow_reentry: true });
    await publish(id);
    const [one, other] = [await givenContact(world), await givenContact(world)];
    for (const { id: contactId } of [one, one, other]) await start(id, contactId);
    expect(await unpublishWorkflow(north, id)).toMatchObject({
      workflow: { status: "draft", version: null, trigger_event: null },
      ended: 3,
    });
    expect(await unpublishWorkflow(north, id)).toMatchObject({ ended: 0 });
    await expect(start(id, one.id)).rejects.toThrow("The workflow is not published.");
    expect(await publish(id)).toMatchObject({ status: "published", version: 1 });
    const run = await start(id, one.id);
    expect(await endSomeRuns(north, id)).toBeUndefined();
    const living = await world.service.database.rows(
      "select id from workflow_runs where workflow_id = ? and status in ('active', 'waiting')",
      [id],
    );
    expect(living).toEqual([{ id: run.id }]);
  });

  test("the worker finishes an interrupted unpublishing, even if the workflow is published again", async () => {
    const { id } = await create(waiting, { allow_reentry: true });
    await publish(id);
    const contact = await givenContact(world);
    const before = await start(id, contact.id);
    // The state after a process was killed between its first change and the next.
    await world.service.database.transaction(({ rows }) =>
      rows("update workflows set ends_runs_up_to = ? where id = ?", [before.id, id]),
    );
    const after = await start(id, contact.id);
    await world.service.worker.runOnce();
    const runs = await world.service.database.rows(
      "select id, ended_reason from workflow_runs where workflow_id = ? order by id",
      [id],
    );
    expect(runs).toEqual([
      { id: before.id, ended_reason: "workflow_unpublished" },
      { id: after.id, ended_reason: null },
    ]);
    const [workflow] = await world.service.database.rows("select ends_runs_up_to from workflows where id = ?", [id]);
    expect(workflow).toEqual({ ends_runs_up_to: null });
  });

  test("the number of workflows is limited per location", async () => {
    const place = await world.service
      .inWorkspace(world.acme)
      .change((change) => openLocation(change, { name: "Full" }));
    const full = await world.service.inLocation(world.acme, place.id);
    const definition = { entry: "end", nodes: { end: { type: "exit" } } };
    await full.change(async (change) => {
      for (let n = 0; n < limits.workflows; n++) await createWorkflow(change, { name: `W ${n}`, definition });
    });
    await expect(full.change((change) => createWorkflow(change, { name: "One more", definition }))).rejects.toThrow(
      "The location has 500 workflows, the most that it can have.",
    );
    await create(waiting);
  });

  test("a workflow of another location is not found", async () => {
    const { id } = await create(waiting);
    const south = await world.service.inLocation(world.acme, world.south);
    await expect(publish(id, south)).rejects.toThrow("workflow.not_found");
    await expect(unpublishWorkflow(south, id)).rejects.toThrow("workflow.not_found");
    await expect(south.change((change) => updateWorkflow(change, id, { name: "Mine" }))).rejects.toThrow(
      "workflow.not_found",
    );
  });
});
