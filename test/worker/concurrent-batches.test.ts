/** On PostgreSQL, the batches of runs that are moved concurrently while more runs are due than one takes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defineAction } from "../../src/crm/workflows/definition/node-type.ts";
import { createNodeTypes } from "../../src/crm/workflows/definition/node-types.ts";
import { next } from "../../src/crm/workflows/definition/parts.schema.ts";
import { mostRuns } from "../../src/crm/workflows/engine/move-batch.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import { workflowDuties } from "../../src/crm/workflows/workflow.duties.ts";
import { addNote } from "../../src/crm/notes/note.service.ts";
import { createChangeAcross } from "../../src/events/call-as.ts";
import { createWorkers } from "../../src/storage/installation/workers.ts";
import { givenContact, made } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld("postgres");
});
afterAll(() => world?.close());

/** Two batches, and a few runs more. */
const runs = 2 * mostRuns + 3;
/** add_note whose first run waits for one of another transaction. */
function createMeetingNote() {
  const { promise: haveMet, resolve: meet } = Promise.withResolvers<void>();
  const transactions = new Set<unknown>();
  return defineAction({
    type: "add_note",
    scopes: () => ["contacts.write"],
    schema: z.strictObject({ type: z.literal("add_note"), body: z.string(), next }),
    about: "adds a note to the contact",
    fields: () => [],
    summary: () => "add note",
    async perform(change, { body }, { contactId }) {
      transactions.add(change.rows);
      if (transactions.size === 2) meet();
      await haveMet;
      await addNote(change, contactId, { body });
      return "done";
    },
  });
}

test("two batches are moved concurrently, each run once, with its events in their order", async () => {
  const meetingNote = createMeetingNote();
  const types = createNodeTypes(workflowNodes.all.map((type) => (type.type === "add_note" ? meetingNote : type)));
  const workflow = await givenWorkflow(world, {
    first: { type: "add_note", body: "First", next: "second" },
    second: { type: "add_note", body: "Second", next: "end" },
    end: { type: "exit" },
  });
  const contacts: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    const { id } = await givenContact(world);
    contacts.push(id);
    await givenRun(world, workflow, id);
  }
  const { database, tools } = world.service;
  const duties = workflowDuties({
    ...world.service,
    changeAcross: createChangeAcross({ database, tools }),
    workers: createWorkers(database, tools.clock),
    mailer: null,
    types,
  });
  const moving = duties.find(({ name }) => name === "move workflow runs")!;
  while ((await moving.run(new AbortController().signal)) === "more");
  const events = await database.rows<{ contact_id: number; event: string }>(
    "select contact_id, event from events where run_id is not null order by id",
  );
  const byContact = Map.groupBy(events, ({ contact_id }) => contact_id);
  for (const contact of contacts)
    expect(byContact.get(contact)?.map(({ event }) => event)).toEqual([
      "note.added",
      "note.added",
      "workflow.run_finished",
    ]);
});

test("an event whose id is needed at once comes after those that its run has raised before", async () => {
  await made(world.send("owner", "POST", "/tags", { name: "vip" }));
  const workflow = await givenWorkflow(world, {
    first: { type: "add_note", body: "First", next: "second" },
    second: { type: "remove_tag", tag: "vip", next: "end" },
    end: { type: "exit" },
  });
  const contacts: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const { id } = await givenContact(world);
    await made(world.send("owner", "POST", `/contacts/${id}/tags`, { location_id: world.north, name: "vip" }));
    contacts.push(id);
    await givenRun(world, workflow, id);
  }
  await world.service.worker.runOnce();
  for (const contact of contacts) {
    const events = await world.service.database.rows<{ event: string }>(
      "select event from events where contact_id = ? and run_id is not null order by id",
      [contact],
    );
    expect(events.map(({ event }) => event)).toEqual(["note.added", "contact.tag_removed", "workflow.run_finished"]);
  }
});
