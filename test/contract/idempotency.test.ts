/** Idempotency-Key on every POST. */
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenTag, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const key = (name: string) => ({ "idempotency-key": name });
const person = (world: World, fields: Record<string, unknown> = {}) => ({
  location_id: world.north,
  first_name: "Ida",
  last_name: "",
  ...fields,
});

const testMessage = (world: World) => ({ location_id: world.north, to: "ada@example.com" });

const large = "x".repeat(2_500_000);
const toUpload = (
  world: World,
  name: string,
  file: { readonly content?: string; readonly name?: string; readonly type?: string } = {},
): [method: string, path: string, body: string, headers: Record<string, string>] => [
  "POST",
  `/attachments?location_id=${world.north}&name=${file.name ?? `${name}.txt`}`,
  file.content ?? large,
  { "content-type": file.type ?? "text/plain", ...key(name) },
];
const upload = (world: World, ...given: [name: string, file?: { readonly content?: string }]) =>
  world.send("owner", ...toUpload(world, ...given));

/** The files of this name, and the pieces in the folder that belong to no file. */
async function storedFiles(world: World, name: string): Promise<{ files: number; orphans: number }> {
  const { database, settings } = world.service;
  const rows = await database.rows<{ name: string; size: number }>("select name, size from attachments", []);
  const entries = await readdir(settings.blobUrl.slice("fs:".length), { recursive: true, withFileTypes: true });
  const pieces = rows.reduce((sum, { size }) => sum + Math.ceil(size / 1_048_576), 0);
  return {
    files: rows.filter((row) => row.name === name).length,
    orphans: entries.filter((entry) => entry.isFile()).length - pieces,
  };
}

/** A channel of e-mail, and the server that it sends by. */
async function givenMailChannel(world: World) {
  const server = await startMailServer();
  const fields = { kind: "email", address: "desk@example.com", transport: "smtp", transport_url: server.url } as const;
  return { ...(await givenChannel(world, fields)), server };
}

contract("Idempotency-Key", [
  row({
    name: "the same key and body give the same response without a second contact",
    given: async (world) => (await world.send("owner", "POST", "/contacts", person(world), key("one"))).text,
    send: (world) => ["POST", "/contacts", person(world), key("one")],
    expect: { status: 201, headers: { "idempotency-replayed": /^true$/ } },
    async afterwards(_world, given, body) {
      expect(JSON.stringify(body)).toBe(given);
    },
  }),
  row({
    name: "another body under the same key is refused",
    given: (world) => world.send("owner", "POST", "/contacts", person(world), key("two")),
    send: (world) => ["POST", "/contacts", person(world, { city: "Other" }), key("two")],
    expect: { status: 422, body: { errors: { "Idempotency-Key": [expect.any(String)] } } },
  }),
  row({
    name: "keys are separate per holder",
    given: (world) => world.send("owner", "POST", "/contacts", person(world), key("three")),
    as: "northOnly",
    send: (world) => ["POST", "/contacts", person(world), key("three")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "keys are separate per path",
    given: (world) => world.send("owner", "POST", "/contacts", person(world), key("four")),
    send: (world) => ["POST", "/contacts/upsert", person(world, { email: "four@example.com" }), key("four")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "an error is not stored",
    async given(world) {
      const refused = await world.send("owner", "POST", "/contacts", person(world, { email: "bad" }), key("five"));
      expect(refused.status).toBe(422);
    },
    send: (world) => ["POST", "/contacts", person(world), key("five")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "a key expires after a day",
    async given(world) {
      await world.send("owner", "POST", "/contacts", person(world), key("six"));
      world.clock.advance({ hours: 24, seconds: 1 });
    },
    send: (world) => ["POST", "/contacts", person(world), key("six")],
    expect: { status: 201, events: ["contact.created"] },
  }),
  row({
    name: "thirty concurrent requests have one effect",
    async given(world) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () =>
          world.send("owner", "POST", "/contacts", person(world, { external_ref: "idem-30" }), key("seven")),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    },
    send: (world) => [
      "GET",
      `/contacts?location_id=${world.north}&filters=${encodeURIComponent('{"external_ref":"idem-30"}')}`,
    ],
    expect: { status: 200, body: { total: 1 } },
  }),
  row({
    name: "a key that is too long is refused",
    send: (world) => ["POST", "/contacts", person(world), key("k".repeat(256))],
    expect: { status: 422, body: { errors: { "Idempotency-Key": [expect.any(String)] } } },
  }),
  row({
    name: "the same key and file give the same response, and one file is stored",
    given: async (world) => (await upload(world, "file")).text,
    send: (world) => toUpload(world, "file"),
    expect: { status: 201, headers: { "idempotency-replayed": /^true$/ } },
    async afterwards(world, given, body) {
      expect(JSON.stringify(body)).toBe(given);
      expect(await storedFiles(world, "file.txt")).toEqual({ files: 1, orphans: 0 });
    },
  }),
  ...[{ content: "other" }, { name: "other.txt" }, { type: "text/html" }].map((changed) =>
    row({
      name: `another file under the same key is refused: ${JSON.stringify(changed)}`,
      given: (world) => upload(world, "changed"),
      send: (world) => toUpload(world, "changed", changed),
      expect: { status: 422, body: { errors: { "Idempotency-Key": [expect.any(String)] } } },
      async afterwards(world) {
        expect(await storedFiles(world, "changed.txt")).toEqual({ files: 1, orphans: 0 });
      },
    }),
  ),
  row({
    name: "a file that was refused is not stored under its key",
    async given(world) {
      expect(await upload(world, "empty", { content: "" })).toMatchObject({ status: 422 });
    },
    send: (world) => toUpload(world, "empty"),
    expect: { status: 201 },
  }),
  row({
    name: "a workflow that was published again is not unpublished twice",
    async given(world) {
      const id = await givenWorkflow(world, { wait: { type: "wait", reply: true } });
      await givenRun(world, id, (await givenContact(world)).id);
      const body = { location_id: world.north };
      const unpublished = await made(world.send("owner", "POST", `/workflows/${id}/unpublish`, body, key("unpublish")));
      await made(world.send("owner", "POST", `/workflows/${id}/publish`, body));
      return unpublished;
    },
    send: (world, { id }) => ["POST", `/workflows/${id}/unpublish`, { location_id: world.north }, key("unpublish")],
    expect: { status: 200, headers: { "idempotency-replayed": /^true$/ } },
    async afterwards(world, unpublished, body) {
      expect(unpublished).toMatchObject({ status: "draft", ended: 1 });
      expect(body).toEqual(unpublished);
      const path = `/workflows/${unpublished.id}?location_id=${world.north}`;
      expect((await world.send("owner", "GET", path)).body).toMatchObject({ status: "published" });
    },
  }),
  row({
    name: "the test message of a channel is sent once",
    async given(world) {
      const { id, server } = await givenMailChannel(world);
      await made(world.send("owner", "POST", `/channels/${id}/test`, testMessage(world), key("test")));
      return { id, server };
    },
    send: (world, { id }) => ["POST", `/channels/${id}/test`, testMessage(world), key("test")],
    expect: { status: 200, body: { reason: null }, headers: { "idempotency-replayed": /^true$/ } },
    async afterwards(_world, { server }) {
      await using closing = server;
      expect(closing.mails).toHaveLength(1);
    },
  }),
  row({
    name: "two concurrent tests of a channel send one message",
    async given(world) {
      const { id, server } = await givenMailChannel(world);
      const send = () => world.send("owner", "POST", `/channels/${id}/test`, testMessage(world), key("both"));
      const answers = await Promise.all([send(), send()]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      return { id, server };
    },
    send: (world, { id }) => ["POST", `/channels/${id}/test`, testMessage(world), key("both")],
    expect: { status: 200, body: { reason: null }, headers: { "idempotency-replayed": /^true$/ } },
    async afterwards(_world, { server }) {
      await using closing = server;
      expect(closing.mails).toHaveLength(1);
    },
  }),
  row({
    name: "five concurrent uploads store one file",
    async given(world) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => upload(world, "five")));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(await storedFiles(world, "five.txt")).toEqual({ files: 1, orphans: 0 });
    },
    send: (world) => toUpload(world, "five"),
    expect: { status: 201, headers: { "idempotency-replayed": /^true$/ } },
  }),
  row({
    name: "of two different files at once under one key, one is stored and one refused",
    async given(world) {
      const answers = await Promise.all(["a", "b"].map((content) => upload(world, "race", { content })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    },
    send: (world) => toUpload(world, "race", { content: "c" }),
    expect: { status: 422 },
    async afterwards(world) {
      expect(await storedFiles(world, "race.txt")).toEqual({ files: 1, orphans: 0 });
    },
  }),
]);

/** The stored responses: how many there are, and the length of the longest. */
async function kept({ service: { database } }: World): Promise<{ answers: number; longest: number }> {
  const [row] = await database.rows<{ answers: number; longest: number }>(
    "select count(*) as answers, coalesce(max(length(body)), 0) as longest from idempotency_keys",
  );
  return row!;
}

/** Barely compressible text: pseudo-random characters out of twenty thousand (Lehmer generator). */
function noise(length: number, seed: number): string {
  let state = seed;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => String.fromCharCode(0x4e00 + (next() % 0x5000))).join("");
}

async function withNotes(world: World, bodies: readonly string[]) {
  const contact = await givenContact(world);
  const path = `/contacts/${contact.id}`;
  for (const body of bodies) await world.send("owner", "POST", `${path}/notes`, { location_id: world.north, body });
  const tag = await givenTag(world);
  const add = (name: string) =>
    world.send("owner", "POST", `${path}/tags`, { location_id: world.north, tag_id: tag.id }, key(name));
  const remove = () => world.send("owner", "DELETE", `${path}/tags/${tag.id}`, { location_id: world.north });
  const show = async () => (await world.send("owner", "GET", `${path}?location_id=${world.north}`)).body;
  return { contact, add, remove, show };
}

describe.each([...databaseKinds])("stored responses of an Idempotency-Key on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("are not stored if nothing was changed", async () => {
    const { contact, add } = await withNotes(world, []);
    expect(await add("the first")).toMatchObject({ status: 200 });
    const before = await kept(world);
    expect(await add("again")).toMatchObject({ status: 200 });
    const same = { location_id: world.north, email: contact.email, first_name: "Ada" };
    expect(await world.send("owner", "POST", "/contacts/upsert", same, key("same"))).toMatchObject({ status: 200 });
    expect(await kept(world)).toEqual(before);
    // The keys can be used again.
    const other = { ...same, city: "Boston" };
    expect(await world.send("owner", "POST", "/contacts/upsert", other, key("same"))).toMatchObject({ status: 200 });
    expect(await kept(world)).toMatchObject({ answers: before.answers + 1 });
  });

  test("are compressed, and replayed byte for byte", async () => {
    const { add, remove } = await withNotes(
      world,
      Array.from({ length: 20 }, () => "A long note. ".repeat(500)),
    );
    const first = await add("large");
    expect(first.text.length).toBeGreaterThan(80_000);
    expect((await kept(world)).longest).toBeLessThan(20_000);
    await remove();
    const again = await add("large");
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  test("are not stored if they are too large even compressed: a repeated request is refused and has no second effect", async () => {
    const { add, remove, show } = await withNotes(
      world,
      Array.from({ length: 40 }, (_, place) => noise(5000, place + 1)),
    );
    expect(await add("too large")).toMatchObject({ status: 200 });
    expect((await kept(world)).longest).toBeLessThan(20_000);
    await remove();
    const { result: again, events } = await world.eventsDuring(() => add("too large"));
    expect(again).toMatchObject({ status: 409, body: { error: "answer_not_kept", message: expect.any(String) } });
    expect(events).toEqual([]);
    expect(await show()).toMatchObject({ tags: [] });
  });
});
