/** Chains are bounded in width: past a number of runs from one origin, or of one workflow for one contact within a minute, no further ones start. */
import { createConsola } from "consola";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const { chain, ofMinute } = limits.workflowRun;

describe.each(sampleOf("widths of chains", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let service: Service;
  let mails: Awaited<ReturnType<typeof startMailServer>>;
  const told: unknown[][] = [];
  beforeAll(async () => {
    mails = await startMailServer();
    world = await createWorld(kind, {
      environment: { CRM_SMTP_URL: mails.url, CRM_MAIL_FROM: "crm@acme.example" },
      quiet: true,
    });
    const log = createConsola({ level: 1, reporters: [{ log: ({ args }) => told.push(args) }] });
    service = await openService(world.service.settings, { log, clock: world.clock });
  });
  beforeEach(() => {
    told.length = 0;
    mails.mails.length = 0;
    // Past the minute, and the day, of the test before.
    world.clock.advance({ days: 2 });
  });
  afterAll(async () => {
    await service?.close();
    await world?.close();
    await mails?.[Symbol.asyncDispose]();
  });

  const workflowOf = async (id: number) => {
    const { body } = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
    return body.data.find((workflow: { id: number }) => workflow.id === id);
  };
  const countRuns = async (workflow: number) => {
    const runs = await world.service.database.rows("select id from workflow_runs where workflow_id = ?", [workflow]);
    return runs.length;
  };
  /** One that notes what happens starts the other, with a pause in between: `caused` others have been caused before. */
  async function givenChain(caused: number) {
    const contact = await givenContact(world);
    const first = await givenWorkflow(world, { note: { type: "add_note", body: "1" } }, { allowReentry: true });
    const trigger = { event: "note.added" } as const;
    const second = await givenWorkflow(world, { rest: { type: "wait", for: "1m" } }, { trigger, allowReentry: true });
    const origin = await givenRun(world, first, contact.id);
    await world.service.database.transaction(({ rows }) =>
      rows("update workflow_runs set caused_runs = ? where id = ?", [caused, origin]),
    );
    return { origin, second };
  }

  test.each([
    [chain - 1, 1],
    [chain, 0],
  ])("an origin that has caused %i runs causes %i more", async (caused, more) => {
    const { origin, second } = await givenChain(caused);
    await service.worker.runOnce();
    expect(await countRuns(second)).toBe(more);
    const [counted] = await world.service.database.rows<{ caused_runs: number }>(
      "select caused_runs from workflow_runs where id = ?",
      [origin],
    );
    expect(counted).toEqual({ caused_runs: chain });
    const { throttled_at: at, last_7_days: counts } = await workflowOf(second);
    expect(counts).toMatchObject({ started: more, throttled: 1 - more });
    expect(at).toBe(more === 1 ? undefined : world.clock.now().toISOString());
    await world.service.database.transaction(({ rows }) => rows("update workflows set trigger_event = null"));
  });

  test("a workflow starts ten times a minute for a contact, and again in the next; contacts are counted apart", async () => {
    const [one, other] = [await givenContact(world), await givenContact(world)];
    const trigger = { event: "form.submitted" } as const;
    const workflow = await givenWorkflow(world, { end: { type: "exit" } }, { trigger, allowReentry: true });
    const submit = async (contact: number, times: number) => {
      for (let count = 0; count < times; count += 1)
        await made(
          world.send("owner", "POST", "/events", {
            location_id: world.north,
            contact_id: contact,
            event: "form.submitted",
            data: {},
          }),
        );
      await service.worker.runOnce();
      return countRuns(workflow);
    };
    expect(await submit(one.id, ofMinute + 2)).toBe(ofMinute);
    expect(await submit(other.id, 1)).toBe(ofMinute + 1);
    world.clock.advance({ seconds: 59 });
    expect(await submit(one.id, 1)).toBe(ofMinute + 1);
    world.clock.advance({ seconds: 1 });
    expect(await submit(one.id, 1)).toBe(ofMinute + 2);
    expect((await workflowOf(workflow)).last_7_days).toMatchObject({ started: ofMinute + 2, throttled: 3 });
    // A request is not automatic.
    for (let count = 0; count < ofMinute; count += 1) await givenRun(world, workflow, one.id);
    expect(await countRuns(workflow)).toBe(2 * ofMinute + 2);
    // Runs of a clock that was set back since are not of this minute.
    world.clock.advance({ hours: -1 });
    expect(await submit(one.id, ofMinute + 1)).toBe(3 * ofMinute + 2);
    world.clock.advance({ hours: 1 });
  });

  test("start_workflow starts no further run either, and its run goes on", async () => {
    const contact = await givenContact(world);
    const target = await givenWorkflow(world, { end: { type: "exit" } }, { allowReentry: true });
    const starting = await givenWorkflow(world, { go: { type: "start_workflow", workflow_id: target } });
    for (let count = 0; count < ofMinute; count += 1) await givenRun(world, target, contact.id);
    await givenRun(world, starting, contact.id);
    await service.worker.runOnce();
    expect(await countRuns(target)).toBe(ofMinute);
    expect((await workflowOf(target)).last_7_days).toMatchObject({ throttled: 1 });
    const ended = await world.service.database.rows("select ended_reason from workflow_runs where workflow_id = ?", [
      starting,
    ]);
    expect(ended).toEqual([{ ended_reason: "finished" }]);
  });

  test("the owners are told once a day, by mail and in the log", async () => {
    const refusedAgain = async () => {
      const { second } = chained;
      await world.service.database.transaction(({ rows }) =>
        rows("update workflow_runs set caused_runs = ? where id = ?", [chain, chained.origin]),
      );
      await givenRun(world, chained.first, chained.contact);
      await world.service.database.transaction(({ rows }) => rows("update workflow_runs set caused_runs = ?", [chain]));
      for (let round = 0; round < 3; round += 1) {
        await service.worker.runOnce();
        world.clock.advance({ hours: 1 });
      }
      return [second, mails.mails.length];
    };
    const made = await givenChain(chain);
    const [{ workflow_id: first, contact_id: contact }] = (await world.service.database.rows<{
      workflow_id: number;
      contact_id: number;
    }>("select workflow_id, contact_id from workflow_runs where id = ?", [made.origin])) as [never];
    const chained = { ...made, first, contact };
    expect((await refusedAgain())[1]).toBe(1);
    const { name } = await workflowOf(made.second);
    expect(mails.mails[0]).toMatchObject({ to: ["olga@acme.example"] });
    expect(mails.mails[0]!.headers["subject"]).toEqual([`Workflow ${made.second} (${name}) is throttled`]);
    expect(told).toEqual([["a workflow is throttled", expect.objectContaining({ workflow_id: made.second })]]);
    expect((await refusedAgain())[1]).toBe(1);
    world.clock.advance({ days: 1 });
    expect((await refusedAgain())[1]).toBe(2);
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
