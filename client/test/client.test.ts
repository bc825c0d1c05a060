/** The client against a real service: every kind of method, pages, location, and errors. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseKinds } from "../../test/support/databases.ts";
import { stampAll } from "../../test/support/events.ts";
import { createWorld } from "../../test/support/world.ts";
import type { World } from "../../test/support/world.ts";
import { createClient, CrmError, responseOf } from "../src/client.ts";
import type { Contact, ContactSummary, Crm } from "../src/client.ts";

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let crm: Crm;
  beforeAll(async () => {
    world = await createWorld(kind);
    crm = createClient({ baseUrl: `${world.url}/`, token: world.keys.owner!, location: world.north });
  });
  afterAll(() => world?.close());

  const ada = { first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" };

  test("creates, gets, changes, upserts, tags and deletes", async () => {
    const created: Contact = await crm.contacts.create(ada);
    expect(created).toMatchObject({ name: "Ada Lovelace" });
    expect(responseOf(created)).toMatchObject({ status: 201 });
    expect(await crm.contacts.get(created.id)).toMatchObject({ id: created.id });
    expect(await crm.contacts.update(created.id, { city: "London" })).toMatchObject({ city: "London" });
    const upserted = await crm.contacts.upsert({ email: ada.email, company: "Engines" });
    expect(upserted).toMatchObject({ created: false, contact: { id: created.id, company: "Engines" } });
    const tag = await crm.tags.create({ name: "VIP" });
    expect((await crm.contacts.addTag(created.id, { tag_id: tag.id })).tags).toMatchObject([{ name: "VIP" }]);
    expect((await crm.contacts.removeTag(created.id, tag.id)).tags).toEqual([]);
    const note = await crm.notes.add(created.id, { body: "Hello." });
    expect(await crm.notes.delete(created.id, note.id)).toBeUndefined();
    expect(await crm.contacts.delete(created.id)).toBeUndefined();
  });

  test("pages are walked, and filters are objects", async () => {
    const contacts = Array.from({ length: 130 }, (_, n) => ({
      email: `many.${n}@example.com`,
      city: n % 2 === 0 ? "Paris" : "Rome",
    }));
    await crm.contacts.bulkUpsert({ location_id: world.south, contacts });
    const query = { location_id: world.south, filters: [{ field: "city", op: "eq", value: "Paris" }] };
    const found: ContactSummary[] = [];
    for await (const contact of crm.contacts.all(query)) found.push(contact);
    expect(new Set(found.map(({ id }) => id)).size).toBe(65);
    expect((await crm.contacts.list(query)).total).toBe(65);
  });

  test("the event log is walked by its positions", async () => {
    await stampAll(world.service.database);
    const names = new Set<string>();
    for await (const { event } of crm.events.all({ location_id: world.south, limit: 50 })) names.add(event);
    expect(names).toContain("contact.created");
  });

  test("a file is sent as it is", async () => {
    const attachment = await crm.attachments.upload(new Blob(["%PDF-1.7"], { type: "application/pdf" }), {
      name: "price list.pdf",
    });
    expect(attachment).toMatchObject({ name: "price list.pdf", content_type: "application/pdf", size: 8 });
  });

  test("ifMatch refuses a record that has changed meanwhile", async () => {
    const contact = await crm.contacts.create({ ...ada, email: "match@example.com" });
    const ifMatch = responseOf(await crm.contacts.get(contact.id))!.headers.get("etag")!;
    await crm.contacts.update(contact.id, { city: "London" }, { ifMatch });
    await expect(crm.contacts.update(contact.id, { city: "Paris" }, { ifMatch })).rejects.toMatchObject({
      status: 412,
      code: "precondition_failed",
    });
  });

  type Failure = readonly [what: string, call: () => Promise<unknown>, error: object];
  test.each<Failure>([
    [
      "every invalid field",
      () => crm.contacts.create({ ...ada, first_name: "", email: "nobody" }),
      {
        status: 422,
        code: "validation_failed",
        errors: { first_name: [expect.any(String)], email: [expect.any(String)] },
        detail: expect.stringContaining("and 1 more error"),
      },
    ],
    [
      "a record that is not there, with its sentence",
      () => crm.contacts.get(999_999),
      {
        status: 404,
        code: "contact.not_found",
        errors: {},
        detail: "There is no contact with that id in this location.",
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ],
    [
      "a location of another workspace",
      () => crm.contacts.list({}, { location: world.foreign }),
      { status: 404, code: "location.not_found" },
    ],
    [
      "a wrong token",
      () => crm.locations.list({}, { token: "crm_key_wrong" }),
      { status: 401, code: "invalid_api_key", detail: expect.any(String) },
    ],
    [
      "a missing scope",
      () => crm.tags.create({ name: "x" }, { token: world.keys.readonly! }),
      { status: 403, code: "insufficient_scope" },
    ],
    ["a name that cannot be a path", () => crm.contacts.get("../tags"), { status: 404, code: "contact.not_found" }],
  ])("a CrmError says %s", async (_what, call, expected) => {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CrmError);
    expect(error).toMatchObject(expected);
  });

  test("strict names a field that does not exist", async () => {
    const strict = createClient({ baseUrl: world.url, token: world.keys.owner!, location: world.north, strict: true });
    const mistyped = { ...ada, emial: "ada@example.com" };
    await expect(strict.contacts.create(mistyped)).rejects.toMatchObject({ errors: { emial: [expect.any(String)] } });
  });

  test("an operation without its location is refused before it is sent", async () => {
    const nowhere = createClient({ baseUrl: world.url, token: world.keys.owner! });
    await expect(nowhere.contacts.list()).rejects.toThrow(/contacts.list needs a location/);
    expect((await nowhere.locations.list()).data.length).toBe(2);
    // Everything of the workspace, although the client has a location.
    expect((await crm.hooks.list({ location_id: null })).data).toEqual([]);
  });
});

test.each(["ftp://example.com", "example.com"])("baseUrl %s is refused", (baseUrl) => {
  expect(() => createClient({ baseUrl })).toThrow(TypeError);
});
