/** Neighbours of contacts: every column that holds the id of a contact is declared, and counted, moved and exported along with the others. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findContactReference, lockContacts } from "../../src/crm/contact-activity.ts";
import {
  contactNeighbours,
  countNeighbours,
  exportPages,
  moveNeighbours,
} from "../../src/crm/contacts/neighbours/contact-neighbours.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  givenChannel,
  givenContact,
  givenConversation,
  givenOpportunity,
  givenTag,
  givenTask,
  handIn,
  made,
  stagesOf,
} from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";

/** The digits that make an unknown sender the possible match of one contact alone. */
let line = 3000;

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("each column that holds the id of a contact belongs to one neighbour", () => {
    const tables = [...world.service.database.orm.getMetadata().getAll().values()];
    const columns = tables.flatMap(({ tableName, props }) =>
      props
        .filter(
          ({ fieldNames, targetMeta }) => targetMeta?.tableName === "contacts" || fieldNames?.[0] === "contact_id",
        )
        .map(({ fieldNames }) => `${tableName}.${fieldNames[0]}`)
        // The contact that is gone, and one that is forgotten: nothing of it is left to move.
        .filter((column) => !["contact_merges.merged_contact_id", "contact_erasures.contact_id"].includes(column)),
    );
    const declared = contactNeighbours.map(({ column }) => column);
    expect(
      columns
        .filter((column) => !declared.includes(column))
        .map((column) => `${column} holds the id of a contact: declare a neighbour in contact-neighbours.ts.`),
    ).toEqual([]);
    expect(declared.toSorted()).toEqual(columns.toSorted());
  });

  /** A contact with rows of every neighbour, in these workflows and with these tags. */
  async function givenNeighbours({ workflows, tags }: { workflows: readonly number[]; tags: readonly number[] }) {
    line += 1;
    const contact = await givenContact(world, { phone: `+44 20 794 ${line}` });
    const contact_id: number = contact.id;
    const key = `taken_${line}`;
    await made(world.send("owner", "POST", "/custom-fields", { on: "contact", type: "text", name: "Taken", key }));
    const custom = { location_id: world.north, custom_fields: { [key]: "value" } };
    await made(world.send("owner", "PATCH", `/contacts/${contact_id}`, custom));
    const { Won: won } = await stagesOf(world);
    const first = await givenOpportunity(world, { contact_id, value_cents: contact_id });
    await givenOpportunity(world, { contact_id, stage_id: won!.id });
    await givenTask(world, { contact_id, due_at: "2026-03-02T12:00:00Z" });
    for (const body of ["One", "Two", "Three"]) {
      await made(world.send("owner", "POST", `/contacts/${contact_id}/notes`, { location_id: world.north, body }));
    }
    for (const tag_id of tags) {
      await made(world.send("owner", "POST", `/contacts/${contact_id}/tags`, { location_id: world.north, tag_id }));
    }
    const { conversation } = await givenConversation(world, { contact_id });
    await handIn(world, await givenChannel(world), { from: `+1 617 794 ${line}`, body: "Hello" });
    // A mail of a workflow, whose conversation was deleted.
    await world.service.database.transaction(({ rows }) =>
      rows("insert into removed_mails (id, contact_id) values (?, ?)", [line, contact_id]),
    );
    const merged = await givenContact(world);
    await made(
      world.send("owner", "POST", `/contacts/${contact_id}/merge`, { location_id: world.north, contact_id: merged.id }),
    );
    const runs = [];
    for (const workflow of workflows) runs.push(await givenRun(world, workflow, contact_id));
    return { contact_id, name: contact.last_name as string, runs, conversation: conversation.id as number, first };
  }

  const waits = () => givenWorkflow(world, { wait: { type: "wait", reply: true } });

  async function countsOf(contactId: number): Promise<Record<string, number>> {
    return Object.fromEntries(
      await countNeighbours(await world.service.inLocation(world.acme, world.north), contactId),
    );
  }

  async function exportedOf(contactId: number): Promise<Record<string, number>> {
    const exported: Record<string, number> = {};
    const reader = await world.service.inLocation(world.acme, world.north);
    for (const neighbour of contactNeighbours)
      for await (const records of exportPages(reader, contactId, neighbour))
        exported[neighbour.name] = (exported[neighbour.name] ?? 0) + records.length;
    return exported;
  }

  /** In steps of `most` rows, each a change of its own; resolves to the rows of each step. */
  async function move(from: number, to: number, most: number): Promise<number[]> {
    const caller = await world.service.inLocation(world.acme, world.north);
    const steps: number[] = [];
    do {
      const moved = await caller.change(async (change) => {
        await lockContacts(change, [from, to]);
        return moveNeighbours(change, { from, to: (await findContactReference(change, to))!, most });
      });
      steps.push(moved);
    } while (steps.at(-1) !== 0);
    return steps;
  }

  test("a move in steps leaves nothing at the old contact, and everything at the new one", async () => {
    const [both, one, other] = [await waits(), await waits(), await waits()];
    const tags = [(await givenTag(world)).id, (await givenTag(world)).id, (await givenTag(world)).id];
    const old = await givenNeighbours({ workflows: [both, one], tags: tags.slice(0, 2) });
    const kept = await givenNeighbours({ workflows: [other, both], tags: tags.slice(1) });
    const before = await countsOf(old.contact_id);
    const beside = await countsOf(kept.contact_id);
    expect(Object.keys(before)).toEqual(contactNeighbours.map(({ name }) => name));
    expect(Object.values(before).every((count) => count > 0)).toBe(true);
    const { merges: _merges, "possible matches": _matches, "removed mails": _mails, ...shown } = before;
    expect(await exportedOf(old.contact_id)).toEqual(shown);

    const steps = await move(old.contact_id, kept.contact_id, 4);
    expect(Math.max(...steps)).toBe(4);
    const total = Object.values(before).reduce((sum, count) => sum + count, 0);
    expect(steps.reduce((sum, count) => sum + count, 0)).toBe(total);

    expect(Object.values(await countsOf(old.contact_id)).every((count) => count === 0)).toBe(true);
    const sums = Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count + beside[name]!]));
    // A tag that both have is one, and the run of the workflow that both are in ends with an event.
    expect(await countsOf(kept.contact_id)).toEqual({ ...sums, tags: sums["tags"]! - 1, events: sums["events"]! + 1 });
    const ends = await Promise.all([...old.runs, ...kept.runs].map((run) => runOf(world, run)));
    expect(ends.map(({ ended_reason, contact_id }) => [ended_reason, contact_id])).toEqual(
      ["removed", null, null, null].map((reason) => [reason, kept.contact_id]),
    );
  });

  test("what contacts and conversations copy of each other moves along", async () => {
    const old = await givenNeighbours({ workflows: [await waits()], tags: [(await givenTag(world)).id] });
    const target = await givenContact(world);
    await move(old.contact_id, target.id, 1000);
    const read = async (id: number) =>
      (await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`)).body;
    expect(await read(target.id)).toMatchObject({
      value_cents: old.contact_id,
      next_task: { title: "Call back" },
      opportunities: [{}, { id: old.first.id }],
      notes: [{ body: "Three" }, { body: "Two" }, { body: "One" }],
      tags: [{}],
    });
    expect(await read(old.contact_id)).toMatchObject({
      opportunities: [],
      tags: [],
      activities: [],
    });
    const found = async (search: string) => {
      const query = new URLSearchParams({ location_id: String(world.north), search });
      return (await world.send("owner", "GET", `/conversations?${query}`)).body.data.map(
        ({ id }: { id: number }) => id,
      );
    };
    expect(await found(target.last_name)).toEqual([old.conversation]);
    expect(await found(old.name)).toEqual([]);
  });
});
