/** Signing in with two factors, judged from outside: no session before both, and each code once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeResetLink } from "../../src/tenancy/invitations/account-link.service.ts";
import { removeSecondFactor } from "../../src/tenancy/two-factor/second-factor.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { authorizePath, givenApp, givenPasswords } from "../support/marketplace.ts";
import { createPerson, hiddenFields, password } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { givenSecondFactor } from "../support/two-factor.ts";
import type { TestApp } from "../support/two-factor.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const email = "olga@acme.example";

describe.each(sampleOf("OAuth: two factor", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let app: TestApp;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: { CRM_TRUSTED_PROXIES: "127.0.0.1" } });
    await givenPasswords(world);
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    // Attempts are counted in windows of ten minutes, and of a day.
    world.clock.advance({ days: 1 });
    await world.service.database.transaction((change) => removeSecondFactor(change, world.users.olga));
    app = await givenSecondFactor(world, world.users.olga);
  });

  const signedIn = async (person: Person) => (await person.get("/")).text.includes("Sign out");

  /** A browser whose person has typed the password, and the page that asks for the code. */
  async function afterPassword({ continueTo = "/", person = createPerson(world.url) } = {}): Promise<{
    person: Person;
    page: Page;
  }> {
    const first = await person.get(`/sign-in?continue=${encodeURIComponent(continueTo)}`);
    const answer = await person.submit(first, { email, password });
    expect([answer.status, answer.location.split("?")[0]]).toEqual([303, "/sign-in/code"]);
    return { person, page: await person.get(answer.location) };
  }

  test("the password alone opens no session and marks no browser; the code does both", async () => {
    const { person, page } = await afterPassword();
    expect([...person.cookies.keys()].toSorted()).toEqual(["crm_sign_in", "crm_visit"]);
    expect(page.text).toContain("Two-factor sign-in");
    expect(await signedIn(person)).toBe(false);
    const answer = await person.submit(page, { code: app.code() });
    expect([answer.status, answer.location]).toEqual([303, "/"]);
    expect([...person.cookies.keys()].toSorted()).toEqual(["crm_browser", "crm_session", "crm_visit"]);
    expect(await signedIn(person)).toBe(true);
  });

  test.each<[string, (app: TestApp) => string, number]>([
    ["the code of now", ({ code }) => code(), 303],
    ["in two groups", ({ code }) => code().replace(/^.../, "$& "), 303],
    ["of a clock that is 30 seconds slow", ({ code }) => code(-30), 303],
    ["of a clock that is 30 seconds fast", ({ code }) => code(30), 303],
    ["of a clock that is a minute slow", ({ code }) => code(-90), 422],
    ["of a clock that is a minute fast", ({ code }) => code(60), 422],
    ["a recovery code", ({ recoveryCodes }) => recoveryCodes[3]!, 303],
    [
      "a recovery code in small letters without hyphens",
      ({ recoveryCodes }) => recoveryCodes[4]!.toLowerCase().replaceAll("-", ""),
      303,
    ],
    ["a recovery code of another set", () => "0000-0000-0000-0000", 422],
    ["nothing", () => "", 422],
    ["five digits", ({ code }) => code().slice(1), 422],
    ["other digits", () => "１２３４５６", 422],
    ["a very long text", () => "1".repeat(50_000), 422],
    ["NUL and markup", () => "\0<script>'--", 422],
    ["the password", () => password, 422],
  ])("takes or refuses %s", async (_name, typed, status) => {
    const { person, page } = await afterPassword();
    const code = typed(app);
    const answer = await person.submit(page, { code });
    expect(answer.status).toBe(status);
    expect(await signedIn(person)).toBe(status === 303);
    if (status === 303) return;
    expect(answer.text).toContain("The code is wrong, or was used already.");
    if (code !== "") expect(answer.text).not.toContain(code);
    expect((await person.submit(answer, { code: app.code() })).status).toBe(303);
  });

  describe("a code is taken once", () => {
    test("the same one again is refused, and the next one taken", async () => {
      const code = app.code();
      const first = await afterPassword();
      expect((await first.person.submit(first.page, { code })).status).toBe(303);
      const second = await afterPassword();
      expect((await second.person.submit(second.page, { code })).status).toBe(422);
      world.clock.advance({ seconds: 30 });
      expect((await second.person.submit(second.page, { code: app.code() })).status).toBe(303);
    });

    test("an older one is refused after a newer one", async () => {
      const older = app.code(-30);
      const [first, second] = [await afterPassword(), await afterPassword()];
      expect((await first.person.submit(first.page, { code: app.code() })).status).toBe(303);
      expect((await second.person.submit(second.page, { code: older })).status).toBe(422);
    });

    test("not the one that turned it on", async () => {
      await world.service.database.transaction((change) => removeSecondFactor(change, world.users.olga));
      app = await givenSecondFactor(world, world.users.olga);
      const { person, page } = await afterPassword();
      expect((await person.submit(page, { code: app.code(-60) })).status).toBe(422);
    });

    test.each<[string, (app: TestApp) => string]>([
      ["of the app", ({ code }) => code()],
      ["for recovery", ({ recoveryCodes }) => recoveryCodes[0]!],
    ])("by one of two tabs and six browsers that send the same code %s at once", async (_name, codeOf) => {
      const code = codeOf(app);
      const browsers = await Promise.all(Array.from({ length: 6 }, () => afterPassword()));
      const tabs = [...browsers, browsers[0]!];
      const answers = await Promise.all(tabs.map(({ person, page }) => person.submit(page, { code })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(6).fill(422)]);
      const again = await afterPassword();
      expect((await again.person.submit(again.page, { code })).status).toBe(422);
    });
  });

  describe("guesses are bounded", () => {
    const wrong = { code: "000000" };
    const statusesOf = (pages: Page[]) => Object.groupBy(pages, ({ status }) => String(status));
    const from = (n: number) => ({ "x-forwarded-for": `198.51.100.${n}` });

    test("fifty at once, from as many addresses and sign-ins: ten are judged", async () => {
      const { person, page } = await afterPassword();
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => person.submit(page, wrong, from(n))));
      const counted = statusesOf(answers);
      expect([counted["422"]?.length, counted["429"]?.length]).toEqual([10, 40]);
      // The right one, in a new sign-in, waits as well.
      const anew = await afterPassword();
      const refused = await anew.person.submit(anew.page, { code: app.code() }, from(99));
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
      world.clock.advance({ minutes: 10 });
      const later = await afterPassword();
      expect((await later.person.submit(later.page, { code: app.code() })).status).toBe(303);
    });

    test("fifty in a day; a success forgets them", async () => {
      const judged: number[] = [];
      for (let round = 0; round < 6; round++) {
        const { person, page } = await afterPassword();
        for (let n = 0; n < 9; n++) judged.push((await person.submit(page, wrong)).status);
        world.clock.advance({ minutes: 11 });
      }
      expect(judged).toEqual([...Array(50).fill(422), ...Array(4).fill(429)]);
      world.clock.advance({ days: 1 });
      const { person, page } = await afterPassword();
      expect((await person.submit(page, { code: app.code() })).status).toBe(303);
    });

    test("by others they do not lock out a browser that has signed in before", async () => {
      const own = await afterPassword();
      await own.person.submit(own.page, { code: app.code() });
      own.person.cookies.delete("crm_session");
      world.clock.advance({ minutes: 1 });
      const other = await afterPassword();
      for (let n = 0; n < 11; n++) await other.person.submit(other.page, wrong);
      const { page } = await afterPassword({ person: own.person });
      expect((await own.person.submit(page, { code: app.code() })).status).toBe(303);
    });
  });

  describe("the second step belongs to the first", () => {
    test("of the same browser, and not to another", async () => {
      const { page } = await afterPassword();
      const other = createPerson(world.url);
      expect((await other.get("/sign-in/code")).location).toBe("/sign-in");
      const token = hiddenFields(await other.get("/sign-in"))["form_token"]!;
      const answer = await other.post("/sign-in/code", { code: app.code(), form_token: token });
      expect([answer.status, answer.location]).toEqual([303, "/sign-in"]);
      expect((await other.submit(page, { code: app.code() })).status).toBe(403);
      expect(await signedIn(other)).toBe(false);
    });

    test("for ten minutes: a sign-in that ends in the middle leaves nothing", async () => {
      const { person, page } = await afterPassword();
      world.clock.advance({ minutes: 10 });
      const answer = await person.submit(page, { code: app.code() });
      expect([answer.status, answer.location]).toEqual([303, "/sign-in"]);
      expect(await signedIn(person)).toBe(false);
    });

    test("until the password changes, by a link that keeps the second factor on", async () => {
      const { person, page } = await afterPassword();
      const inAcme = world.service.inWorkspace(world.acme);
      const { url } = await inAcme.change((change) => makeResetLink(change, email));
      const reader = createPerson(world.url);
      const answer = await reader.submit(await reader.get(new URL(url).pathname), { password });
      expect([answer.status, answer.location]).toEqual([303, "/sign-in/code"]);
      expect(await signedIn(reader)).toBe(false);
      expect((await person.submit(page, { code: app.code() })).location).toBe("/sign-in");
      expect((await reader.submit(await reader.get("/sign-in/code"), { code: app.code() })).status).toBe(303);
      expect(await signedIn(reader)).toBe(true);
    });

    test("and no cookie made up stands in for it", async () => {
      const { person } = await afterPassword();
      const pending = person.cookies.get("crm_sign_in")!;
      for (const [name, value] of [
        ["crm_session", pending],
        ["crm_browser", pending],
        ["crm_sign_in", `${pending.slice(0, -2)}AA`],
        ["crm_sign_in", "v1.x.y"],
      ] as const) {
        const forger = createPerson(world.url);
        forger.cookies.set(name, value);
        expect((await forger.get("/sign-in/code")).status).toBe(303);
        expect(await signedIn(forger)).toBe(false);
      }
    });

    test("a known browser needs both as well", async () => {
      const { person, page } = await afterPassword();
      await person.submit(page, { code: app.code() });
      person.cookies.delete("crm_session");
      await afterPassword({ person });
      expect(await signedIn(person)).toBe(false);
    });
  });

  test("consent to an app asks for both, and goes on to the app's request", async () => {
    const consent = authorizePath(await givenApp(world));
    const { person, page } = await afterPassword({ continueTo: consent });
    expect(page.text).toContain("Ledgerline");
    const answer = await person.submit(page, { code: app.code() });
    expect([answer.status, answer.location]).toEqual([303, consent]);
    expect((await person.get(consent)).text).toContain("Allow");
  });

  test("nothing of it is stored in clear", async () => {
    const { database } = world.service;
    const stored = JSON.stringify([
      await database.rows("select * from second_factors"),
      await database.rows("select * from recovery_codes"),
    ]);
    for (const secret of [
      app.secret,
      ...app.recoveryCodes,
      ...app.recoveryCodes.map((code) => code.replaceAll("-", "")),
    ])
      expect(stored).not.toContain(secret);
  });
});
