/** One's own account, judged from outside: setting up two-factor sign-in, sessions, password and name. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { carryOut } from "../../src/operation/carry-out.ts";
import { personCaller } from "../../src/operation/callers.ts";
import { makeResetLink } from "../../src/tenancy/invitations/account-link.service.ts";
import { setFirstPassword } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import { removeTwoFactor } from "../../src/tenancy/users/user.operations.ts";
import { requireTwoFactor } from "../../src/tenancy/workspaces/workspace.operations.ts";
import { sampleOf } from "../support/chance.ts";
import { consolePages, givenConsoleRecords, pathWith } from "../support/console-pages.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenPerson } from "../support/given-people.ts";
import { authorizePath, givenApp } from "../support/marketplace.ts";
import { createPerson, hiddenFields, password } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { readQr } from "../support/read-qr.ts";
import { appWith, givenSecondFactor } from "../support/two-factor.ts";
import type { TestApp } from "../support/two-factor.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const browsers = {
  "Firefox on Windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Safari on iPhone":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
  "Edge on macOS":
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
  "Chrome on Android":
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Unknown browser": "<script>alert(1)</script>",
};

describe.each(sampleOf("OAuth: own account", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let hash: string;
  let email: string;
  let userId: number;
  beforeAll(async () => {
    world = await createWorld(kind);
    hash = await hashPassword(password);
  });
  afterAll(() => world?.close());

  // A person of their own for each test.
  beforeEach(async () => {
    world.clock.advance({ days: 1 });
    ({ id: userId, email } = await givenPerson(world, "owner", null));
    await world.service.inWorkspace(world.acme).change((change) => setFirstPassword(change, { id: userId }, hash));
  });

  async function signedIn({ agent = "x", app }: { agent?: string; app?: TestApp } = {}): Promise<Person> {
    const person = createPerson(world.url);
    const headers = { "user-agent": agent };
    const answer = await person.submit(await person.get("/sign-in"), { email, password }, headers);
    if (app === undefined) return person;
    await person.submit(await person.get(answer.location), { code: app.code() }, headers);
    world.clock.advance({ seconds: 30 });
    return person;
  }
  const isSignedIn = async (person: Person) => (await person.get("/me")).status === 200;
  const tokenOf = (page: Page) => ({ form_token: hiddenFields(page)["form_token"]! });
  const send = async (person: Person, path: string, fields: Record<string, string>) =>
    person.post(path, { ...tokenOf(await person.get("/me")), ...fields });
  const keyOf = (page: Page) => /class="key">([^<]+)</.exec(page.text)![1]!.replaceAll(/\s/g, "");
  const codesOf = (page: Page) => [...page.text.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code!);

  describe("two-factor sign-in", () => {
    test("is set up by QR code or key, confirmed by a code, and ends the other sessions", async () => {
      const [person, other] = [await signedIn(), await signedIn()];
      const page = await person.get("/me/two-factor");
      const app = appWith(world, keyOf(page));
      const uri = new URL(readQr(page.text));
      expect(uri.searchParams.get("secret")).toBe(app.secret);
      expect(decodeURIComponent(uri.pathname)).toBe(`/${new URL(world.url).host}:${email}`);

      for (const wrong of ["", `${password}x`, "x".repeat(10_000), "\0"]) {
        const again = await person.submit(page, { password: wrong, code: app.code() });
        expect([again.status, keyOf(again), again.text.includes('id="password-fault"')]).toEqual([
          422,
          app.secret,
          true,
        ]);
        if (wrong !== "") expect(again.text).not.toContain(wrong);
      }
      for (const code of ["", "000000", app.code(-90), "\0", "x".repeat(10_000)]) {
        const again = await person.submit(page, { password, code });
        expect([again.status, keyOf(again)]).toEqual([422, app.secret]);
        expect(again.text).toContain("The code is wrong");
        if (code !== "") expect(again.text).not.toContain(code);
      }
      expect(await isSignedIn(other)).toBe(true);

      // As a browser asks: other pages are compressed then.
      const browser = { "sec-fetch-site": "same-origin", "accept-encoding": "gzip" };
      expect((await person.get("/me", browser)).headers.get("content-encoding")).toBe("gzip");
      const done = await person.submit(page, { password, code: app.code() }, browser);
      expect([done.status, done.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(done.headers.get("content-encoding")).toBeNull();
      expect(new Set(codesOf(done)).size).toBe(10);
      expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
      // Sent again: the page of what is on, without a secret.
      const resent = await person.submit(page, { password, code: app.code() });
      expect([resent.status, resent.location]).toEqual([303, "/me/two-factor"]);
      expect((await person.get("/me/two-factor")).text).toContain("10 recovery codes are left");
    });

    test("has no page to turn it off, or of its recovery codes, while it is off", async () => {
      const person = await signedIn();
      for (const path of ["/me/two-factor/off", "/me/two-factor/recovery-codes"]) {
        expect((await person.get(path)).location).toBe("/me/two-factor");
        const answer = await send(person, path, { password, code: "000000" });
        expect([answer.status, answer.text.includes("The code is wrong")]).toEqual([422, true]);
      }
    });

    test("of two tabs that set it up, the first counts", async () => {
      const person = await signedIn();
      const tabs = await Promise.all([person.get("/me/two-factor"), person.get("/me/two-factor")]);
      const apps = tabs.map((page) => appWith(world, keyOf(page)));
      const answers = await Promise.all(
        tabs.map((page, tab) => person.submit(page, { password, code: apps[tab]!.code() })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303]);
      world.clock.advance({ minutes: 1 });
      const anew = await signedIn({ app: apps[answers.findIndex(({ status }) => status === 200)]! });
      expect(await isSignedIn(anew)).toBe(true);
    });

    test("is not set up with the secret of another session", async () => {
      const [person, other] = [await signedIn(), await signedIn()];
      const page = await other.get("/me/two-factor");
      const { setup } = hiddenFields(page);
      for (const given of [setup!, "", "v1.x.y", `${setup!.slice(0, -2)}AA`]) {
        const code = appWith(world, keyOf(page)).code();
        const answer = await person.submit(await person.get("/me/two-factor"), { setup: given, password, code });
        expect([answer.status, answer.location]).toEqual([303, "/me/two-factor"]);
      }
      expect((await person.get("/me/two-factor")).text).toContain("Set up");
    });

    test("is turned off by password and code", async () => {
      const app = await givenSecondFactor(world, userId);
      const person = await signedIn({ app });
      const page = await person.get("/me/two-factor/off");
      const attempts: [Record<string, string>, string][] = [
        [{ password: "", code: app.code() }, "The password is wrong."],
        [{ password: `${password}x`, code: app.code() }, "The password is wrong."],
        [{ password, code: "" }, "The code is wrong"],
        [{ password, code: app.code(-30) }, "The code is wrong"],
        [{ password: "x".repeat(10_000), code: "\0" }, "The password is wrong."],
      ];
      for (const [fields, fault] of attempts) {
        const again = await person.submit(page, fields);
        expect([again.status, again.text.includes(fault)]).toEqual([422, true]);
        expect(again.text).not.toContain(password);
      }
      expect((await person.submit(page, { password, code: app.code() })).location).toBe("/me");
      expect(await isSignedIn(await signedIn())).toBe(true);
    });

    test("is removed by the operator for a lost phone, with an audit entry", async () => {
      await givenSecondFactor(world, userId);
      const { deps, database } = world.service;
      const remove = () => carryOut(removeTwoFactor, world.service.inWorkspace(world.acme), { user: userId }, deps);
      expect(await remove()).toEqual({ id: userId, email, was_on: true });
      expect(await remove()).toEqual({ id: userId, email, was_on: false });
      const text = `select actor_type, subject from audit_entries
        where operation = 'removeTwoFactor' and subject_id = ? order by id limit 1`;
      expect(await database.rows(text, [userId])).toEqual([{ actor_type: "operator", subject: "user" }]);
      expect(await isSignedIn(await signedIn())).toBe(true);
      const left = await world.service.database.rows("select id from recovery_codes where user_id = ?", [userId]);
      expect(left).toEqual([]);
    });

    test("guesses of a stolen session are bounded", async () => {
      const app = await givenSecondFactor(world, userId);
      const person = await signedIn({ app });
      const page = await person.get("/me/two-factor/recovery-codes");
      const answers = await Promise.all(Array.from({ length: 12 }, () => person.submit(page, { code: "000000" })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(422), 429, 429]);
      const off = await person.get("/me/two-factor/off");
      expect((await person.submit(off, { password, code: app.code() })).status).toBe(429);
    });

    test("its recovery codes are replaced by a code", async () => {
      const app = await givenSecondFactor(world, userId);
      const person = await signedIn({ app });
      const page = await person.get("/me/two-factor/recovery-codes");
      expect((await person.submit(page, { code: "123" })).status).toBe(422);
      const codes = codesOf(await person.submit(page, { code: app.recoveryCodes[0]! }));
      expect(codes).toHaveLength(10);
      for (const [code, status] of [
        [app.recoveryCodes[1]!, 422],
        [codes[1]!, 200],
      ] as const)
        expect((await person.submit(page, { password, code })).status).toBe(status);
    });
  });

  describe("a workspace that requires it", () => {
    const require = async (id = userId, required = true) => {
      const caller = world.service.callAs(
        personCaller({ userId: id, name: "Someone" }, { id: world.acme, role: "owner", locationIds: null }),
      );
      return carryOut(requireTwoFactor, caller, { input: { required } }, world.service.deps);
    };
    // The workspace is that of all tests.
    const free = () =>
      world.service.database.transaction((change) =>
        change.rows("update workspaces set two_factor_required = ?", [false]),
      );

    test("is so by an owner who has set it up", async () => {
      await expect(require()).rejects.toThrow("Set up two-factor sign-in for yourself first.");
      await givenSecondFactor(world, userId);
      try {
        await expect(require()).resolves.toMatchObject({ id: world.acme, two_factor_required: true });
        await expect(require(userId, false)).resolves.toMatchObject({ two_factor_required: false });
      } finally {
        await free();
      }
    });

    test("shows nothing to a signed-in person from the next request on, until they set it up; API keys go on", async () => {
      const consent = authorizePath(await givenApp(world));
      const { own: ids } = await givenConsoleRecords(world);
      const person = await signedIn();
      expect((await person.get("/")).text).toContain("North");
      const owner = await givenPerson(world, "owner", null);
      await givenSecondFactor(world, owner.id);
      try {
        const openConsent = await person.get(consent);
        await require(owner.id);
        const home = await person.get("/");
        expect(home.text).not.toContain("North");
        expect(home.text).toContain('href="/me/two-factor"');
        expect((await person.get("/me")).status).toBe(200);
        expect((await world.send("owner", "GET", "/locations")).status).toBe(200);

        const fields = { location_id: String(world.north), answer: "allow" };
        for (const led of [await person.submit(openConsent, fields), await person.get(consent)]) {
          expect([led.status, led.location.split("?")[0]]).toEqual([303, "/me/two-factor"]);
        }
        for (const path of new Set(
          consolePages.filter((one) => !one.isFormOnly).map((one) => pathWith(one.path, ids)),
        )) {
          expect((await person.get(path)).location).toBe(`/me/two-factor?continue=${encodeURIComponent(path)}`);
          // What is no place of theirs stays a 404.
          expect((await person.get(path.replace(/\d+/, "999999"))).status).toBe(404);
        }
        const page = await person.get((await person.get(consent)).location);
        expect(page.text).toContain("Acme");
        const done = await person.submit(page, { password, code: appWith(world, keyOf(page)).code() });
        const [, on] = /<a class="button primary wide" href="([^"]+)"/.exec(done.text)!;
        const asked = await person.get(on!.replaceAll("&amp;", "&"));
        expect((await person.submit(asked, fields)).location).toContain("code=");
        expect((await person.get("/")).text).toContain("North");
      } finally {
        await free();
      }
    });

    test("is made so in the console by an owner who has set it up", async () => {
      const path = `/w/${world.acme}/two-factor`;
      const person = await signedIn();
      const ask = async (by: Person) => {
        const { location } = await by.submit(await by.get(path));
        return (await by.get(location)).text;
      };
      expect(await ask(person)).toContain("Set up two-factor sign-in for yourself first.");
      const app = await givenSecondFactor(world, userId);
      try {
        const owner = await signedIn({ app });
        expect(await ask(owner)).toContain("Two-factor sign-in is required");
        expect((await owner.get(path)).text).toContain("Make it optional");
        expect(await ask(owner)).toContain("Two-factor sign-in is optional");
      } finally {
        await free();
      }
    });

    test("leads there right after signing in, and after a reset link", async () => {
      const owner = await givenPerson(world, "owner", null);
      await givenSecondFactor(world, owner.id);
      try {
        await require(owner.id);
        const person = createPerson(world.url);
        const answer = await person.submit(await person.get("/sign-in"), { email, password });
        expect([answer.status, answer.location]).toEqual([303, "/me/two-factor"]);
        const inAcme = world.service.inWorkspace(world.acme);
        const { url } = await inAcme.change((change) => makeResetLink(change, userId));
        const reset = await person.submit(await person.get(new URL(url).pathname), { password });
        expect([reset.status, reset.location]).toEqual([303, "/me/two-factor"]);
      } finally {
        await free();
      }
    });
  });

  describe("sessions", () => {
    test("are listed by browser, this one marked; one ends, then all others", async () => {
      const people = await Promise.all(Object.values(browsers).map((agent) => signedIn({ agent })));
      const [here, ...others] = people as [Person, ...Person[]];
      const page = await here.get("/me/sessions");
      for (const name of Object.keys(browsers)) expect(page.text).toContain(`<b>${name}</b>`);
      expect(page.text.match(/This browser/g)).toHaveLength(1);
      expect(page.text).not.toContain("<script>alert");
      const id = /name="id" value="(\d+)"/.exec(page.text)![1]!;
      expect((await send(here, "/me/sessions", { id })).location).toBe("/me/sessions");
      expect((await Promise.all(others.map(isSignedIn))).filter(Boolean)).toHaveLength(3);
      await send(here, "/me/sessions", {});
      expect((await Promise.all(people.map(isSignedIn))).filter(Boolean)).toHaveLength(1);
      expect(await isSignedIn(here)).toBe(true);
    });

    test("of others do not end, whatever id is sent", async () => {
      const own = await signedIn();
      const other = await givenPerson(world, "member", null);
      await world.service.inWorkspace(world.acme).change((change) => setFirstPassword(change, other, hash));
      const stranger = createPerson(world.url);
      await stranger.signIn(other.email);
      const [{ id } = { id: 0 }] = await world.service.database.rows<{ id: number }>(
        "select id from sessions where user_id = ?",
        [userId],
      );
      for (const given of [String(id), "0", "-1", "x", "", "9".repeat(30), "\0", "1 or 1=1"])
        expect((await send(stranger, "/me/sessions", { id: given })).status).toBe(303);
      expect([await isSignedIn(own), await isSignedIn(stranger)]).toEqual([true, true]);
    });

    test("show their last use to the hour, and at most fifty last", async () => {
      const person = await signedIn();
      const usedAt = async () =>
        (
          await world.service.database.rows<{ last_used_at: number | null }>(
            "select last_used_at from sessions where user_id = ?",
            [userId],
          )
        )[0]!.last_used_at;
      await person.get("/me");
      expect(await usedAt()).toBeNull();
      world.clock.advance({ hours: 1 });
      await person.get("/me");
      const first = await usedAt();
      expect(first).toBe(world.clock.now().getTime());
      world.clock.advance({ minutes: 59 });
      await person.get("/me");
      expect(await usedAt()).toBe(first);

      const { database } = world.service;
      const text = "insert into sessions (user_id, hash, created_at, expires_at) values (?, ?, ?, ?)";
      const ends = new Date(world.clock.now().getTime() + 1e9);
      await database.transaction(async (change) => {
        for (let n = 0; n < 60; n++) await change.rows(text, [userId, `${email} ${n}`, world.clock.now(), ends]);
      });
      const last = await signedIn();
      expect([await isSignedIn(person), await isSignedIn(last)]).toEqual([false, true]);
      const counted = "select count(*) as n from sessions where user_id = ?";
      expect(await database.rows(counted, [userId])).toEqual([{ n: 50 }]);
    });
  });

  describe("the password", () => {
    const chosen = "another long password";

    test("is changed by the current one, which ends other sessions and links", async () => {
      const [person, other] = [await signedIn(), await signedIn()];
      const inAcme = world.service.inWorkspace(world.acme);
      const { url } = await inAcme.change((change) => makeResetLink(change, userId));
      const answer = await send(person, "/me/password", { current_password: password, password: chosen });
      expect([answer.status, answer.location]).toEqual([303, "/me"]);
      expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
      expect((await person.get(new URL(url).pathname)).status).toBe(404);
      const anew = createPerson(world.url);
      await anew.signIn(email, chosen);
      expect(await isSignedIn(anew)).toBe(true);
    });

    test.each<[string, Record<string, string>, string]>([
      ["without the current one", { password: chosen }, "The password is wrong."],
      ["with a wrong current one", { current_password: "not the one", password: chosen }, "The password is wrong."],
      ["with a current one that is too long", { current_password: "x".repeat(9999), password: chosen }, "is wrong"],
      ["to a short one", { current_password: password, password: "tiny-" }, "7 more are needed"],
      ["to none", { current_password: password }, "is required"],
      ["to one that is too long", { current_password: password, password: "x".repeat(300) }, "must not be longer"],
    ])("is not changed %s", async (_name, fields, fault) => {
      const person = await signedIn();
      const answer = await send(person, "/me/password", fields);
      expect([answer.status, answer.text.includes(fault)]).toEqual([422, true]);
      for (const secret of Object.values(fields)) expect(answer.text).not.toContain(secret);
      expect(await isSignedIn(await signedIn())).toBe(true);
    });

    test("is not guessed by a stolen session", async () => {
      const person = await signedIn();
      const guess = () => send(person, "/me/password", { current_password: "x".repeat(999), password: chosen });
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await guess()).status);
      expect(statuses).toEqual([...Array(10).fill(422), 429]);
    });
  });

  describe("the name", () => {
    test.each([
      ["Ada Lovelace", "Ada Lovelace"],
      ["  Ada  ", "Ada"],
      ["عائشة", "عائشة"],
      ["<b>&", "&lt;b&gt;&amp;"],
    ])("%j is taken", async (name, shown) => {
      const person = await signedIn();
      expect((await send(person, "/me/name", { name })).location).toBe("/me");
      expect((await person.get("/me")).text).toContain(`value="${shown}"`);
    });

    test.each(["", "  ", "a\0b", "a\u202Eb", "a\nb", "x".repeat(256)])("%j is refused and kept", async (name) => {
      const person = await signedIn();
      const answer = await send(person, "/me/name", { name });
      expect([answer.status, answer.text.includes('id="name-fault"')]).toEqual([422, true]);
      expect((await person.get("/me")).text).toContain('value="A owner"');
    });
  });

  describe("the theme", () => {
    const schemeOf = ({ text }: Page) => /<meta name="color-scheme" content="([^"]+)"/.exec(text)?.[1];

    test("is that of every page of the browser, signed in or not, until another is chosen", async () => {
      const person = await signedIn();
      for (const [theme, scheme] of [
        ["dark", "dark"],
        ["light", "light"],
        ["system", "light dark"],
      ] as const) {
        const saved = await send(person, "/me/theme", { theme });
        expect([saved.status, saved.location]).toEqual([303, "/me"]);
        expect((await person.get("/me")).text).toMatch(new RegExp(`value="${theme}"\\s+checked`));
        for (const path of [
          "/me",
          "/",
          `/w/${world.acme}/keys`,
          "/docs",
          "/docs/contacts",
          "/nothing-here",
          "/w/0/keys",
        ])
          expect([path, schemeOf(await person.get(path))]).toEqual([path, scheme]);
        expect(schemeOf(await person.post("/sign-out", {}))).toBe(scheme);
        const visitor = createPerson(world.url);
        visitor.cookies.set("crm_theme", person.cookies.get("crm_theme")!);
        expect(schemeOf(await visitor.get("/sign-in"))).toBe(scheme);
      }
    });

    test("has an ETag of its own in the reference", async () => {
      const [light, dark] = await Promise.all(
        ["light", "dark"].map((theme) => createPerson(world.url).get("/docs", { cookie: `crm_theme=${theme}` })),
      );
      expect(light!.headers.get("vary")).toContain("cookie");
      const etag = light!.headers.get("etag")!;
      const asked = await createPerson(world.url).get("/docs", { cookie: "crm_theme=dark", "if-none-match": etag });
      expect([asked.status, schemeOf(asked), asked.headers.get("etag")]).toEqual([
        200,
        "dark",
        dark!.headers.get("etag"),
      ]);
    });

    test.each(["", "Dark", "dark light", '"><script>', "x".repeat(4000)])(
      "a cookie of %j is no choice",
      async (theme) => {
        const visitor = createPerson(world.url);
        visitor.cookies.set("crm_theme", theme);
        expect(schemeOf(await visitor.get("/sign-in"))).toBe("light dark");
      },
    );

    test.each(["", "Dark", "x".repeat(9999)])("%j is refused", async (theme) => {
      const person = await signedIn();
      const answer = await send(person, "/me/theme", { theme });
      expect([answer.status, answer.text.includes('id="theme-fault"')]).toEqual([422, true]);
      expect(person.cookies.has("crm_theme")).toBe(false);
    });
  });

  const forms = [
    "/me/name",
    "/me/theme",
    "/me/password",
    "/me/sessions",
    "/me/two-factor",
    "/me/two-factor/off",
    "/me/two-factor/recovery-codes",
  ];

  test("without a session every page leads to signing in and back, and no form does anything", async () => {
    for (const path of [
      "/me",
      "/me/sessions",
      "/me/two-factor",
      "/me/two-factor/off",
      "/me/two-factor/recovery-codes",
    ]) {
      const person = createPerson(world.url);
      const led = await person.get(path);
      expect(led.location).toBe(`/sign-in?continue=${encodeURIComponent(path)}`);
      expect((await person.submit(await person.get(led.location), { email, password })).location).toBe(path);
    }
    const person = await signedIn();
    for (const path of forms) {
      expect((await person.post(path, {})).status).toBe(403);
      const token = tokenOf(await person.get("/me"));
      expect((await person.post(path, token, { "sec-fetch-site": "cross-site" })).status).toBe(403);
      expect((await createPerson(world.url).post(path, token)).status).toBe(403);
    }
  });
});
