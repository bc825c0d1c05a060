/** An app that is changed while a person decides or pays: what it asked for is judged again, and no code goes where it has no address any more. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AppChange } from "../../src/marketplace/apps/app.schema.ts";
import { updateApp } from "../../src/marketplace/apps/app.service.ts";
import { listInstalls } from "../../src/marketplace/installs/install.queries.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { authorizePath, callback, givenApp, givenOlga } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const scopes = ["contacts.readonly", "tags.readonly"] as const;
const elsewhere = "https://app.example.com/elsewhere";
const asItWas: AppChange = { redirect_uris: [callback], scopes: [...scopes] };

/** What the app becomes before the answer, and what the answer leads to: an address with what it carries, or a page. */
const rows: readonly [string, readonly AppChange[], string, string][] = [
  ["another redirect URI", [{ redirect_uris: [elsewhere] }], "page 400: redirect_uri is not registered", "lost"],
  ["one redirect URI more", [{ redirect_uris: [elsewhere, callback] }], `${callback} code`, `${callback} code`],
  ["another and back again", [{ redirect_uris: [elsewhere] }, asItWas], `${callback} code`, `${callback} code`],
  ["fewer scopes", [{ scopes: ["contacts.readonly"] }], `${callback} invalid_scope`, "lost"],
  ["more scopes", [{ scopes: [...scopes, "users.readonly"] }], `${callback} code`, `${callback} code`],
  [
    "other scopes and another redirect URI",
    [{ scopes: ["users.readonly"], redirect_uris: [elsewhere] }],
    "page 400: redirect_uri is not registered",
    "lost",
  ],
];

describe.each(sampleOf("OAuth: changed app", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  const inAcme = () => world.service.inWorkspace(world.acme);
  const become = async (app: TestApp, changes: readonly AppChange[]) => {
    for (const fields of changes) await inAcme().change((change) => updateApp(change, app.id, fields));
  };
  const consent = (app: TestApp) => olga.get(authorizePath(app, { state: "s" }));
  const allow = (page: Page) => olga.submit(page, { location_id: String(world.north), answer: "allow" });
  function led({ status, location, text }: Page): string {
    if (status !== 303) return text.includes("cannot be installed now") ? "lost" : `page ${status}: ${reasonOf(text)}`;
    const { origin, pathname, searchParams } = new URL(location);
    expect(searchParams.get("state")).toBe("s");
    return `${origin}${pathname} ${searchParams.has("code") ? "code" : searchParams.get("error")}`;
  }
  const reasonOf = (text: string) => /redirect_uri is not registered|This request is closed/.exec(text)?.[0];
  const installsOf = async (app: TestApp) => (await listInstalls(inAcme(), app.id, {})).data.length;

  test.each(rows)("%s before Allow", async (_name, changes, expected) => {
    const app = await givenApp(world, { scopes });
    const page = await consent(app);
    await become(app, changes);
    expect(led(await allow(page))).toBe(expected);
    expect(await installsOf(app)).toBe(expected.endsWith("code") ? 1 : 0);
  });

  test.each(rows)("%s before the way back from the payment page", async (_name, changes, _expected, expected) => {
    const app = await givenApp(world, { scopes, paymentPage: "https://pay.example.com/start" });
    const back = new URL((await allow(await consent(app))).location).searchParams.get("return_url")!;
    await become(app, changes);
    expect(led(await olga.get(back))).toBe(expected);
    expect(await installsOf(app)).toBe(expected.endsWith("code") ? 1 : 0);
    await become(app, [asItWas]);
    // What was refused is open still: the app may have been changed by mistake.
    if (expected === "lost") expect(led(await olga.get(back))).toBe(`${callback} code`);
  });

  test("a no is sent to no address that the app has no more", async () => {
    const app = await givenApp(world, { scopes });
    const page = await consent(app);
    await become(app, [{ redirect_uris: [elsewhere] }]);
    expect(led(await olga.submit(page, { answer: "deny" }))).toBe("page 400: redirect_uri is not registered");
    await become(app, [asItWas]);
    expect(led(await olga.submit(page, { answer: "deny" }))).toBe(`${callback} access_denied`);
  });
});
