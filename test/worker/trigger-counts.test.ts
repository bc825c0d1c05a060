/** Why a workflow did not start: what becomes of the events of its trigger is counted, by day. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTriggerCounts, findTriggerCounts } from "../../src/crm/workflows/following/trigger-counts.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, made } from "../support/given.ts";
import { givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const none = {
  started: 0,
  filtered: 0,
  reentered: 0,
  too_deep: 0,
  imported: 0,
  throttled: 0,
  without_contact: 0,
  automatic: 0,
};

describe.each([...databaseKinds])("the counts of triggers on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("tell started runs from events that the filter, an active run or the depth of a chain refused", async () => {
    const [one, other] = [await givenContact(world), await givenContact(world)];
    const workflow = await givenWorkflow(
      world,
      { ask: { type: "wait", reply: true } },
      { trigger: { event: "form.submitted", filter: { "context.form": "Offer" } } },
    );
    // Two that start each other, until their chain is too deep.
    const [ping, pong] = ["ping", "pong"] as const;
    const chain: number[] = [];
    for (const [mine, others] of [
      [ping, pong],
      [pong, ping],
    ] as const)
      chain.push(
        await givenWorkflow(
          world,
          { note: { type: "add_note", body: mine } },
          { trigger: { event: "note.added", filter: { "context.body": others } }, allowReentry: true },
        ),
      );
    const report = (contact_id: number, event: string, form: string) =>
      made(world.send("owner", "POST", "/events", { location_id: world.north, contact_id, event, data: { form } }));
    await report(one.id, "form.submitted", "Offer");
    await report(one.id, "form.submitted", "Offer");
    await report(other.id, "form.submitted", "Offer");
    await report(other.id, "form.submitted", "Newsletter");
    await made(world.send("owner", "POST", `/contacts/${one.id}/notes`, { location_id: world.north, body: pong }));
    await world.service.worker.runOnce();
    const { body } = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
    const countsOf = (id: number) => body.data.find((found: { id: number }) => found.id === id).last_7_days;
    expect(countsOf(workflow)).toEqual({ ...none, started: 2, filtered: 1, reentered: 1 });
    // Six runs, three of each: the note of the last one is refused by the depth.
    expect([countsOf(chain[0]!).started, countsOf(chain[1]!).started]).toEqual([3, 3]);
    expect(countsOf(chain[0]!).too_deep + countsOf(chain[1]!).too_deep).toBe(1);
  });

  test("tell of senders without a contact and of automatic messages, as far as the filter does not refuse them", async () => {
    const contact = await givenContact(world);
    const channel = await givenChannel(world, { kind: "email", address: "desk@acme.example" });
    const [open, filtered, byCity] = [
      await givenWorkflow(world, { ask: { type: "wait", reply: true } }, { trigger: { event: "message.received" } }),
      await givenWorkflow(
        world,
        { ask: { type: "wait", reply: true } },
        { trigger: { event: "message.received", filter: { "context.channel.kind": "call" } } },
      ),
      // Whether a contact lives there is open as long as there is none.
      await givenWorkflow(
        world,
        { ask: { type: "wait", reply: true } },
        { trigger: { event: "message.received", filter: { city: "Nowhere" } } },
      ),
    ];
    const receive = (body: object) =>
      made(request(world.url, { method: "POST", path: new URL(channel.inbound_url).pathname, key: undefined, body }));
    await receive({ from: contact.email, body: "Hello" });
    await receive({ from: "stranger@example.com", body: "Hello" });
    await receive({ from: "stranger@example.com", body: "Hello?" });
    await receive({ from: contact.email, body: "I am away.", automatic: true });
    await world.service.worker.runOnce();
    const { body } = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
    const countsOf = (id: number) => body.data.find((found: { id: number }) => found.id === id).last_7_days;
    expect(countsOf(open)).toEqual({ ...none, started: 1, without_contact: 2, automatic: 1 });
    expect(countsOf(filtered)).toEqual({ ...none, filtered: 3, automatic: 1 });
    expect(countsOf(byCity)).toEqual({ ...none, filtered: 1, without_contact: 2, automatic: 1 });
  });

  test("are those of seven days, in eight rows", async () => {
    const workflow = await givenWorkflow(world, { ask: { type: "wait", reply: true } });
    const { database } = world.service;
    const start = Date.UTC(2026, 2, 1);
    for (let day = 0; day < 30; day += 1) {
      for (let times = 0; times < 2; times += 1) {
        const counts = createTriggerCounts();
        for (const outcome of ["started", "filtered", "filtered", "reentered", "too_deep"] as const)
          counts.add(workflow, outcome);
        const now = new Date(start + day * 86_400_000);
        await database.transaction(async (transaction) => counts.write(transaction, now));
      }
    }
    const at = async (day: number) =>
      (await findTriggerCounts(database, [workflow], new Date(start + day * 86_400_000)))(workflow);
    expect(await at(29)).toEqual({ ...none, started: 14, filtered: 28, reentered: 14, too_deep: 14 });
    expect(await at(35)).toEqual({ ...none, started: 2, filtered: 4, reentered: 2, too_deep: 2 });
    expect(await at(36)).toEqual(none);
    const [held] = await database.rows<{ count: number }>(
      "select count(*) as count from workflow_trigger_days where workflow_id = ?",
      [workflow],
    );
    expect(Number(held!.count)).toBe(8);
  });
});
