/** API keys on pages: created and rotated once, revoked, and every fault at its field. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: keys", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let keys: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    keys = `/w/${world.acme}/keys`;
  });
  afterAll(() => world?.close());

  const valid = { name: "Website forms", scopes: "contacts.write", where: "all", expires: "never" };
  const secretIn = (text: string) => /crm_key_\w+/.exec(text)?.[0];
  const isAccepted = async (key: string) =>
    (
      await fetch(`${world.url}/api/v1/contacts?location_id=${world.north}`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status === 200;

  test("a key is created, shown once, works, and the same form has no second effect", async () => {
    const form = await olga.get(`${keys}/new`);
    const shown = await olga.submit(form, valid);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const key = secretIn(shown.text)!;
    expect(await isAccepted(key)).toBe(true);
    const again = await olga.submit(form, valid);
    expect([again.status, secretIn(again.text)]).toEqual([409, undefined]);
    const list = await olga.get(keys);
    expect(list.text.match(/<bdi>Website forms<\/bdi>/g)).toHaveLength(1);
    expect(list.text).toContain(key.slice(-4));
    expect(secretIn(list.text)).toBeUndefined();
  });

  test("a rotation replaces the secret once", async () => {
    const old = await world.service.inWorkspace(world.acme).change((change) => createApiKey(change, { name: "Sync" }));
    const form = await olga.get(`${keys}/${old.id}/rotate`);
    const shown = await olga.submit(form);
    expect([await isAccepted(old.key), await isAccepted(secretIn(shown.text)!)]).toEqual([false, true]);
    expect((await olga.submit(form)).status).toBe(409);
    expect(await isAccepted(secretIn(shown.text)!)).toBe(true);
  });

  test("a revocation is told once, and a revoked key is not rotated", async () => {
    const old = await world.service.inWorkspace(world.acme).change((change) => createApiKey(change, { name: "Old" }));
    const form = await olga.get(`${keys}/${old.id}/rotate`);
    const sent = await olga.submit(await olga.get(`${keys}/${old.id}/revoke`));
    expect([sent.status, sent.location, await isAccepted(old.key)]).toEqual([303, keys, false]);
    expect((await olga.get(keys)).text).toContain("<strong><bdi>Old</bdi> is revoked</strong>");
    expect((await olga.get(keys)).text).not.toContain("is revoked</strong>");
    expect((await olga.submit(form)).location).toBe(keys);
    expect((await olga.get(keys)).text).toContain(`The API key ${old.id} is revoked; create a new one.`);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["no name", { name: "" }, "name", "The name field is required."],
    ["a blank name", { name: "   " }, "name", "The name field is required."],
    ["a name that is too long", { name: "x".repeat(256) }, "name", "255"],
    ["a name that turns text", { name: "a\u202Eb" }, "name", "must not contain control characters"],
    ["no scopes", { scopes: "" }, "scopes", "scopes"],
    ["an unknown scope", { scopes: "everything" }, "scopes", "scopes"],
    ["no locations", { where: "some" }, "location_ids", "must name at least one location"],
    ["a foreign location", { where: "some", location_ids: "999999" }, "location_ids", "no location 999999"],
    [
      "a location that is no number",
      { where: "some", location_ids: "x" },
      "location_ids",
      "must be a positive integer",
    ],
  ])("%s: 422, what was typed, and the fault at its field", async (_name, fields, id, sentence) => {
    const answer = await olga.submit(await olga.get(`${keys}/new`), { ...valid, ...fields });
    expect(answer.status).toBe(422);
    const fault = new RegExp(`id="${id}-fault">[^]*?</p>`).exec(answer.text)?.[0];
    expect(fault).toContain(sentence);
    expect(answer.text).toContain(`<a class="line" href="#${id}">`);
    if (fields["name"] === undefined) expect(answer.text).toContain('value="Website forms"');
    expect(answer.text).toMatch(/value="never"\s+checked/);
  });

  test("255 characters and markup are a name, and stay text", async () => {
    for (const name of ["x".repeat(255), `"><img src=x>'&amp;`]) {
      const shown = await olga.submit(await olga.get(`${keys}/new`), { ...valid, name });
      expect(shown.status).toBe(200);
      expect(shown.text).not.toContain("<img");
    }
  });

  test("many keys are pages of 15, in the order of the list; revoked ones are shown with all", async () => {
    await world.service.inWorkspace(world.acme).change(async (change) => {
      for (let n = 0; n < 60; n++) await createApiKey(change, { name: `Key ${n}.` });
    });
    const seen: string[] = [];
    for (let path: string | undefined = keys; path !== undefined;) {
      const { text }: { text: string } = await olga.get(path);
      expect(Buffer.byteLength(text)).toBeLessThan(20_480);
      seen.push(...[...text.matchAll(/<bdi>(Key \d+\.)<\/bdi>/g)].map(([, name]) => name!));
      path = /href="([^"]+cursor=[^"]+)"/.exec(text)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `Key ${n}.`));
    const hasRevoked = async (path: string) => (await olga.get(path)).text.includes("<bdi>revoked</bdi>");
    expect([await hasRevoked(keys), await hasRevoked(`${keys}?state=all`)]).toEqual([false, true]);
  });

  test("a cursor of another list is refused", async () => {
    expect((await olga.get(`${keys}?cursor=x`)).status).toBe(422);
  });
});
