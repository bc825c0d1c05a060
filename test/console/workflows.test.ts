/** Workflows and their runs on pages: published, a contact enrolled and removed, unpublished. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.operations.ts";
import { createWorkflow } from "../../src/crm/workflows/workflow.operations.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { someTarget } from "../support/given-hooks.ts";
import { givenChannel, givenContact, made } from "../support/given.ts";
import { givenOlga } from "../support/marketplace.ts";
import { createPerson } from "../support/person.ts";
import type { Person } from "../support/person.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: workflows", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let workflows: string;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
    olga = await givenOlga(world);
    workflows = `/l/${world.north}/workflows`;
  });
  afterAll(() => world?.close());

  const tokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)![1]!;
  async function draft(nodes: Record<string, unknown>): Promise<string> {
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = { entry: Object.keys(nodes)[0], nodes };
    const { id } = await world.service.carryOut(createWorkflow, caller, {
      input: { name: "Welcome & greet", definition, allow_reentry: false, publish: false },
    });
    return `${workflows}/${id}`;
  }
  async function send(address: string, fields: Record<string, string> = {}) {
    return olga.post(address, { ...fields, form_token: tokenIn((await olga.get(workflows)).text) });
  }

  test("a workflow is published, a contact goes through it and is removed, and it is unpublished", async () => {
    const workflow = await draft({ listen: { type: "wait", reply: true } });
    expect((await olga.get(workflows)).text).toMatch(/Welcome &amp; greet[^]*Draft/);
    expect((await olga.get(workflow)).text).not.toContain("Enroll a contact");
    expect((await send(`${workflow}/publish`)).location).toBe(workflow);
    expect((await olga.get(workflow)).text).toMatch(/is published[^]*Published, version 1[^]*listen/);

    const { id } = await givenContact(world);
    const enrolled = await send(`${workflow}/enroll`, { contact_id: String(id) });
    expect([enrolled.status, enrolled.location]).toEqual([303, expect.stringMatching(/\/runs\/\d+$/)]);
    const run = await olga.get(enrolled.location);
    expect(run.text).toMatch(new RegExp(`Contact ${id} is enrolled`));
    const twice = await send(`${workflow}/enroll`, { contact_id: String(id) });
    expect([twice.status, twice.text.includes('id="contact_id-fault"')]).toEqual([422, true]);

    expect((await olga.submit(await olga.get(`${enrolled.location}/remove`))).location).toBe(enrolled.location);
    expect((await olga.get(enrolled.location)).text).toMatch(/Canceled[^]*removed/);
    expect((await olga.submit(await olga.get(`${workflow}/unpublish`))).location).toBe(workflow);
    expect((await olga.get(workflow)).text).toMatch(/is unpublished[^]*Draft/);
  });

  test("a long definition is cut, and the page says so", async () => {
    const nodes = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`node_${n}`, { type: "exit" }]));
    const { text } = await olga.get(await draft(nodes));
    expect(text).toContain("The first 100 of 101 nodes.");
    expect([text.includes("node_99<"), text.includes("node_100<")]).toEqual([true, false]);
  });

  test("a draft is shown with whatever its nodes are", async () => {
    const { text } = await olga.get(await draft({ odd: { type: { is: "exit" } }, none: null }));
    expect([text.includes("odd<"), text.includes("none<"), text.includes("[object")]).toEqual([true, true, false]);
  });

  test("runs are limited to a state", async () => {
    const workflow = await draft({ listen: { type: "wait", reply: true } });
    await send(`${workflow}/publish`);
    const runs: string[] = [];
    for (let count = 0; count < 2; count++) {
      const { id } = await givenContact(world);
      runs.push((await send(`${workflow}/enroll`, { contact_id: String(id) })).location);
    }
    const [ended, active] = runs as [string, string];
    await olga.submit(await olga.get(`${ended}/remove`));
    const listed = async (query: string) => {
      const { text } = await olga.get(`${workflow}${query}`);
      return runs.filter((run) => text.includes(`href="${run}"`));
    };
    expect(await listed("")).toEqual(runs);
    expect(await listed("?state=canceled")).toEqual([ended]);
    expect(await listed("?state=active")).toEqual([active]);
    expect(await listed("?state=unknown")).toEqual(runs);
    expect((await olga.get(`${workflow}?state=failed`)).text).toContain("No failed runs");
  });

  test("a run that waits for a channel says for which one since when, and links to it for those who may see it", async () => {
    const channel = await givenChannel(world);
    const caller = await world.service.inLocation(world.acme, world.north);
    const pause = { channel: channel.id, input: { status: "paused" as const } };
    await world.service.carryOut(setChannelStatus, caller, pause);
    const workflow = await draft({ greet: { type: "send_message", channel_id: channel.id, body: "Hello" } });
    await send(`${workflow}/publish`);
    const { id } = await givenContact(world);
    const { location: run } = await send(`${workflow}/enroll`, { contact_id: String(id) });
    await world.service.worker.runOnce();
    const link = `href="/l/${world.north}/channels/${channel.id}"`;
    const since = `<time datetime="${world.clock.now().toISOString()}"`;
    const nora = createPerson(world.url);
    await nora.signIn("nora@acme.example");
    expect((await olga.get(workflow)).text).toContain(`send &quot;Hello&quot; on channel ${channel.id}`);
    for (const page of [workflow, run]) {
      const [owner, member] = [(await olga.get(page)).text, (await nora.get(page)).text];
      expect([owner.includes(link), member.includes(link)]).toEqual([true, false]);
      for (const text of [owner, member]) expect(text).toMatch(new RegExp(`channel ${channel.id}\\b[^]*${since}`));
    }
  });

  test("a run whose post is repeated says which attempt comes when, and why the last one failed", async () => {
    await using receiver = await startReceiver(() => 503);
    const workflow = await draft({ tell: { type: "webhook", url: receiver.url } });
    await send(`${workflow}/publish`);
    const { id } = await givenContact(world);
    const { location: run } = await send(`${workflow}/enroll`, { contact_id: String(id) });
    await world.service.worker.runOnce();
    const next = `<time datetime="${new Date(world.clock.now().getTime() + 60_000).toISOString()}"`;
    const [list, one] = [(await olga.get(workflow)).text, (await olga.get(run)).text];
    expect(list).toMatch(
      new RegExp(`attempt 2 at ${next}[^]*, since <time[^]*Attempt 1 failed\\. The node [^]* answered 503\\.`),
    );
    expect(one).toMatch(new RegExp(`attempt 2[^]*Next attempt[^]*${next}[^]*attempt 1 failed`));
  });

  test("a workflow with a trigger says what became of its events", async () => {
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = {
      trigger: { event: "form.submitted", filter: { "context.form": "Offer" } },
      entry: "listen",
      nodes: { listen: { type: "wait", reply: true } },
    };
    const { id } = await world.service.carryOut(createWorkflow, caller, {
      input: { name: "Offers", definition, allow_reentry: false, publish: true },
    });
    const { id: contact_id } = await givenContact(world);
    for (const [contact, form] of [
      [contact_id, "Offer"],
      [contact_id, "Newsletter"],
      [null, "Offer"],
    ]) {
      const reported = { contact_id: contact, event: "form.submitted", data: { form } };
      await made(world.send("owner", "POST", "/events", { location_id: world.north, ...reported }));
    }
    await world.service.worker.runOnce();
    expect((await olga.get(`${workflows}/${id}`)).text).toContain(
      "3 events, 1 started a run, 1 refused by the filter, 1 without a contact",
    );
  });

  test("a workflow that posts gets a secret, which is shown once and replaced", async () => {
    const without = await draft({ listen: { type: "wait", reply: true } });
    expect((await olga.get(without)).text).not.toContain(`${without}/secret`);
    const workflow = await draft({ tell: { type: "webhook", url: someTarget } });
    expect((await olga.get(workflow)).text).toContain(`href="${workflow}/secret"`);

    expect((await olga.get(workflow)).text).not.toContain("Posts are not signed");
    await send(`${workflow}/publish`);
    expect((await olga.get(workflow)).text).toContain("Posts are not signed");

    const form = await olga.get(`${workflow}/secret`);
    const shown = await olga.submit(form, { grace: "day" });
    const [first] = /whsec_[\w-]+/.exec(shown.text)!;
    expect([shown.status, shown.text.includes("The old one also signs")]).toEqual([200, false]);
    expect((await olga.get(workflow)).text).not.toContain("Posts are not signed");
    // The same form again, as after Back.
    const again = await olga.submit(form, { grace: "day" });
    expect([again.status, again.text.includes("whsec_")]).toEqual([409, false]);

    const second = await olga.submit(await olga.get(`${workflow}/secret`), { grace: "day" });
    expect(second.text).toContain("The old one also signs until");
    expect(second.text).not.toContain(first);
  });

  test("a draft with a fault is not published, and the page says why", async () => {
    const workflow = await draft({ greet: { type: "send_message", channel_id: 999_999, body: "Hello" } });
    await send(`${workflow}/publish`);
    expect((await olga.get(workflow)).text).toMatch(/Nothing was changed[^]*channel/);
  });

  test.each(["", "x", "-1", "0", "999999", "9".repeat(40)])(
    "enrolling the contact %j is a fault of its field",
    async (id) => {
      const workflow = await draft({ listen: { type: "wait", reply: true } });
      await send(`${workflow}/publish`);
      const answer = await send(`${workflow}/enroll`, { contact_id: id });
      expect([answer.status, answer.text.includes('id="contact_id-fault"')], answer.text).toEqual([422, true]);
      expect(answer.text).toContain("No runs");
    },
  );

  test("a member finds workflows from the start page, and sees them and runs, without what changes them", async () => {
    const nora = createPerson(world.url);
    await nora.signIn("nora@acme.example");
    const start = await nora.get("/");
    expect(start.text).toContain(`href="${workflows}"`);
    expect(start.text).not.toContain("Apps you allow appear here");
    const workflow = await draft({ listen: { type: "wait", reply: true } });
    await send(`${workflow}/publish`);
    const { status, text } = await nora.get(workflow);
    expect([status, text.includes("Unpublish"), text.includes("Enroll a contact")]).toEqual([200, false, false]);
  });
});
