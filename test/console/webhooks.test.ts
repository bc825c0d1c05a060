/** Webhooks on pages: registered, tested, paused, changed, replayed and removed, and every fault at its field. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { someTarget } from "../support/given-hooks.ts";
import { givenOlga } from "../support/marketplace.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: webhooks", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let base: string;
  let hooks: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    base = `/w/${world.acme}`;
    hooks = `${base}/webhooks`;
  });
  afterAll(() => world?.close());

  const valid = { target_url: someTarget, which: "some", event: "contact.created" };
  const tokenOf = ({ text }: Page) => /name="form_token" value="([^"]+)"/.exec(text)![1]!;

  /** A webhook as its form makes it: the path of its page, and its secret. */
  async function given(fields = {}): Promise<{ readonly path: string; readonly secret: string; readonly shown: Page }> {
    const shown = await olga.submit(await olga.get(`${hooks}/new`), { ...valid, ...fields });
    expect(shown.status, shown.text).toBe(200);
    const path = new RegExp(`href="(${hooks}/\\d+)"`).exec(shown.text)![1]!;
    return { path, secret: /whsec_[\w-]+/.exec(shown.text)![0], shown };
  }

  /** Presses a button of a form without a page. */
  async function press(page: string, action: string, fields = {}): Promise<Page> {
    return olga.post(action, { ...fields, form_token: tokenOf(await olga.get(page)) });
  }

  test("a webhook is registered, and its secret is shown once", async () => {
    const form = await olga.get(`${hooks}/new`);
    const shown = await olga.submit(form, { ...valid, which: "all" });
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(shown.text).toMatch(/whsec_[\w-]+/);
    const again = await olga.submit(form, valid);
    expect([again.status, again.text.includes("whsec_")]).toEqual([409, false]);
    const list = await olga.get(hooks);
    expect(list.text).toContain("All events");
    expect(list.text).not.toContain("whsec_");
  });

  test("a test is queued, and its page shows the body as sent", async () => {
    const { path } = await given();
    const sent = await press(path, `${path}/test`);
    expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/\/deliveries\/\d+$/)]);
    const page = await olga.get(sent.location);
    expect(page.text).toContain("The test is queued");
    expect(page.text).toContain("This is a test: the webhook works.");
    const replayed = await press(sent.location, `${sent.location}/replay`);
    expect(replayed.location).toBe(sent.location);
    const { text } = await olga.get(path);
    expect(text).toMatch(/Waiting\s*<span class="n">1<\/span>/);
    expect(text).toContain("None failed for good yet.");
  });

  test("a webhook is paused and resumed", async () => {
    const { path } = await given();
    expect((await press(path, `${path}/status`, { status: "paused" })).location).toBe(path);
    expect((await olga.get(path)).text).toContain("The webhook is paused");
    expect((await olga.get(path)).text).toMatch(/name="status" value="active"/);
    await press(path, `${path}/status`, { status: "active" });
    expect((await olga.get(path)).text).toContain("The webhook is active");
  });

  test("its events are changed, and the form shows what is chosen", async () => {
    const { path } = await given();
    const form = await olga.get(`${path}/events`);
    expect(form.text).toMatch(/value="contact.created"\s+checked/);
    expect((await olga.submit(form, { which: "some", event: "message.received" })).location).toBe(path);
    expect((await olga.get(`${path}/events`)).text).toMatch(/value="message.received"\s+checked/);
    expect((await olga.submit(form, { which: "some" })).status).toBe(422);
    expect((await olga.submit(form, { which: "some", event: "ping" })).text).toContain("crm hooks test sends it");
  });

  test("events beyond the scopes of its registration are refused", async () => {
    const { path } = await given();
    await world.service.database.transaction(({ rows }) =>
      rows(`update hooks set scopes = '["contacts.readonly"]' where id = ?`, [Number(path.split("/").at(-1))]),
    );
    const answer = await olga.submit(await olga.get(`${path}/events`), { which: "some", event: "message.received" });
    expect([answer.status, answer.text.includes("without the scopes for message.received")]).toEqual([422, true]);
  });

  test("its secret is rotated once", async () => {
    const { path, secret } = await given();
    const form = await olga.get(`${path}/secret`);
    const shown = await olga.submit(form, { grace: "day" });
    expect(shown.text).toMatch(/whsec_[\w-]+/);
    expect(shown.text).not.toContain(secret);
    expect(shown.text).toContain("The old one also signs until");
    expect((await olga.submit(form, { grace: "day" })).status).toBe(409);
  });

  test("failed deliveries are found by state and replayed together", async () => {
    const { path } = await given();
    const id = Number(path.split("/").at(-1));
    for (let n = 0; n < 3; n++) await press(path, `${path}/test`);
    await world.service.database.transaction(({ rows }) =>
      rows("update deliveries set state = 'failed', due_at = null where hook_id = ?", [id]),
    );
    const failed = await olga.get(`${path}?state=failed`);
    expect(failed.text.match(/class="main"/g)).toHaveLength(3);
    expect(failed.text).toContain("Replay 3 failed");
    expect((await olga.get(`${path}?state=delivered`)).text).toContain("No delivered deliveries");
    expect((await olga.submit(await olga.get(`${path}/replay`))).location).toBe(path);
    expect((await olga.get(path)).text).toContain("3 deliveries are queued again");
    expect((await olga.get(`${path}?state=waiting`)).text.match(/class="main"/g)).toHaveLength(3);
  });

  test("deliveries of each state are pages that miss none", async () => {
    const { path } = await given();
    const id = Number(path.split("/").at(-1));
    const [event] = await world.service.database.rows<{ id: number }>("select max(id) as id from events", []);
    await world.service.database.transaction(async ({ rows }) => {
      const now = world.clock.now();
      for (let n = 0; n < 60; n++) {
        const isWaiting = n % 2 === 0;
        await rows("insert into deliveries (hook_id, event_id, state, due_at, created_at) values (?, ?, ?, ?, ?)", [
          id,
          event?.id ?? 1,
          isWaiting ? "retrying" : "delivered",
          isWaiting ? new Date(now.getTime() + (n % 3) * 1000) : null,
          now,
        ]);
      }
    });
    for (const [query, count] of [
      ["", 60],
      ["?state=waiting", 30],
      ["?state=delivered", 30],
    ] as const) {
      const seen = new Set<string>();
      for (let address: string | undefined = path + query; address !== undefined;) {
        const { text }: { text: string } = await olga.get(address);
        for (const [found] of text.matchAll(/\/deliveries\/\d+/g)) seen.add(found);
        address = /href="([^"]+cursor=[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      }
      expect(seen.size, query).toBe(count);
    }
  });

  test("bars show the deliveries of each hour of the last day, and which failed", async () => {
    const { path } = await given();
    const hook = Number(path.split("/").at(-1));
    expect((await olga.get(path)).text).toContain(`aria-label="0 deliveries in 24 hours. None failed."`);
    const begin = Math.floor(world.clock.now().getTime() / 3_600_000);
    // The last one is older than a day.
    const hours = [0, 3, 3, 23, 24].map((ago) => new Date((begin - ago) * 3_600_000));
    await world.service.database.transaction(async ({ rows }) => {
      for (const [place, at] of hours.entries())
        await rows("insert into deliveries (hook_id, event_id, state, created_at) values (?, ?, ?, ?)", [
          hook,
          1,
          place === 2 ? "failed" : "delivered",
          at,
        ]);
    });
    const { text } = await olga.get(path);
    const [chart] = /<svg[^>]*class="bars"[^]*?<\/svg>/.exec(text)!;
    expect(text).toMatch(/aria-label="4 deliveries in 24 hours. 1 failed."/);
    expect(chart.match(/class="failed"/g)).toHaveLength(1);
    expect(chart.match(/<rect/g)).toHaveLength(3);
  });

  test("a page has a weak ETag, and asking again is 304 while nothing changes; a message is kept for the whole page", async () => {
    const { path } = await given();
    await press(path, `${path}/status`, { status: "paused" });
    const part = await olga.get(path, { "sec-fetch-dest": "empty" });
    const etag = part.headers.get("etag")!;
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect((await olga.get(path, { "sec-fetch-dest": "empty", "if-none-match": etag })).status).toBe(304);
    expect((await olga.get(path)).text).toContain("The webhook is paused");
    await press(path, `${path}/test`);
    expect((await olga.get(path, { "sec-fetch-dest": "empty", "if-none-match": etag })).status).toBe(200);
  });

  test("a webhook is removed, and is gone", async () => {
    const { path } = await given();
    expect((await olga.submit(await olga.get(`${path}/remove`))).location).toBe(hooks);
    expect((await olga.get(hooks)).text).toContain("The webhook is removed");
    expect((await olga.get(path)).status).toBe(404);
  });

  test("a disabled webhook says why, and is not tested", async () => {
    const { path } = await given();
    const id = Number(path.split("/").at(-1));
    await world.service.database.transaction(({ rows }) =>
      rows("update hooks set status = 'disabled' where id = ?", [id]),
    );
    expect((await olga.get(path)).text).toContain("410 Gone");
    expect((await press(path, `${path}/test`)).location).toBe(path);
    expect((await olga.get(path)).text).toContain("Resume it first");
  });

  test.each<[string, Record<string, string>, string, string]>([
    ["no URL", { target_url: "" }, "target_url", "is required"],
    ["no URL at all", { target_url: "nonsense" }, "target_url", "The target url field"],
    ["a private address", { target_url: "https://127.0.0.1/x" }, "target_url", "The target url field"],
    ["another scheme", { target_url: "javascript:alert(1)" }, "target_url", "The target url field"],
    ["no events", { event: "" }, "event", "event"],
    ["an unknown event", { event: "contact.creatd" }, "event", "contact.created"],
  ])("%s: 422, what was typed, and the fault at its field", async (_name, fields, id, sentence) => {
    const answer = await olga.submit(await olga.get(`${hooks}/new`), { ...valid, ...fields });
    expect(answer.status).toBe(422);
    expect(new RegExp(`id="${id}-fault">[^]*?</p>`).exec(answer.text)?.[0]).toContain(sentence);
    if (fields["target_url"] === undefined) expect(answer.text).toContain(`value="${someTarget}"`);
    expect(answer.text).toMatch(/value="some"\s+checked/);
  });

  test("a sample is shown, and what was typed is kept", async () => {
    const answer = await olga.submit(await olga.get(`${hooks}/new`), {
      ...valid,
      event: "message.received",
      sample: "1",
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Sample of message.received");
    expect(answer.text).toContain(`value="${someTarget}"`);
  });
});
