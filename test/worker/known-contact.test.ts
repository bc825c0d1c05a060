/** What nodes of a run know of its contact is what the database has: after tags, new names, and runs of the same batch. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";
import { payloadOf } from "../support/events.ts";

describe.each([...databaseKinds])("the contact of a run on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
    // Not in the order of their keys; by their bytes, the one above the basic plane is the last, and by UTF-16 the one before it.
    for (const name of ["zeta", "Älpha", "𐐀mega", "\uE000mega"])
      await made(world.send("owner", "POST", "/tags", { name: `${name} known` }));
  });
  afterAll(() => world?.close());

  const eventsOf = async (contact: number, event: string) =>
    (
      await world.service.database.rows<{ data: string }>(
        "select data from events where contact_id = ? and event = ? order by id",
        [contact, event],
      )
    ).map(({ data }) => payloadOf(data));
  const tag = (name: string, next: string) => ({ type: "add_tag" as const, tag: `${name} known`, next });

  test("events show it after each node, and templates its new name", async () => {
    const { id } = await givenContact(world, { first_name: "Ada", email: null, phone: null });
    const workflow = await givenWorkflow(world, {
      a: { type: "add_note", body: "{{contact.first_name}}", next: "b" },
      b: tag("zeta", "c"),
      c: tag("𐐀mega", "d"),
      d: tag("\uE000mega", "e"),
      // It is on the contact already.
      e: tag("zeta", "f"),
      f: { type: "update_contact", set: { first_name: "Grace" }, next: "g" },
      g: { type: "add_note", body: "{{contact.first_name}}, {{contact.last_activity_at}}", next: "h" },
      h: tag("Älpha", "i"),
      i: { type: "remove_tag", tag: "zeta known", next: "j" },
      j: { type: "add_note", body: "{{contact.first_name}}" },
    });
    world.clock.advance({ minutes: 1 });
    await givenRun(world, workflow, id);
    await world.service.worker.runOnce();

    const { body: shown } = await world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`);
    const notes = await eventsOf(id, "note.added");
    expect(notes.map(({ body }) => body)).toEqual(["Ada", `Grace, ${world.clock.now().toISOString()}`, "Grace"]);
    expect(notes.map(({ contact }) => contact.name.split(" ")[0])).toEqual(["Ada", "Grace", "Grace"]);
    const added = await eventsOf(id, "contact.tag_added");
    expect(added.map(({ tags }) => tags.length)).toEqual([1, 2, 3, 4]);
    // The last of them, before the tag was removed, in the order in which the contact shows its tags.
    expect(added[3].tags.filter(({ name }: { name: string }) => name !== "zeta known")).toEqual(shown.tags);
    expect(added[3]).toMatchObject({ first_name: "Grace", last_activity_at: shown.last_activity_at });
    expect((await eventsOf(id, "workflow.run_finished"))[0].contact.name).toBe(shown.name);
  });

  test("a run knows what an earlier run of the contact did in the same batch", async () => {
    const { id } = await givenContact(world, { first_name: "Ada", email: null, phone: null });
    const rename = await givenWorkflow(world, { a: { type: "update_contact", set: { first_name: "Grace" } } });
    const tell = await givenWorkflow(world, { a: { type: "add_note", body: "{{contact.first_name}}" } });
    await givenRun(world, rename, id);
    await givenRun(world, tell, id);
    await world.service.worker.runOnce();
    const [note] = await eventsOf(id, "note.added");
    expect([note.body, note.contact.name.split(" ")[0]]).toEqual(["Grace", "Grace"]);
  });
});
