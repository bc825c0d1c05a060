/** A form that outlives its session: nothing is done, and nothing typed is lost. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenOlga } from "../support/marketplace.ts";
import { createPerson, hiddenFields } from "../support/person.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("console: lost forms", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let path: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    path = `/w/${world.acme}/keys/new`;
  });
  afterAll(() => world?.close());

  const ours = { "sec-fetch-site": "same-origin" };
  const typed = { name: `"Forms" <b>`, scopes: "contacts.write", where: "all", expires: "never", password: "hunter22" };

  async function endSessions(person: Person): Promise<void> {
    await world.service.database.transaction(({ rows }) => rows("delete from sessions", []));
    expect((await person.get(path)).status).toBe(303);
  }

  test("a session that ends: what was typed is shown, and sent again after signing in", async () => {
    const olga = await givenOlga(world);
    const form = await olga.get(path);
    await endSessions(olga);
    const lost = await olga.submit(form, typed, ours);
    expect(lost.status).toBe(403);
    expect(lost.text).toContain("You were signed out");
    expect(lost.text).toContain("<bdi>&quot;Forms&quot; &lt;b&gt;</bdi>");
    expect(lost.text).not.toContain("hunter22");
    // Still signed out: the same page.
    expect((await olga.submit(lost, {}, ours)).status).toBe(403);
    await olga.signIn("olga@acme.example");
    const checked = await olga.submit(lost, {}, ours);
    expect([checked.status, checked.text.includes("Check what you typed")]).toEqual([403, true]);
    const done = await olga.submit(checked, {}, ours);
    expect(done.status).toBe(200);
    expect(done.text).toMatch(/crm_key_\w+/);
  });

  test("two tabs: a form that is older than the session is looked at again", async () => {
    const olga = await givenOlga(world);
    const form = await olga.get(path);
    // In the other tab.
    olga.cookies.delete("crm_session");
    await olga.signIn("olga@acme.example");
    const checked = await olga.submit(form, typed, ours);
    expect([checked.status, hiddenFields(checked)["name"]]).toEqual([403, typed.name]);
    expect((await olga.submit(checked, {}, ours)).status).toBe(200);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another origin of the site", { "sec-fetch-site": "same-site" }],
    ["a browser that does not say", {}],
  ])("a form from %s is not offered again", async (_name, headers) => {
    const olga = await givenOlga(world);
    const stranger = createPerson(world.url);
    const answer = await olga.post(
      path,
      { ...typed, form_token: hiddenFields(await stranger.get("/sign-in"))["form_token"]! },
      headers,
    );
    expect([answer.status, answer.text.includes("<bdi>&quot;Forms")]).toEqual([403, false]);
  });
});
