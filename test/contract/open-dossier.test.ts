/** GET /contacts/{id}/dossier */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mostDownloads } from "../../src/http/response/download.ts";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { readArchive } from "../support/archive.ts";
import { sampleOf } from "../support/chance.ts";
import { contract, row } from "../support/contract.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenConversation, made } from "../support/given.ts";
import { givenApp, givenOlga, givenTokens } from "../support/marketplace.ts";
import { hearStatements } from "../support/statements.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const needed: readonly ScopeName[] = [
  "contacts.readonly",
  "conversations.readonly",
  "events.readonly",
  "opportunities.readonly",
  "tasks.readonly",
  "workflows.readonly",
];

const dossierOf = (world: World, { id }: { id: number }) =>
  ["GET", `/contacts/${id}/dossier?location_id=${world.north}`] as const;

contract("openDossier", [
  row({
    name: "of a deleted contact is there",
    async given(world) {
      const contact = await givenContact(world);
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      return contact;
    },
    send: dossierOf,
    expect: { status: 200, headers: { "content-type": "application/zip", "cache-control": "no-store" } },
  }),
  row({
    name: "of a contact that is not there is not found",
    send: (world) => dossierOf(world, { id: 999_999 }),
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);

describe.each(sampleOf("dossiers", 1, databaseKinds))("the archive of openDossier on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const open = (id: number, key = world.keys.owner, options: RequestInit = {}) =>
    fetch(`${world.url}/api/v1/contacts/${id}/dossier?location_id=${world.north}`, {
      ...options,
      headers: { authorization: `Bearer ${key}` },
    });

  async function keyWith(scopes: readonly ScopeName[]): Promise<string> {
    const caller = world.service.inWorkspace(world.acme);
    return (await caller.change((change) => createApiKey(change, { name: "Archive", scopes: [...scopes] }))).key;
  }

  async function givenFile(contactId: number): Promise<number> {
    const path = `/attachments?location_id=${world.north}&name=prices.txt`;
    const { id } = await made(world.send("owner", "POST", path, "1 EUR", { "content-type": "text/plain" }));
    await givenConversation(world, { contact_id: contactId, body: "Our prices", attachment_ids: [id] });
    return id;
  }

  test("is an archive of records, messages and files, and is audited", async () => {
    const { id } = await givenContact(world, { first_name: "Grace", email: "grace@x.example" });
    await made(world.send("owner", "POST", `/contacts/${id}/notes`, { location_id: world.north, body: "On Mondays." }));
    const file = await givenFile(id);
    const response = await open(id);
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("content-disposition"),
    ]).toEqual([200, "application/zip", `attachment; filename="contact-${id}.zip"`]);
    const files = readArchive(new Uint8Array(await response.arrayBuffer()));
    expect(JSON.parse(files["contacts.json"]!)).toMatchObject([{ id, email: "grace@x.example" }]);
    expect(JSON.parse(files["notes.json"]!)).toMatchObject([{ body: "On Mondays." }]);
    expect(files[`files/${file}-prices.txt`]).toBe("1 EUR");
    expect(Object.keys(files)).not.toContain("unread_files.json");
    const { body } = await world.send("owner", "GET", "/audit?operation=openDossier");
    expect(body.data[0]).toMatchObject({ actor: { type: "api_key" }, subject: { type: "contact", id } });
  });

  test.each(needed)("needs %s", async (scope) => {
    const { id } = await givenContact(world);
    const without = scopeNames.filter((name) => name !== scope && name !== scope.replace("readonly", "write"));
    const refused = await open(id, await keyWith(without));
    expect([refused.status, await refused.json()]).toMatchObject([403, { required_scope: scope }]);
  });

  test("is for a key with those scopes alone, and for no app", async () => {
    const { id } = await givenContact(world);
    expect((await open(id, await keyWith(needed))).status).toBe(200);
    const { access_token: token } = await givenTokens(
      world,
      await givenOlga(world),
      await givenApp(world),
      world.north,
    );
    const refused = await open(id, token);
    expect([refused.status, await refused.json()]).toMatchObject([403, { message: expect.stringContaining("Apps") }]);
  });

  /** An upload of `size` bytes, sent to the contact, and where its pieces are. */
  async function givenPieces(contactId: number, name: string, size: number) {
    const path = `/attachments?location_id=${world.north}&name=${name}`;
    const { id } = await made(world.send("owner", "POST", path, "x".repeat(size), { "content-type": "text/plain" }));
    await givenConversation(world, { contact_id: contactId, body: name, attachment_ids: [id] });
    const [row] = await world.service.database.rows<{ blob_key: string }>(
      "select blob_key from attachments where id = ?",
      [id],
    );
    return { attachment_id: id, name, key: row!.blob_key };
  }

  test("goes on past files that are missing or damaged, and names them", async () => {
    const { id } = await givenContact(world);
    const { blobs } = world.service;
    const million = 1_048_576;
    const lost = await givenPieces(id, "lost.txt", 5);
    await blobs.remove(lost.key);
    const changed = await givenPieces(id, "changed.txt", 5);
    await blobs.writePiece(changed.key, 0, Buffer.from("other"));
    const cut = await givenPieces(id, "cut.txt", 2 * million + 5);
    await blobs.writePiece(cut.key, 1, Buffer.from("x"));
    const last = await givenPieces(id, "whole.txt", million + 5);
    const files = readArchive(new Uint8Array(await (await open(id)).arrayBuffer()));
    expect(JSON.parse(files["unread_files.json"]!)).toEqual([
      { attachment_id: lost.attachment_id, name: "lost.txt", reason: "missing" },
      { attachment_id: changed.attachment_id, name: "changed.txt", reason: "damaged" },
      { attachment_id: cut.attachment_id, name: "cut.txt", reason: "damaged" },
    ]);
    const sizes = Object.entries(files).flatMap(([name, text]) =>
      name.startsWith("files/") ? [[name, text.length]] : [],
    );
    expect(Object.fromEntries(sizes)).toEqual({
      [`files/${cut.attachment_id}-cut.txt`]: million,
      [`files/${last.attachment_id}-whole.txt`]: million + 5,
    });
  });

  async function givenLargeContact(): Promise<number> {
    const { id } = await givenContact(world);
    const count = 1000;
    const columns = Array.from({ length: count }, () => "(?, ?, ?, ?, ?)").join();
    // Nothing that deflates well, or all of it would fit between server and client.
    const values = () => [id, randomBytes(6000).toString("base64"), false, world.clock.now(), world.clock.now()];
    await world.service.database.transaction(({ rowsOnce }) =>
      rowsOnce(
        `insert into notes (contact_id, body, pinned, created_at, updated_at) values ${columns}`,
        Array.from({ length: count }, values).flat(),
      ),
    );
    return id;
  }

  test("stops reading when its client leaves", async () => {
    const id = await givenLargeContact();
    let pages = 0;
    const stop = hearStatements(
      world.service.database,
      kind,
      (text) => void (pages += text.includes("from notes") ? 1 : 0),
    );
    const leaving = new AbortController();
    const response = await open(id, world.keys.owner, { signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    const all = await open(id);
    const begun = pages;
    await all.arrayBuffer();
    stop();
    // The second one reads all pages, and the first one no more.
    expect(begun).toBeLessThan((pages - begun) / 2);
  });

  test("is sent to a key a few at a time, however slowly they are read; to another key meanwhile", async () => {
    const id = await givenLargeContact();
    const leaving = new AbortController();
    const unread = await Promise.all(
      Array.from({ length: mostDownloads }, () => open(id, world.keys.owner, { signal: leaving.signal })),
    );
    expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200));
    const refused = await open(id);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect((await open(id, await keyWith(needed), { method: "HEAD" })).status).toBe(200);
    await unread[0]!.arrayBuffer();
    expect((await open(id, world.keys.owner, { signal: leaving.signal })).status).toBe(200);
    leaving.abort();
    const untilFree = async (): Promise<number> => {
      const { status } = await open(id, world.keys.owner, { method: "HEAD" });
      return status === 429 ? untilFree() : status;
    };
    expect(await untilFree()).toBe(200);
  });
});
