/** A change of one contact locks it once and reads it in full once; a missing contact is still reported first. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenTag } from "../support/given.ts";
import { statementsDuring } from "../support/statements.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("changes of one contact on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  /** The statements of `work` that read `contacts`. */
  async function readsDuring(work: () => Promise<unknown>): Promise<string[]> {
    const sent = await statementsDuring(world, work);
    return sent.filter((text) => /^\s*select\b[^]*\bfrom contacts\b/i.test(text));
  }

  test.each([
    { what: "PATCH", method: "PATCH", path: "", body: () => ({ company: "Read twice" }) },
    { what: "a tag", method: "POST", path: "/tags", body: (tag: number) => ({ tag_id: tag }) },
    { what: "a note", method: "POST", path: "/notes", body: () => ({ body: "Read twice" }) },
  ])("$what reads it twice at most", async ({ method, path, body }) => {
    const { id } = await givenContact(world);
    const tag = await givenTag(world);
    const send = () =>
      world.send("owner", method, `/contacts/${id}${path}`, { location_id: world.north, ...body(tag.id) });
    const reads = await readsDuring(async () => expect((await send()).status).toBeLessThan(300));
    expect(reads.length, reads.join("\n")).toBeGreaterThan(0);
    expect(reads.length, reads.join("\n")).toBeLessThanOrEqual(2);
  });

  test.each([
    { method: "PATCH", path: "", body: { email: 1 } },
    { method: "POST", path: "/tags", body: {} },
    { method: "POST", path: "/tags", body: { tag_id: 424_242 } },
    { method: "POST", path: "/notes", body: {} },
    { method: "DELETE", path: "/tags/424242", body: {} },
    { method: "DELETE", path: "/tags/x", body: {} },
  ])("of the errors of $method $path $body a missing contact is reported first", async ({ method, path, body }) => {
    const { status, body: told } = await world.send("owner", method, `/contacts/424242${path}`, {
      location_id: world.north,
      ...body,
    });
    expect([status, told]).toEqual([404, { error: "contact.not_found" }]);
  });
});
