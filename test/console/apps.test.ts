/** Apps on pages: created, changed, published, rotated once, uninstalled, and every fault at its field. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/marketplace/apps/app.service.ts";
import { listInstalledApps } from "../../src/marketplace/installs/install.operations.ts";
import { personCaller } from "../../src/operation/callers.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenPerson } from "../support/given-people.ts";
import { givenApp, givenInstall, givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const valid = {
  name: "Ledgerline",
  redirect_uris: "https://app.example.com/callback\r\n\r\n http://127.0.0.1:4000/callback ",
  scopes: "contacts.readonly",
  install_type: "location",
  billing: "none",
};

describe.each(sampleOf("console: apps", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let apps: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    apps = `/w/${world.acme}/apps`;
  });
  afterAll(() => world?.close());

  const secretIn = (text: string) => /crm_cs_\w+/.exec(text)?.[0];
  const idIn = (text: string) => Number(/\/apps\/(\d+)"/.exec(text)?.[1]);
  const stored = (id: number) =>
    world.service.database
      .rows<Record<string, unknown>>("select * from apps where id = ?", [id])
      .then(([row]) => ({ ...row }));

  test("an app is created with its secret once, changed, and published", async () => {
    const form = await olga.get(`${apps}/new`);
    const shown = await olga.submit(form, valid);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(secretIn(shown.text)).toBeDefined();
    expect((await olga.submit(form, valid)).status).toBe(409);
    const id = idIn(shown.text);
    expect(JSON.parse(String((await stored(id))["redirect_uris"]))).toEqual([
      "https://app.example.com/callback",
      "http://127.0.0.1:4000/callback",
    ]);

    const changed = await olga.submit(await olga.get(`${apps}/${id}`), {
      ...valid,
      name: "Ledger & Line",
      billing: "platform",
      price: "29.50",
      trial_days: "14",
      payment_page_url: "https://left.example.com/behind",
    });
    expect([changed.status, changed.location]).toEqual([303, `${apps}/${id}`]);
    expect(await stored(id)).toMatchObject({
      name: "Ledger & Line",
      billing: "platform",
      price_cents: 2950,
      trial_days: 14,
    });
    const page = await olga.get(`${apps}/${id}`);
    expect(page.text).toContain("<strong><bdi>Ledgerline</bdi> is saved</strong>");
    expect(page.text).toContain('value="29.50"');

    // This service has no payment processor.
    const refused = await olga.submit(await olga.get(`${apps}/${id}/publish`));
    expect(refused.location).toBe(`${apps}/${id}`);
    expect((await olga.get(`${apps}/${id}`)).text).toContain("this service has no payment processor");
    await olga.post(`${apps}/${id}`, { ...valid, form_token: tokenIn(page.text) });
    expect((await olga.submit(await olga.get(`${apps}/${id}/publish`))).status).toBe(303);
    expect((await olga.get(apps)).text).toContain("Published");
  });

  const tokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)![1]!;

  test("a rotation replaces the secret once", async () => {
    const { id, client_secret: old } = await givenApp(world);
    const form = await olga.get(`${apps}/${id}/rotate`);
    const before = await stored(id);
    const shown = await olga.submit(form);
    expect(secretIn(shown.text)).not.toBe(old);
    expect((await stored(id))["secret_hash"]).not.toBe(before["secret_hash"]);
    expect([(await olga.submit(form)).status, secretIn((await olga.get(`${apps}/${id}`)).text)]).toEqual([
      409,
      undefined,
    ]);
  });

  test("an install is listed and uninstalled", async () => {
    const { id } = await givenApp(world, { name: "Dialer" });
    const install = await givenInstall(world, id, world.north);
    expect((await olga.get(`${apps}/installed`)).text).toContain("<bdi>Dialer</bdi>");
    const sent = await olga.submit(await olga.get(`${apps}/installed/${install}/uninstall`));
    expect(sent.location).toBe(`${apps}/installed`);
    const list = await olga.get(`${apps}/installed`);
    expect(list.text).toContain("<strong><bdi>Dialer</bdi> is uninstalled</strong>");
    expect(list.text).not.toContain("<b><bdi>Dialer</bdi></b>");
    expect((await olga.get(`${apps}/installed/${install}/uninstall`)).status).toBe(200);
  });

  test.each<[string, Record<string, string>, string]>([
    ["no name", { name: "" }, "name"],
    ["a name that turns text", { name: "a\u202Eb" }, "name"],
    ["no redirect URI", { redirect_uris: " \n " }, "redirect_uris"],
    ["a redirect URI without TLS", { redirect_uris: "http://example.com/callback" }, "redirect_uris"],
    ["too many redirect URIs", { redirect_uris: "https://a.example/x\n".repeat(500) }, "redirect_uris"],
    ["no scopes", { scopes: "" }, "scopes"],
    ["an unknown scope", { scopes: "everything" }, "scopes"],
    ["no payment page", { billing: "external" }, "payment_page_url"],
    [
      "a payment page that is a script",
      { billing: "external", payment_page_url: "javascript:alert(1)" },
      "payment_page_url",
    ],
    ["no price", { billing: "platform" }, "price"],
    ["a price in words", { billing: "platform", price: "ten" }, "price"],
    ["a price with three decimals", { billing: "platform", price: "9.999" }, "price"],
    ["a price beyond the most", { billing: "platform", price: "1000.01" }, "price"],
    ["a trial without an end", { billing: "platform", price: "9", trial_days: "999999999" }, "trial_days"],
  ])("%s: 422, what was typed, and the fault at its field", async (_name, fields, id) => {
    const form = await olga.get(`${apps}/new`);
    const before = await world.service.database.rows("select count(*) as count from apps", []);
    const answer = await olga.submit(form, { ...valid, name: "Typed here", ...fields });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.text).toContain(`id="${id}-fault"`);
    if (fields["name"] === undefined) expect(answer.text).toContain('value="Typed here"');
    expect(await world.service.database.rows("select count(*) as count from apps", [])).toEqual(before);
  });

  describe("lists of more than a page", () => {
    beforeAll(async () => {
      const inAcme = world.service.inWorkspace(world.acme);
      const made = await inAcme.change(async (change) => {
        const all = [];
        for (let n = 0; n < 27; n++)
          all.push(await createApp(change, { name: `App ${n}`, redirect_uris: ["https://x.example/"], scopes: [] }));
        return all;
      });
      for (const { id } of made) await givenInstall(world, id, id % 2 === 0 ? world.north : world.south);
    });

    /** The texts of all pages, by way of their links. */
    async function pagesOf(path: string): Promise<string[]> {
      const texts: string[] = [];
      for (let next: string | undefined = path; next !== undefined;) {
        const { status, text }: { status: number; text: string } = await olga.get(next);
        expect([next, status]).toEqual([next, 200]);
        texts.push(text);
        next = /href="([^"]+)">Next page/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      }
      return texts;
    }
    const namesOf = (text: string) => [...text.matchAll(/<bdi>(App \d+)<\/bdi>/g)].map(([, name]) => name);

    test.each(["", "/installed"])("/apps%s shows each once, and the way back to the first page", async (list) => {
      const texts = await pagesOf(`${apps}${list}`);
      expect(texts.length).toBe(2);
      expect(texts[1]).toContain(`href="${apps}${list}">First page`);
      // A row's menu names its app without a bdi.
      const names = texts.flatMap(namesOf);
      expect(new Set(names).size).toBe(27);
      expect(names).toHaveLength(27);
    });

    test.each(["", "/installed"])("/apps%s refuses a cursor that it did not issue", async (list) => {
      for (const cursor of ["x", "%00", "9".repeat(3000)])
        expect((await olga.get(`${apps}${list}?cursor=${cursor}`)).status).toBe(422);
    });

    test("a manager of one location sees its installs alone", async () => {
      const { id } = await givenPerson(world, "manager", [world.south]);
      const membership = { id: world.acme, role: "manager", locationIds: [world.south] } as const;
      const caller = world.service.callAs(personCaller({ userId: id, name: "Ines" }, membership));
      const query = { cursor: undefined, limit: undefined };
      const { data } = await world.service.carryOut(listInstalledApps, caller, { query });
      expect(data.length).toBeGreaterThan(10);
      expect(new Set(data.map(({ location }) => location.id))).toEqual(new Set([world.south]));
    });
  });
});
