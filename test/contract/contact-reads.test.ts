/** A change of one contact locks it once and reads it in full once; a missing contact is still reported first. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenTag } from "../support/given.ts";
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
    const { database } = world.service;
    const reads: string[] = [];
    const note = (text: string | { readonly sqlite: string }): void => {
      const written = typeof text === "string" ? text : text.sqlite;
      if (/^\s*select\b[^]*\bfrom contacts\b/i.test(written)) reads.push(written);
    };
    const { rows, transaction } = database;
    const noting = <Rows extends typeof rows>(inner: Rows): Rows =>
      ((text: never, params: never) => {
        note(text);
        return inner(text, params);
      }) as Rows;
    Object.assign(database, {
      rows: noting(rows),
      transaction: (change: Parameters<typeof transaction>[0]) =>
        transaction((open) => change(Object.assign(open, { rows: noting(open.rows) }))),
    });
    try {
      await work();
    } finally {
      Object.assign(database, { rows, transaction });
    }
    return reads;
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
