/** Runs that come to a channel that is paused or cannot deliver wait, and continue when it sends again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.operations.ts";
import { countRunsOfChannel, removeRun } from "../../src/crm/workflows/workflow-run.operations.ts";
import { createChannelWaker } from "../../src/crm/workflows/engine/channel-wakes.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, made } from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("channels that do not send", 1, databaseKinds))("channels that do not send on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());

  const work = () => world.service.worker.runOnce();
  const caller = () => world.service.inLocation(world.acme, world.north);
  const setStatus = async (channel: number, status: "active" | "paused") =>
    world.service.carryOut(setChannelStatus, await caller(), { channel, input: { status } });
  const countOf = async (channel: number) =>
    (await world.service.carryOut(countRunsOfChannel, await caller(), { channel })).waiting_runs;
  const sending = (channel_id: number) =>
    givenWorkflow(world, {
      greet: { type: "send_message", channel_id, body: "Hello", next: "met" },
      met: { type: "goal", when: { city: "Boston" } },
    });
  async function messagesTo(contact: number): Promise<number> {
    const [found] = await world.service.database.rows<{ count: number }>(
      `select count(*) as count from messages join conversations on conversations.id = messages.conversation_id
       where contact_id = ?`,
      [contact],
    );
    return Number(found!.count);
  }

  test("a run waits for a paused channel, and sends once it is resumed", async () => {
    const channel = await givenChannel(world);
    await setStatus(channel.id, "paused");
    const contact = await givenContact(world);
    const run = await givenRun(world, await sending(channel.id), contact.id);
    await work();
    const waiting = {
      status: "waiting",
      wait_reason: "channel",
      current_node_id: "greet",
      wake_at: null,
      waiting_since: world.clock.now().toISOString(),
      awaited_channel_id: channel.id,
    };
    const shown = async () =>
      (await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`)).body;
    expect(await shown()).toMatchObject(waiting);
    expect(await countOf(channel.id)).toBe(1);
    // A change of the contact, which may meet the goal, wakes it: it waits on.
    world.clock.advance({ hours: 1 });
    await made(world.send("owner", "PATCH", `/contacts/${contact.id}`, { location_id: world.north, city: "Paris" }));
    await work();
    expect(await shown()).toMatchObject(waiting);
    expect(await messagesTo(contact.id)).toBe(0);

    await setStatus(channel.id, "active");
    await work();
    expect(await runOf(world, run)).toMatchObject({ status: "completed", ended_reason: "finished" });
    expect([await messagesTo(contact.id), await countOf(channel.id)]).toEqual([1, 0]);
    const ended = await shown();
    expect(ended).toMatchObject({ waiting_since: null, awaited_channel_id: null });
    expect(ended.steps.slice(0, 2)).toMatchObject([
      { node_id: "greet", outcome: "waits", detail: { wait_reason: "channel", channel_id: channel.id } },
      { node_id: "greet", outcome: "done", detail: { ended_by: "channel", next: "met" } },
    ]);
  });

  test("a goal that is met meanwhile ends the wait, and so does the removal of the run", async () => {
    const channel = await givenChannel(world);
    await setStatus(channel.id, "paused");
    const workflow = await sending(channel.id);
    const [one, other] = [await givenContact(world), await givenContact(world)];
    const there = await givenContact(world, { city: "Boston" });
    const runs = [await givenRun(world, workflow, one.id), await givenRun(world, workflow, other.id)];
    const atGoal = await givenRun(world, workflow, there.id);
    await work();
    // Met already when the run arrived.
    expect(await runOf(world, atGoal)).toMatchObject({ ended_reason: "goal_met" });
    await made(world.send("owner", "PATCH", `/contacts/${one.id}`, { location_id: world.north, city: "Boston" }));
    await world.service.carryOut(removeRun, await caller(), { workflow_run: runs[1]! });
    await work();
    expect(await runOf(world, runs[0]!)).toMatchObject({ ended_reason: "goal_met" });
    await setStatus(channel.id, "active");
    await work();
    expect([await countOf(channel.id), await messagesTo(one.id), await messagesTo(other.id)]).toEqual([0, 0, 0]);
  });

  test("on a channel that cannot deliver, one message at a time shows whether it does again", async () => {
    let isUp = false;
    await using gateway = await startReceiver(() => (isUp ? 200 : 503));
    const channel = await givenChannel(world, {
      kind: "sms",
      address: "(212) 555-0100",
      transport: "http",
      transport_url: gateway.url,
    });
    const workflow = await sending(channel.id);
    const contacts = [];
    for (const last of ["1", "2", "3"]) contacts.push(await givenContact(world, { phone: `(212) 555-010${last}` }));
    const runs = [await givenRun(world, workflow, contacts[0]!.id)];
    await work();
    expect(await world.service.database.rows("select status from channels where id = ?", [channel.id])).toEqual([
      { status: "error" },
    ]);
    // The first is in the queue of the channel; the others wait.
    for (const { id } of contacts.slice(1)) runs.push(await givenRun(world, workflow, id));
    await work();
    expect(await countOf(channel.id)).toBe(2);
    isUp = true;
    world.clock.advance({ minutes: 10 });
    await work();
    for (const run of runs) expect(await runOf(world, run)).toMatchObject({ status: "completed" });
    for (const { id } of contacts) expect(await messagesTo(id)).toBe(1);

    // With an empty queue the first of the runs that wait is the probe.
    isUp = false;
    await world.service.database.transaction(({ rows }) =>
      rows("update channels set status = 'paused' where id = ?", [channel.id]),
    );
    const again = [];
    for (const { id } of contacts) again.push(await givenRun(world, workflow, id));
    await work();
    await world.service.database.transaction(({ rows }) =>
      rows("update channels set status = 'error' where id = ?", [channel.id]),
    );
    world.clock.advance({ minutes: 1 });
    await work();
    expect(await countOf(channel.id)).toBe(2);
    isUp = true;
    world.clock.advance({ hours: 1 });
    await work();
    for (const run of again) expect(await runOf(world, run)).toMatchObject({ status: "completed" });
  });

  test("ten thousand runs continue in pieces, and those of other channels with them", async () => {
    const [one, other] = [await givenChannel(world), await givenChannel(world)];
    await setStatus(one.id, "paused");
    const workflow = await sending(one.id);
    await givenRun(world, workflow, (await givenContact(world)).id);
    await work();
    const { database } = world.service;
    const copy = (count: number, channel: number) =>
      database.transaction(({ rows }) =>
        rows(
          `insert into workflow_runs (location_id, workflow_id, version_id, contact_id, status, wait_reason, current_node_id,
             awaited_channel_id, context, enrolled_at)
           with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
           select location_id, workflow_id, version_id, contact_id, status, wait_reason, current_node_id, ${channel}, context,
             enrolled_at from workflow_runs cross join numbers where workflow_runs.workflow_id = ? and workflow_runs.id =
             (select min(id) from workflow_runs where workflow_id = ?)`,
          [workflow, workflow],
        ),
      );
    await copy(9999, one.id);
    await copy(3, other.id);
    await setStatus(one.id, "active");
    const waker = createChannelWaker(world.clock);
    const pieces: number[] = [];
    for (let before = 10_000, isMore = true; isMore;) {
      isMore = await waker.wake(database);
      const left = await countOf(one.id);
      if (left < before) pieces.push(before - left);
      before = left;
    }
    expect(pieces).toEqual(Array(20).fill(500));
    expect(await countOf(other.id)).toBe(0);
    await database.transaction(({ rows }) => rows("delete from workflow_runs where workflow_id = ?", [workflow]));
  });

  test("a hundred paused channels with waiting runs leave nothing to do", async () => {
    const channel = await givenChannel(world);
    const workflow = await sending(channel.id);
    await setStatus(channel.id, "paused");
    await givenRun(world, workflow, (await givenContact(world)).id);
    await work();
    const { database } = world.service;
    const [{ id: last }] = (await database.rows<{ id: number }>("select max(id) as id from channels")) as [
      { id: number },
    ];
    await database.transaction(async ({ rows }) => {
      await rows(
        `insert into channels (location_id, kind, name, address, transport, status, inbound_hash, inbound_token, created_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 100)
         select location_id, kind, name, address, transport, 'paused', 'hash ' || n, inbound_token, created_at
         from channels cross join numbers where channels.id = ?`,
        [channel.id],
      );
      await rows(
        `insert into workflow_runs (location_id, workflow_id, version_id, contact_id, status, wait_reason, current_node_id,
           awaited_channel_id, context, enrolled_at)
         select workflow_runs.location_id, workflow_id, version_id, contact_id, workflow_runs.status, wait_reason, current_node_id,
           channels.id, context, enrolled_at
         from workflow_runs cross join channels where workflow_id = ? and channels.id > ?`,
        [workflow, last],
      );
    });
    const waker = createChannelWaker(world.clock);
    expect([await waker.wake(database), await waker.wake(database)]).toEqual([true, false]);
    expect(await countOf(channel.id)).toBe(1);
  });
});
