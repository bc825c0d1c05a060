/** Renaming and deleting tags: the effect on contacts, and that other changes are not blocked for long. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { getContact } from "../../src/crm/contacts/contact.queries.ts";
import { createContact, deleteContact } from "../../src/crm/contacts/contact.service.ts";
import { countTagged, findTag, findTagByName } from "../../src/crm/tags/tag.queries.ts";
import { createTag, deleteTag, updateTag } from "../../src/crm/tags/tag.service.ts";
import type { TagView } from "../../src/crm/tags/tag.view.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("tags on %s", (kind) => {
  let world: World;
  let caller: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    caller = await world.service.inLocation(world.acme, world.north);
  });
  afterAll(() => world?.close());

  const giveTag = (name: string): Promise<TagView> =>
    caller.change((change) => createTag(change, { name, color: "#112233" }));

  async function giveTagged(...tags: TagView[]): Promise<number> {
    const { id } = await caller.change((change) => createContact(change, { first_name: "Ada", last_name: "" }));
    for (const { id: tag_id } of tags)
      await caller.change((change) => addContactTag(change, id, { tag_id, name: null }, getRecordRow));
    return id;
  }

  /** `count` contacts with the tag, at once. */
  async function giveMany(count: number, tag: TagView): Promise<void> {
    await caller.change(async ({ rows, location, now }) => {
      const before = (await rows<{ last: number }>("select max(id) as last from contacts"))[0]!.last;
      await rows(
        `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
         insert into contacts (location_id, name, name_key, first_name, last_name, dnd, last_activity_at, created_at, updated_at)
         select ?, 'Many', 'many', 'Many', '', ${kind === "sqlite" ? "0" : "false"}, ?, ?, ? from numbers`,
        [location.id, now, now, now],
      );
      await rows(
        "insert into contact_tags (contact_id, tag_id, created_at) select id, ?, created_at from contacts where id > ?",
        [tag.id, before],
      );
    });
  }

  test("a renamed tag keeps its id, its color and its contacts, and raises no event", async () => {
    const tag = await giveTag("Lead");
    const contact = await giveTagged(tag);
    const { result, events } = await world.eventsDuring(() => updateTag(caller, tag.id, { name: "Prospect" }));
    expect(result).toEqual({ ...tag, name: "Prospect" });
    expect(events).toEqual([]);
    expect((await getContact(caller, contact)).tags).toEqual([{ ...tag, name: "Prospect" }]);
    expect(await findTagByName(caller, "PROSPECT")).toEqual({ ...tag, name: "Prospect" });
    expect(await findTagByName(caller, "lead")).toBeUndefined();
  });

  test("a tag can change its spelling, but not take another tag's name", async () => {
    const tag = await giveTag("street");
    await giveTag("Straße");
    const rename = (name: string, id = tag.id) => updateTag(caller, id, { name });
    expect(await rename("STREET")).toMatchObject({ id: tag.id, name: "STREET" });
    await expect(rename("STRASSE")).rejects.toThrow("The name has already been taken.");
    await expect(rename("x", 77_777)).rejects.toThrow("tag.not_found");
    const other = world.service.inWorkspace(
      (
        await world.service.database.rows<{ id: number }>("select workspace_id as id from locations where id = ?", [
          world.foreign,
        ])
      )[0]!.id,
    );
    await expect(updateTag(other, tag.id, { name: "theirs" })).rejects.toThrow("tag.not_found");
    await expect(deleteTag(other, tag.id)).rejects.toThrow("tag.not_found");
    expect(await findTag(caller, tag.id)).toMatchObject({ name: "STREET" });
  });

  test("deleting a tag changes its contacts in no other way, and raises no event", async () => {
    const [gone, kept] = [await giveTag("gone"), await giveTag("kept")];
    const contact = await giveTagged(gone, kept);
    const hidden = await giveTagged(gone);
    await caller.change((change) => deleteContact(change, hidden));
    expect(await countTagged(caller, gone.id)).toEqual({ contacts: 1, applied: 2 });
    const before = await getContact(caller, contact);
    world.clock.advance({ seconds: 60 });
    const { events } = await world.eventsDuring(() => deleteTag(caller, gone.id));
    expect(events).toEqual([]);
    // Not on the timeline either: contacts keep their position in every list.
    expect(await getContact(caller, contact)).toEqual({ ...before, tags: [kept] });
    expect(await findTag(caller, gone.id)).toBeUndefined();
    await expect(deleteTag(caller, gone.id)).rejects.toThrow("tag.not_found");
    expect(await giveTag("gone")).toMatchObject({ name: "gone" });
  });

  test("a tag on thousands of contacts is removed a thousand at a time, and other writes run in between", async () => {
    const tag = await giveTag("thousands");
    await giveMany(2500, tag);
    const taken: number[] = [];
    await deleteTag(caller, tag.id, async (count) => {
      taken.push(count);
      // A concurrent change, which would wait forever for an open one.
      await giveTag(`in between ${taken.length}`);
    });
    expect(taken).toEqual([1000, 2000, 2500]);
    expect(await countTagged(caller, tag.id)).toEqual({ contacts: 0, applied: 0 });
  });

  test("an interrupted deletion is finished by the next, and concurrent ones do not deadlock", async () => {
    const tag = await giveTag("stopped");
    await giveMany(3000, tag);
    const stopped = deleteTag(caller, tag.id, () => Promise.reject(new Error("stopped")));
    await expect(stopped).rejects.toThrow("stopped");
    expect(await findTag(caller, tag.id)).toEqual(tag);
    expect(await countTagged(caller, tag.id)).toEqual({ contacts: 2000, applied: 2000 });
    const outcomes = await Promise.allSettled([deleteTag(caller, tag.id), deleteTag(caller, tag.id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await findTag(caller, tag.id)).toBeUndefined();
  });
});
