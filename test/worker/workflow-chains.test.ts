/** Workflows that cause what starts them, by a network in between: what became of a message is still the doing of the run that sent it. */
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import type { EventName } from "../../src/vocabulary/events.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { request } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation } from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** A gateway takes whatever comes after that: a chain without an end must not keep the tests. */
const enough = 20;

describe.each(sampleOf("chains of workflows", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterEach(() => world?.close());

  /** Until nothing moves any more. */
  async function work() {
    const count = async () =>
      (await world.service.database.rows<{ last: number }>("select max(id) as last from events"))[0]!.last;
    for (let before = -1, now = await count(); before !== now; before = now, now = await count())
      await world.service.worker.runOnce();
  }

  const gatewayChannel = (url: string) => givenChannel(world, { transport: "http", transport_url: url });

  /** A workflow that writes on the channel whenever that happens; resolves to its id. */
  const answering = (event: EventName, channelId: number) =>
    givenWorkflow(
      world,
      { say: { type: "send_message", channel_id: channelId, body: "Did you get it?" } },
      { trigger: { event } as never, allowReentry: true },
    );

  const runsOf = (workflow: number) =>
    world.service.database.rows<{ depth: number }>(
      "select depth from workflow_runs where workflow_id = ? order by id",
      [workflow],
    );

  test.each([
    ["message.sent", 200],
    ["message.failed", 422],
  ] as const)("a workflow that %s starts, and that raises it by a gateway, runs once", async (event, status) => {
    await using gateway = await startReceiver((_arrival, number) => (number > enough ? 500 : status));
    const channel = await gatewayChannel(gateway.url);
    const workflow = await answering(event, channel.id);
    await givenConversation(world, { channel_id: channel.id, body: "Good morning!" });
    await work();
    expect(await runsOf(workflow)).toEqual([{ depth: 0 }]);
    expect(gateway.arrivals).toHaveLength(2);
  });

  test("and so does one whose message fails by a receipt, much later", async () => {
    await using gateway = await startReceiver();
    const channel = await gatewayChannel(gateway.url);
    const workflow = await answering("message.failed", channel.id);
    await givenConversation(world, { channel_id: channel.id, body: "Good morning!" });
    await work();
    const { pathname: path } = new URL(channel.receipts_url!);
    for (let place = 0; place < gateway.arrivals.length && place < enough; place++) {
      world.clock.advance({ hours: 1 });
      const body = { message_id: gateway.arrivals[place]!.id, status: "failed", error: "No such number." };
      expect((await request(world.url, { method: "POST", path, body })).status).toBe(200);
      await work();
    }
    expect(await runsOf(workflow)).toHaveLength(1);
    expect(gateway.arrivals).toHaveLength(2);
  });

  test("a chain of two that answer each other by a gateway ends", async () => {
    await using gateway = await startReceiver((_arrival, number) => (number > enough ? 500 : 200));
    const channel = await gatewayChannel(gateway.url);
    const workflows = [await answering("message.sent", channel.id), await answering("message.sent", channel.id)];
    await givenConversation(world, { channel_id: channel.id, body: "Good morning!" });
    await work();
    const depths = Array.from({ length: limits.workflowRun.depth + 1 }, (_, depth) => ({ depth }));
    for (const workflow of workflows) expect(await runsOf(workflow)).toEqual(depths);
    expect(gateway.arrivals).toHaveLength(1 + 2 * depths.length);
  });

  it("wakes a run that waits to hear that what it sent has failed", async () => {
    await using gateway = await startReceiver(() => 422);
    const channel = await gatewayChannel(gateway.url);
    const contact = await givenContact(world);
    const workflow = await givenWorkflow(world, {
      say: { type: "send_message", channel_id: channel.id, body: "Good morning!", next: "listen" },
      listen: { type: "wait", event: "message.failed", timeout: "1h", on_timeout: "fine", next: "call" },
      call: { type: "exit" },
      fine: { type: "add_note", body: "It arrived." },
    });
    const run = await givenRun(world, workflow, contact.id);
    await work();
    expect(await runOf(world, run)).toMatchObject({ current_node_id: "call", ended_reason: "exited" });
  });
});
