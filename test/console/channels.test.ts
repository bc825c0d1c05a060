/** Channels on pages: created with the inbound URL once, paused, resumed, tested, rotated, and every fault at its field. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel } from "../support/given.ts";
import { givenOlga } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const valid = { name: "Texts", kind: "sms", address: "(212) 555-0100", transport: "log", transport_url: "" };

describe.each(sampleOf("console: channels", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let channels: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    channels = `/l/${world.north}/channels`;
  });
  afterAll(() => world?.close());

  const urlIn = (text: string) => /https?:[^<"]+\/inbound\/[\w-]+/.exec(text)?.[0];
  const tokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)![1]!;
  const count = () => world.service.database.rows("select count(*) as count from channels", []);

  test("a channel is created, and its inbound URL is shown once", async () => {
    const form = await olga.get(`${channels}/new`);
    const shown = await olga.submit(form, { ...valid, name: "Front desk" });
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(urlIn(shown.text)).toBeDefined();
    expect((await olga.submit(form, valid)).status).toBe(409);
    const list = await olga.get(channels);
    expect(list.text).toMatch(/<bdi>Front desk<\/bdi>[^]*Active/);
    expect(urlIn(list.text)).toBeUndefined();
  });

  test("a channel that only stores messages says so, and offers no test", async () => {
    expect((await olga.get(`${channels}/new`)).text).toMatch(/value="smtp"\s*>Mail server \(SMTP\)</);
    const { id } = await givenChannel(world, { name: "Calls" });
    const stored = await olga.get(`${channels}/${id}`);
    expect(stored.text).toContain("Nothing: messages are only stored");
    expect(stored.text).not.toContain("Send test");
    const sending = await givenChannel(world, { transport: "http", transport_url: "https://gateway.invalid/send" });
    expect((await olga.get(`${channels}/${sending.id}`)).text).toContain("Send test");
  });

  test("a channel is paused and resumed, tested, and its URL rotated", async () => {
    const { id, inbound_url: old } = await givenChannel(world, { name: "Mobile" });
    const address = `${channels}/${id}`;
    const token = tokenIn((await olga.get(address)).text);
    await olga.post(`${address}/status`, { form_token: token, status: "paused" });
    expect((await olga.get(address)).text).toMatch(/is paused[^]*Paused[^]*Resume/);
    await olga.post(`${address}/status`, { form_token: token, status: "active" });
    expect((await olga.get(address)).text).toMatch(/sends again[^]*Active/);
    for (const [to, sentence] of [
      ["+12125550199", "The channel only stores its messages"],
      ["", "The to field is required."],
    ] as const) {
      const refused = await olga.post(`${address}/test`, { form_token: token, to });
      expect([refused.status, refused.text.includes(sentence)], refused.text).toEqual([422, true]);
    }

    const rotated = await olga.submit(await olga.get(`${address}/rotate`));
    expect(urlIn(rotated.text)).not.toBe(old);
    expect(
      (await fetch(old, { method: "POST", body: "{}", headers: { "content-type": "application/json" } })).status,
    ).toBe(404);
  });

  test("a test message that a gateway does not take is told with the reason", async () => {
    const { id } = await givenChannel(world, { transport: "http", transport_url: "https://gateway.invalid/send" });
    const address = `${channels}/${id}`;
    const form_token = tokenIn((await olga.get(address)).text);
    expect((await olga.post(`${address}/test`, { form_token, to: "+12125550199" })).location).toBe(address);
    expect((await olga.get(address)).text).toContain("The test message was not accepted");
  });

  test.each<[string, Record<string, string>, string]>([
    ["no name", { name: "" }, "name"],
    ["a name that turns text", { name: "a\u202Eb" }, "name"],
    ["a long address", { address: "1".repeat(5000) }, "address"],
    ["no URL for http", { transport: "http" }, "transport_url"],
    ["a URL that is none", { transport: "http", transport_url: "not a url" }, "transport_url"],
    ["a URL inside of the network", { transport: "http", transport_url: "https://127.0.0.1/send" }, "transport_url"],
    ["a secret that is too long", { transport_secret: "x".repeat(10_000) }, "transport_secret"],
  ])("%s: 422, what was typed but no secret, and the fault at its field", async (_name, fields, id) => {
    const before = await count();
    const secret = { transport_secret: "hush-hush" };
    const answer = await olga.submit(await olga.get(`${channels}/new`), { ...valid, ...secret, ...fields });
    expect([answer.status, answer.text.includes(`id="${id}-fault"`)], answer.text).toEqual([422, true]);
    expect(answer.text).not.toContain("hush-hush");
    expect(await count()).toEqual(before);
  });
});
