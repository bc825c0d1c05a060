/** Concurrent replies, deletions and goals while two workers move the same runs: no deadlock, and nothing happens twice. */
import { createConsola } from "consola";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mergeContacts } from "../../src/crm/contacts/merging/merge.service.ts";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { tryDefinition } from "../../src/crm/workflows/dry-run/dry-run.ts";
import { createDefinitions } from "../../src/crm/workflows/engine/definitions.ts";
import { createFollower } from "../../src/crm/workflows/following/follower.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import { openService } from "../../src/service.ts";
import type { Service } from "../../src/service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { stampAll } from "../support/events.ts";
import { givenChannel, givenContact, handIn, made } from "../support/given.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const happenings = ["reply", "delete", "goal", "nothing"] as const;

describe.each(sampleOf("crossings of workflows", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let services: Service[];
  /** What the workers complain of: who ends in a deadlock is tried again, and shows nowhere else. */
  const complaints: unknown[] = [];
  beforeAll(async () => {
    world = await createWorld(kind);
    const log = createConsola({ level: 1, reporters: [{ log: ({ args }) => complaints.push(args) }] });
    const { settings } = world.service;
    services = await Promise.all([1, 2].map(() => openService(settings, { log, clock: world.clock })));
  });
  afterAll(async () => {
    for (const service of services ?? []) await service.close();
    await world?.close();
  });

  const work = () => Promise.all(services.map(({ worker }) => worker.runOnce()));

  test("each run ends once, as what came first says", { timeout: 60_000 }, async () => {
    const channel = await givenChannel(world);
    const workflow = await givenWorkflow(world, {
      ask: { type: "send_message", channel_id: channel.id, body: "Shall we?", next: "listen" },
      listen: { type: "wait", reply: true, timeout: "1h", on_timeout: "silent", next: "answered" },
      answered: { type: "add_note", body: "answered", next: "rest" },
      silent: { type: "add_note", body: "silent", next: "rest" },
      rest: { type: "wait", for: "1h", next: "goal" },
      goal: { type: "goal", when: { city: "Boston" }, next: "last" },
      last: { type: "add_note", body: "last" },
    });
    const contacts: { id: number; email: string; happens: (typeof happenings)[number] }[] = [];
    for (let n = 0; n < 40; n += 1) {
      const { id, email } = await givenContact(world, { city: "Paris" });
      contacts.push({ id, email, happens: happenings[n % happenings.length]! });
    }
    const { events } = await world.eventsDuring(async () => {
      for (const { id } of contacts) await givenRun(world, workflow, id);
      await work();
      // Every run is due at the moment at which its contact writes, goes or moves to Boston.
      world.clock.advance({ hours: 1 });
      const happen = contacts.map(async ({ id, email, happens }) => {
        const place = { location_id: world.north };
        if (happens === "reply") return (await handIn(world, channel, { from: email, body: "Yes" })).status;
        if (happens === "delete") return (await world.send("owner", "DELETE", `/contacts/${id}`, place)).status;
        if (happens === "nothing") return 0;
        return (await world.send("owner", "PATCH", `/contacts/${id}`, { ...place, city: "Boston" })).status;
      });
      const [answers] = await Promise.all([Promise.all(happen), work(), work()]);
      const expected = { reply: 201, delete: 204, goal: 200, nothing: 0 };
      expect(answers).toEqual(contacts.map(({ happens }) => expected[happens]));
      await work();
      world.clock.advance({ hours: 1 });
      await work();
    });

    expect(complaints).toEqual([]);
    const runs = await world.service.database.rows<{ contact_id: number; ended_reason: string; error: string | null }>(
      "select contact_id, ended_reason, error from workflow_runs where workflow_id = ? order by contact_id",
      [workflow],
    );
    expect(runs).toEqual(
      contacts.map(({ id, happens }) => ({
        contact_id: id,
        ended_reason: happens === "delete" ? "contact_deleted" : "finished",
        error: null,
      })),
    );
    const ended = events.filter(({ event }) => event === "workflow.run_finished");
    expect(ended.map(({ contact_id }) => contact_id).toSorted()).toEqual(contacts.map(({ id }) => id).toSorted());
    for (const { id, happens } of contacts) {
      const notes = events
        .filter(({ event, contact_id }) => event === "note.added" && contact_id === id)
        .map(({ data }) => data.body);
      // Which of both came first is open, not that it was one of them; a goal from the first wait leaves both out.
      const first = { reply: ["answered", "silent"], delete: ["silent"], goal: ["silent"], nothing: ["silent"] }[
        happens
      ];
      const ways = first.map((note) => [note, "last"]);
      if (happens === "goal") ways.push(["last"]);
      if (happens === "delete") ways.push([], ["silent"]);
      expect(ways, `${happens} of ${id}`).toContainEqual(notes);
    }
  });

  /** Follows the log to its end; `interrupt` is called before each read with its statement. */
  async function followLog(interrupt: (statement: string) => Promise<void>): Promise<void> {
    const { database, tools } = world.service;
    const read =
      <Asked extends unknown[], Rows>(rows: (...asked: Asked) => Promise<Rows>) =>
      async (...asked: Asked): Promise<Rows> => {
        await interrupt(JSON.stringify(asked));
        return rows(...asked);
      };
    const follow = createFollower({
      database: { ...database, rows: read(database.rows), rowsOnce: read(database.rowsOnce) } as typeof database,
      tools,
      types: workflowNodes,
      definitions: createDefinitions(),
      log: { error: expect.fail, warn: expect.fail },
    });
    while ((await follow()) !== "done");
  }

  /** A contact, and the first piece of its merge into another. */
  async function givenMerge(): Promise<{ remains: number; merged: number; merge(): Promise<void> }> {
    const [remains, merged] = [await givenContact(world, { city: "Boston" }), await givenContact(world)];
    const caller = await world.service.inLocation(world.acme, world.north);
    let isMerged = false;
    return {
      remains: remains.id,
      merged: merged.id,
      async merge() {
        if (isMerged) return;
        isMerged = true;
        // Two rows at once.
        await caller.change((change) => mergeContacts(change, remains.id, merged.id, 2));
      },
    };
  }

  const submit = (contact: number) =>
    made(
      world.send("owner", "POST", "/events", {
        location_id: world.north,
        event: "form.submitted",
        contact_id: contact,
        data: {},
      }),
    );

  test.each(["before", "while"])(
    "an event ends the wait of a run whose contact is merged %s it is read",
    async (when) => {
      const { remains, merged, merge } = await givenMerge();
      const workflow = await givenWorkflow(world, {
        listen: { type: "wait", event: "form.submitted", timeout: "1h", next: "heard" },
        heard: { type: "add_note", body: "heard" },
      });
      const run = await givenRun(world, workflow, merged);
      await work();
      await submit(merged);
      await stampAll(world.service.database);
      if (when === "before") await merge();
      // The events are known, and the runs that wait for them are read next.
      await followLog(async (statement) => {
        if (statement.includes("awaited_event")) await merge();
      });
      await work();
      expect(await runOf(world, run)).toMatchObject({ contact_id: remains, current_node_id: "heard" });
    },
  );

  test.each(["before", "while"])(
    "an event of a contact that is merged %s it is read starts a run of the one that remains, whose trigger has a filter",
    async (when) => {
      const { remains, merged, merge } = await givenMerge();
      // The merge does not come as far as the event.
      for (const body of ["one", "two"])
        await made(world.send("owner", "POST", `/contacts/${merged}/notes`, { location_id: world.north, body }));
      const trigger = { event: "form.submitted", filter: { city: "Boston" } } as const;
      const workflow = await givenWorkflow(world, { heard: { type: "add_note", body: "heard" } }, { trigger });
      await submit(merged);
      await stampAll(world.service.database);
      if (when === "before") await merge();
      await followLog(async (statement) => {
        if (statement.includes("city")) await merge();
      });
      const runs = await world.service.database.rows("select contact_id from workflow_runs where workflow_id = ?", [
        workflow,
      ]);
      expect(runs).toEqual([{ contact_id: remains }]);
    },
  );

  test("a node that gives its contact a key, and a PATCH and a dry run that give it the same, wait for each other", async () => {
    const nodes = {
      label: { type: "add_note", body: "Labelled", next: "address" },
      address: { type: "update_contact", set: { external_ref: "of-{{contact.email}}" } },
    } as const;
    const workflow = await givenWorkflow(world, nodes, { allowReentry: true });
    const contacts = await Promise.all(Array.from({ length: 12 }, () => givenContact(world)));
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = readDefinition({ entry: "label", nodes });
    const { database } = world.service;

    for (let round = 0; round < 3; round += 1) {
      for (const { id } of contacts) await givenRun(world, workflow, id);
      const place = { location_id: world.north };
      const sent = contacts.map(async ({ id, email }) => {
        const patch = { ...place, external_ref: `of-${email}`, first_name: `Ada ${round}` };
        return (await world.send("owner", "PATCH", `/contacts/${id}`, patch)).status;
      });
      const trial = (contactId: number) => ({ definition, contactId, context: {}, replies: false });
      const tried = contacts.map(async ({ id }) => tryDefinition(caller, trial(id)));
      const [answers, trials] = await Promise.all([Promise.all(sent), Promise.all(tried), work()]);
      expect(answers).toEqual(contacts.map(() => 200));
      expect(trials.map((steps) => steps.at(-1))).toMatchObject(contacts.map(() => ({ ended: "finished" })));
      await work();
    }
    expect(complaints).toEqual([]);
    const ends = await database.rows<{ error: string | null; ended_reason: string; runs: number }>(
      "select error, ended_reason, count(*) as runs from workflow_runs where workflow_id = ? group by error, ended_reason",
      [workflow],
    );
    expect(ends).toEqual([{ error: null, ended_reason: "finished", runs: 3 * contacts.length }]);
  });
});
