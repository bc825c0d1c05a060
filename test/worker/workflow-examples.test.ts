/** The workflows of examples/: each is created, published and run to an end, as a location would see it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { unpublishWorkflow } from "../../src/crm/workflows/publishing.service.ts";
import { createWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenOpportunity, made, pipelineOf } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const folder = join(import.meta.dirname, "../../examples/workflows");
const examples = readdirSync(folder).filter((name) => name.endsWith(".json"));

test("there are three", () => {
  expect(examples).toEqual(["ask-for-a-review.json", "chase-a-quiet-deal.json", "welcome-a-lead.json"]);
});

describe.each(sampleOf("examples of workflows", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let contact: { id: number; email: string };
  let workflow: number;
  let inboundUrl: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    // As the examples name it.
    const channel = await givenChannel(world, { kind: "email", name: "Desk", address: "desk@example.com" });
    expect(channel.id).toBe(1);
    inboundUrl = channel.inbound_url;
  });
  beforeEach(async () => {
    contact = await givenContact(world);
  });
  // So that no event starts what another test has published.
  afterEach(async () => unpublishWorkflow(await world.service.inLocation(world.acme, world.north), workflow));
  afterAll(() => world?.close());

  async function publish(file: string) {
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = JSON.parse(readFileSync(join(folder, file), "utf8")) as unknown;
    const input = { name: "Example", definition, publish: true };
    const published = await world.service.carryOut(createWorkflow, caller, { input });
    workflow = published.id;
    return published;
  }

  const work = () => world.service.worker.runOnce();
  const pass = async (days: number) => {
    world.clock.advance({ days });
    await work();
  };
  const report = async (event: string) => {
    await made(
      world.send("owner", "POST", "/events", {
        location_id: world.north,
        event,
        contact_id: contact.id,
        data: { form: "Offer" },
      }),
    );
    await work();
  };
  const answer = async () => {
    world.clock.advance({ minutes: 1 });
    const response = await fetch(inboundUrl.replace(/^https?:\/\/[^/]+/, world.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ from: contact.email, body: "What does it cost?" }),
    });
    expect(response.status).toBe(201);
    await work();
  };
  const runs = async () => {
    const { body } = await world.send("owner", "GET", `/workflows/${workflow}/runs?location_id=${world.north}`);
    return body.data.map(({ status, current_node_id, ended_reason }: Record<string, unknown>) =>
      [status, current_node_id, ended_reason].join(" ").trim(),
    );
  };
  /** What the timeline tells, the oldest first. */
  const story = async () => {
    const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
    return body.activities.map(({ kind: event }: { kind: string }) => event).toReversed();
  };

  it("welcomes a lead, who answers", async () => {
    expect(await publish("welcome-a-lead.json")).toMatchObject({ status: "published", warnings: [] });
    await report("form.submitted");
    expect(await runs()).toEqual(["waiting listen"]);
    await answer();
    expect(await runs()).toEqual(["completed listen replied"]);
    expect(await story()).toEqual([
      "contact.created",
      "form.submitted",
      "workflow.run_started",
      "conversation.created",
      "message.sent",
      "message.received",
      "workflow.run_finished",
    ]);
  });

  it("welcomes a lead, who does not answer", async () => {
    await publish("welcome-a-lead.json");
    await report("form.submitted");
    await pass(2);
    expect(await runs()).toEqual(["waiting listen_again"]);
    await pass(3);
    expect(await runs()).toEqual(["completed hand_over finished"]);
    const { body } = await world.send("owner", "GET", `/tasks?location_id=${world.north}&contact_id=${contact.id}`);
    expect(body.data).toMatchObject([{ title: expect.stringMatching(/^Call Ada Number \d+, who has not answered$/) }]);
  });

  it("chases a quiet deal until it is decided", async () => {
    expect(await publish("chase-a-quiet-deal.json")).toMatchObject({ warnings: [] });
    const deal = await givenOpportunity(world, { contact_id: contact.id, name: "Difference engine" });
    await work();
    expect(await runs()).toEqual(["waiting rest"]);
    await pass(7);
    expect(await runs()).toEqual(["waiting listen"]);
    await answer();
    expect(await runs()).toEqual(["waiting rest"]);
    const { stages } = await pipelineOf(world);
    const won = stages.find(({ kind: stage }: { kind: string }) => stage === "won")!;
    await made(
      world.send("owner", "PATCH", `/opportunities/${deal.id}`, { location_id: world.north, stage_id: won.id }),
    );
    await work();
    expect(await runs()).toEqual([expect.stringMatching(/^completed \w+ goal_met$/)]);
    const { body } = await world.send("owner", "GET", `/tasks?location_id=${world.north}&contact_id=${contact.id}`);
    expect(body.data).toMatchObject([
      { title: expect.stringMatching(/^Answer Ada Number \d+ about Difference engine$/) },
    ]);
  });

  it("asks for a review after a won deal, and not after another move", async () => {
    expect(await publish("ask-for-a-review.json")).toMatchObject({ warnings: [] });
    const deal = await givenOpportunity(world, { contact_id: contact.id });
    const { stages } = await pipelineOf(world);
    for (const [stage, expected] of [
      [stages[1]!, []],
      [stages.find(({ kind: found }: { kind: string }) => found === "won")!, ["waiting rest"]],
    ] as const) {
      await made(
        world.send("owner", "PATCH", `/opportunities/${deal.id}`, { location_id: world.north, stage_id: stage.id }),
      );
      await work();
      expect(await runs()).toEqual(expected);
    }
    await pass(3);
    expect(await runs()).toEqual(["waiting listen"]);
    await pass(7);
    expect(await runs()).toEqual(["waiting listen_again"]);
    await report("review.received");
    expect(await runs()).toEqual(["completed thank finished"]);
  });
});
