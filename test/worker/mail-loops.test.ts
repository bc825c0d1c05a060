/** Programs that answer each other come to an end: what workflows mail says so, automatic messages start and wake nothing, and an hour has a limit. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation, handIn, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const most = limits.automaticMessages;

describe.each(sampleOf("loops of mail", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let services: Service[];
  const logged: { sentence: string; fields: object }[] = [];
  beforeAll(async () => {
    world = await createWorld(kind);
    const log = createConsola({
      level: 1,
      reporters: [{ log: ({ args: [sentence, fields] }) => logged.push({ sentence, fields }) }],
    });
    const { settings } = world.service;
    services = await Promise.all([1, 2].map(() => openService(settings, { log, clock: world.clock })));
  });
  afterAll(async () => {
    for (const service of services ?? []) await service.close();
    await world?.close();
  });

  const work = () => Promise.all(services.map(({ worker }) => worker.runOnce()));
  const write = async (channel: { inbound_url: string }, from: string, more: object = {}) => {
    world.clock.advance({ seconds: 1 });
    return made(handIn(world, channel, { from, body: "I am away.", ...more }));
  };
  const silence = () =>
    world.service.database.transaction(({ rows }) => rows("update workflows set trigger_event = null"));
  const runsOf = async (workflow: number) =>
    (await world.service.database.rows("select id from workflow_runs where workflow_id = ?", [workflow])).length;
  const sentOn = async (channel: { id: number }) =>
    (
      await world.service.database.rows("select id from messages where channel_id = ? and direction = 'outbound'", [
        channel.id,
      ])
    ).length;

  it("what a workflow mails says that nobody wrote it, and what a person writes does not", async () => {
    await using server = await startMailServer();
    const fields = { address: "desk@acme.example", transport: "smtp", transport_url: server.url } as const;
    const channel = await givenChannel(world, { kind: "email", ...fields });
    const contact = await givenContact(world);
    const node: WorkflowNode = { type: "send_message", channel_id: channel.id, body: "Good morning!" };
    await givenRun(world, await givenWorkflow(world, { greet: node }), contact.id);
    await work();
    await givenConversation(world, { contact_id: contact.id, channel_id: channel.id, body: "It is me." });
    await work();
    expect(server.mails.map(({ headers }) => headers["auto-submitted"])).toEqual([["auto-generated"], undefined]);
  });

  test.each<[event: "message.received" | "conversation.created"]>([["message.received"], ["conversation.created"]])(
    "%s of an automatic message starts no workflow, and is told as every other",
    async (event) => {
      const workflow = await givenWorkflow(
        world,
        { note: { type: "add_note", body: "Started" } },
        { trigger: { event }, allowReentry: true },
      );
      const [robot, person] = [await givenContact(world), await givenContact(world)];
      const channel = await givenChannel(world);
      const { events } = await world.eventsDuring(async () => {
        await write(channel, robot.email, { automatic: true });
        await write(channel, person.email, { automatic: false });
      });
      expect(events.map(({ event: name, data }) => [name, data.automatic])).toEqual([
        ["conversation.created", true],
        ["message.received", true],
        ["conversation.created", undefined],
        ["message.received", undefined],
      ]);
      await work();
      expect(await runsOf(workflow)).toBe(1);
      await silence();
    },
  );

  test.each<[what: string, waits: WorkflowNode]>([
    ["a reply", { type: "wait", reply: true, timeout: "1d", on_timeout: "late", next: "heard" }],
    ["message.received", { type: "wait", event: "message.received", timeout: "1d", on_timeout: "late", next: "heard" }],
  ])("an automatic message ends no wait for %s, nor is it one when the time is over", async (_what, waits) => {
    const channel = await givenChannel(world);
    const nodes: Record<string, WorkflowNode> = {
      wait: waits,
      heard: { type: "add_note", body: "Heard" },
      late: { type: "add_note", body: "Late" },
    };
    const workflow = await givenWorkflow(world, nodes);
    const [robot, person] = [await givenContact(world), await givenContact(world)];
    const runs = [await givenRun(world, workflow, robot.id), await givenRun(world, workflow, person.id)];
    await work();
    await write(channel, robot.email, { automatic: true });
    await write(channel, person.email);
    await work();
    const states = async () => Promise.all(runs.map(async (id) => (await runOf(world, id)).status));
    const [waiting, over] = await states();
    expect([waiting, over === "waiting"]).toEqual(["waiting", false]);
    world.clock.advance({ days: 1 });
    const { events } = await world.eventsDuring(work);
    expect(events.flatMap(({ event, data }) => (event === "note.added" ? [data.body] : []))).toEqual(["Late"]);
  });

  it(`a robot that does not say what it is gets ${most} answers an hour, and the run and the log say why no more`, async () => {
    const [channel, other] = [await givenChannel(world), await givenChannel(world)];
    const contact = await givenContact(world);
    const node: WorkflowNode = { type: "send_message", channel_id: channel.id, body: "Thanks!" };
    const workflow = await givenWorkflow(
      world,
      { answer: node },
      { trigger: { event: "message.received" }, allowReentry: true },
    );
    logged.length = 0;
    for (let count = 0; count < most + 3; count += 1) {
      // Slower than a workflow is throttled.
      world.clock.advance({ seconds: 10 });
      await write(channel, contact.email);
      await work();
    }
    expect(await sentOn(channel)).toBe(most);
    await silence();
    const run = await givenRun(world, workflow, contact.id);
    const { events } = await world.eventsDuring(work);
    const error = `The node "answer": Workflows have sent this contact ${most} messages on this channel within an hour, the most allowed.`;
    expect(await runOf(world, run)).toMatchObject({ status: "failed", ended_reason: "error" });
    expect(events.map(({ event, data }) => [event, data.error])).toEqual([["workflow.run_finished", error]]);
    expect(logged).toHaveLength(4);
    expect(logged.at(-1)).toEqual({
      sentence: "a workflow has reached the most messages to a contact in an hour",
      fields: { run_id: run, contact_id: contact.id, channel_id: channel.id },
    });

    const elsewhere = await givenWorkflow(world, { answer: { ...node, channel_id: other.id } });
    await givenRun(world, elsewhere, contact.id);
    await givenRun(world, workflow, (await givenContact(world)).id);
    await work();
    expect([await sentOn(channel), await sentOn(other)], "another contact, another channel").toEqual([most + 1, 1]);

    // Messages of a clock that was set back since are not of this hour.
    world.clock.advance({ hours: -2 });
    await givenRun(world, workflow, contact.id);
    await work();
    expect(await sentOn(channel)).toBe(most + 2);

    world.clock.advance({ hours: 3, seconds: 1 });
    await givenRun(world, workflow, contact.id);
    await work();
    expect(await sentOn(channel)).toBe(most + 3);
  });

  it("the limit holds for all workflows and processes together, also where conversations are closed in between", async () => {
    const channel = await givenChannel(world);
    const contact = await givenContact(world);
    const node: WorkflowNode = { type: "send_message", channel_id: channel.id, body: "Thanks!" };
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 10; count += 1)
        await givenRun(world, await givenWorkflow(world, { answer: node }), contact.id);
      await work();
      await world.service.database.transaction(({ rows }) =>
        rows("update conversations set status = 'closed' where channel_id = ?", [channel.id]),
      );
    }
    expect(await sentOn(channel)).toBe(most);
  });
});
