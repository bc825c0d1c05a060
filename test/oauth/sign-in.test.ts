/** Signing in and out, one-time links, and what a browser is told of cookies; judged from outside. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import {
  findLink,
  makeInvitationLink,
  makeResetLink,
  makeResetLinkByEmail,
} from "../../src/tenancy/invitations/account-link.service.ts";
import { redeemLink } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { changePassword } from "../../src/tenancy/passwords/own-password.service.ts";
import { signIn } from "../../src/tenancy/sessions/sign-in.service.ts";
import type { SignInDeps } from "../../src/tenancy/sessions/sign-in.service.ts";
import { removeSecondFactor } from "../../src/tenancy/two-factor/second-factor.service.ts";
import { changeUser, inviteAgain, inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { authorizePath, givenApp, givenPasswords } from "../support/marketplace.ts";
import { meeting } from "../support/meet.ts";
import { createPerson, hiddenFields, password } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { givenSecondFactor } from "../support/two-factor.ts";
import { withTypo } from "../support/typo.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const olga = { email: "olga@acme.example", password };

describe.each(sampleOf("OAuth: sign in", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: { CRM_TRUSTED_PROXIES: "127.0.0.1" } });
    await givenPasswords(world);
  });
  afterAll(() => world?.close());
  // Attempts are counted in windows of ten minutes.
  beforeEach(() => world.clock.advance({ minutes: 11 }));

  async function attempt(
    fields: Record<string, string>,
    headers = {},
    person = createPerson(world.url),
  ): Promise<Page> {
    return person.submit(await person.get("/sign-in"), fields, headers);
  }

  async function isSignedIn(person: Person): Promise<boolean> {
    return (await person.get("/")).text.includes("Sign out");
  }

  describe("signing in", () => {
    it("takes the right pair, however the address is written, and starts a session under a new id", async () => {
      const person = createPerson(world.url);
      person.cookies.set("crm_session", `crm_session_${"0".repeat(36)}`);
      const answer = await attempt({ ...olga, email: " OLGA@acme.example " }, {}, person);
      expect([answer.status, answer.location]).toEqual([303, "/"]);
      const [cookie = "", known = ""] = answer.headers.getSetCookie();
      expect(known).toMatch(/^crm_browser=v1\.[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/);
      expect(cookie).toMatch(/^crm_session=crm_session_\w{36}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
      expect(cookie).not.toContain("0".repeat(36));
      expect(await isSignedIn(person)).toBe(true);
    });

    test.each<[string, Record<string, string>]>([
      ["a wrong password", { password: `${password}x` }],
      ["nobody's address", { email: "nobody@acme.example" }],
      ["no address", { email: "" }],
      ["an address that is none", { email: "\0" }],
      ["no password", { password: "" }],
      ["a password that is too long", { password: "x".repeat(10_000) }],
    ])("answers %s with the same page", async (_name, fields) => {
      const answer = await attempt({ ...olga, ...fields });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("Wrong e-mail or password.");
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.text).not.toContain(password);
    });

    test("whoever has no password yet cannot sign in with an empty one", async () => {
      const caller = world.service.inWorkspace(world.acme);
      const email = `new.${kind}@acme.example`;
      await caller.change((change) => inviteUser(change, { email, name: null, role: "member", locationIds: null }));
      for (const given of ["", "null", "undefined"])
        expect((await attempt({ email, password: given })).status).toBe(422);
    });

    test("a password that is changed while it is verified opens no session", async () => {
      const { database, tools } = world.service;
      const deps: SignInDeps = { database, clock: world.clock, vault: tools.vault };
      const own = { userId: world.users.otto, id: 0, address: "127.0.0.1" };
      const changed = `${password} of today`;
      const { transaction } = database;
      // The first transaction of a sign-in begins after the verification.
      const late: SignInDeps["database"] = {
        ...database,
        async transaction(work) {
          await changePassword(deps, own, { current: password, password: changed });
          return transaction(work);
        },
      };
      const otto = { email: "otto@other.example", userAgent: null, address: "127.0.0.1" };
      expect(await signIn({ ...deps, database: late }, { ...otto, password })).toBeUndefined();
      expect(await signIn(deps, { ...otto, password: changed })).toHaveProperty("session");
      await changePassword(deps, own, { current: changed, password });
    });

    test("a second factor that is turned on meanwhile ends the session, and a new address the link", async () => {
      const { service, clock } = world;
      const deps: SignInDeps = { database: service.database, clock, vault: service.tools.vault };
      const { otto } = world.users;
      const left = async (text: string) => (await service.database.rows<{ id: number }>(text, [otto])).length;

      const turning = meeting(service.database, () => givenSecondFactor(world, otto));
      const browser = { email: "otto@other.example", password, userAgent: null, address: "127.0.0.1" };
      expect(await signIn({ ...deps, database: turning.database }, browser)).toHaveProperty("session");
      await turning.second;
      expect(await left("select id from sessions where user_id = ?")).toBe(0);
      await service.database.transaction((change) => removeSecondFactor(change, otto));

      const own = service.inWorkspace(world.other);
      const moving = meeting(service.database, () =>
        own.change((change) => changeUser(change, otto, { email: "otto.new@other.example" })),
      );
      const linking = { ...deps, database: moving.database, links: service.tools.links };
      expect(await makeResetLinkByEmail(linking, browser.email)).toHaveProperty("url");
      await moving.second;
      expect(await left("select id from account_links where user_id = ? and used_at is null")).toBe(0);
      await own.change((change) => changeUser(change, otto, { email: browser.email }));
    });

    test("a person who chooses a password meanwhile gets no invitation link that still works", async () => {
      const { service, clock } = world;
      const deps: SignInDeps = { database: service.database, clock, vault: service.tools.vault };
      const inAcme = service.inWorkspace(world.acme);
      const email = `invited.${kind}@acme.example`;
      const invited = { email, name: null, role: "member", locationIds: null } as const;
      const { id } = await inAcme.change((change) => inviteUser(change, invited));
      const { url } = await inAcme.change((change) => makeResetLink(change, id));
      const inviting = meeting(service.database, () => inAcme.change((change) => inviteAgain(change, id)));
      const browser = { userAgent: null, address: "127.0.0.1" };
      const choice = { token: url.slice(url.lastIndexOf("/") + 1), password, ...browser };
      expect(await redeemLink({ ...deps, database: inviting.database }, "reset", choice)).toHaveProperty("session");
      const [made] = await Promise.allSettled([inviting.second as ReturnType<typeof inviteAgain>]);
      if (made.status === "rejected") expect(made.reason).toBeInstanceOf(Invalid);
      else expect(await findLink(deps, "invitation", made.value.url.split("/").at(-1)!)).toBeUndefined();
    });

    test("an old session ends when its person signs in anew", async () => {
      const person = createPerson(world.url);
      await attempt(olga, {}, person);
      const old = createPerson(world.url);
      old.cookies.set("crm_session", person.cookies.get("crm_session")!);
      const page = await person.get(`/forgotten-password`);
      expect(page.status).toBe(200);
      const token = hiddenFields(await person.get(authorizePath(await givenApp(world))))["form_token"]!;
      await person.post("/sign-in", { ...olga, form_token: token });
      expect([await isSignedIn(person), await isSignedIn(old)]).toEqual([true, false]);
    });

    test("a session lives for thirty days", async () => {
      const person = createPerson(world.url);
      await attempt(olga, {}, person);
      world.clock.advance({ days: 29, hours: 23 });
      expect(await isSignedIn(person)).toBe(true);
      world.clock.advance({ hours: 1 });
      expect(await isSignedIn(person)).toBe(false);
    });

    // One goes on to an app's request and to nothing else.
    test.each([
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "\\\\evil.example",
      "/oauth/authorize/../../evil",
      "/oauth/authorize?x\\@evil.example",
      "/oauth/authorize?x y",
      "/oauth/authorizex?",
      "javascript:alert(1)",
      "/sign-out",
      "/oauth/authorize?\r\nset-cookie: x=y",
    ])("does not go on to %j", async (target) => {
      const person = createPerson(world.url);
      const page = await person.get(`/sign-in?continue=${encodeURIComponent(target)}`);
      expect(hiddenFields(page)["continue"]).toBe("/");
      const answer = await person.submit(page, { ...olga, continue: target });
      expect([answer.status, answer.location]).toEqual([303, "/"]);
    });

    test("a form of others signs nobody in", async () => {
      const person = createPerson(world.url);
      const page = await person.get("/sign-in");
      const foreign: Record<string, string>[] = [
        { "sec-fetch-site": "cross-site" },
        { origin: "https://evil.example" },
      ];
      for (const headers of foreign) {
        expect((await person.submit(page, olga, headers)).status).toBe(403);
      }
      expect((await createPerson(world.url).submit(page, olga)).status).toBe(403);
      expect(await isSignedIn(person)).toBe(false);
    });

    test("what is no form is told so on a page", async () => {
      const person = createPerson(world.url);
      const json = await fetch(`${world.url}/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      expect([json.status, json.headers.get("content-type")]).toEqual([415, "text/html; charset=utf-8"]);
      const long = await person.submit(await person.get("/sign-in"), { email: "x".repeat(70_000) });
      expect(long.status).toBe(413);
      const put = await fetch(`${world.url}/sign-in`, { method: "PUT" });
      expect([put.status, put.headers.get("content-type")]).toEqual([405, "text/html; charset=utf-8"]);
    });
  });

  describe("attempts are bounded", () => {
    const from = (address: string) => ({ "x-forwarded-for": address });

    // Longer than any password: what is counted here is not hashed.
    const wrong = { ...olga, password: "x".repeat(999) };
    const statuses = async (count: number, send: (n: number) => Promise<Page>) => {
      const seen: number[] = [];
      for (let n = 1; n <= count; n++) seen.push((await send(n)).status);
      return seen;
    };
    const refused = (count: number) => Array<number>(count).fill(422);

    test("by address and account together, whether there is one or not; the page says when to come back", async () => {
      for (const email of [olga.email, "nobody@acme.example"]) {
        const sent = (password: string) => attempt({ email, password }, from("198.51.100.1"));
        expect(await statuses(10, () => sent(wrong.password))).toEqual(refused(10));
        world.clock.advance({ seconds: 4 });
        const answer = await sent(password);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
        expect(answer.headers.get("retry-after")).toBe("596");
        expect(answer.text).toContain("Try again in 10 minutes. Nothing was done.");
      }
      world.clock.advance({ minutes: 10 });
      expect((await attempt(olga, from("198.51.100.1"))).status).toBe(303);
    });

    test("from elsewhere they keep nobody out", async () => {
      expect(await statuses(11, (n) => attempt(wrong, from(`198.51.100.${n}`)))).toEqual(refused(11));
      expect(await statuses(11, () => attempt(wrong, from("198.51.100.20")))).toEqual([...refused(10), 429]);
      expect((await attempt(olga, from("198.51.100.21"))).status).toBe(303);
    });

    test("by address, the client's behind a proxy that is trusted; one that succeeds is not counted", async () => {
      const here = from("203.0.113.5");
      const others = (n: number) => attempt({ ...wrong, email: `${n}@acme.example` }, here);
      expect(await statuses(59, others)).toEqual(refused(59));
      expect(await statuses(3, () => attempt(olga, here))).toEqual([303, 303, 303]);
      expect(await statuses(2, others)).toEqual([422, 429]);
      expect((await attempt(olga, here)).status).toBe(429);
      expect((await attempt(olga, from("203.0.113.6"))).status).toBe(303);
    });

    test("by the network of an address of IPv6", async () => {
      expect(await statuses(10, (n) => attempt(wrong, from(`2001:db8:1:2::${n}`)))).toEqual(refused(10));
      expect((await attempt(wrong, from("2001:db8:1:2:ffff::1"))).status).toBe(429);
      expect((await attempt(wrong, from("2001:db8:1:3::1"))).status).toBe(422);
    });

    test("by account from all addresses together, where so many guess", async () => {
      expect(await statuses(300, (n) => attempt(wrong, from(`192.0.2.${n % 250}`)))).toEqual(refused(300));
      expect((await attempt(olga, from("198.51.100.30"))).status).toBe(429);
    });

    test("a success forgives the failures before it", async () => {
      const here = from("198.51.100.40");
      for (let round = 0; round < 3; round++) {
        expect(await statuses(9, () => attempt(wrong, here))).toEqual(refused(9));
        expect((await attempt(olga, here)).status).toBe(303);
      }
    });

    describe("and of a browser that has signed in before counted apart", () => {
      const here = from("198.51.100.50");
      async function known(fields = olga): Promise<Person> {
        const person = createPerson(world.url);
        expect((await attempt(fields, here, person)).status).toBe(303);
        person.cookies.delete("crm_session");
        return person;
      }

      test("it signs in when its address, and everybody's attempts at the account, are spent", async () => {
        const person = await known();
        expect(await statuses(300, (n) => attempt(wrong, from(`192.0.2.${n % 250}`)))).toEqual(refused(300));
        expect(await statuses(61, (n) => attempt({ ...wrong, email: `${n}@x.example` }, here))).toContain(429);
        expect((await attempt(olga, here)).status).toBe(429);
        expect((await attempt(olga, here, person)).status).toBe(303);
      });

      test("it is counted too, from whatever address", async () => {
        const person = await known();
        const tries = (n: number) => attempt(wrong, from(`192.0.2.${n}`), person);
        expect(await statuses(11, tries)).toEqual([...refused(10), 429]);
      });

      test("after an invitation or a reset as well", async () => {
        const person = createPerson(world.url);
        const { url } = await world.service
          .inWorkspace(world.acme)
          .change((change) => makeResetLink(change, "nora@acme.example"));
        await person.submit(await person.get(new URL(url).pathname), { password });
        person.cookies.delete("crm_session");
        expect(await statuses(11, () => attempt({ ...wrong, email: "nora@acme.example" }, here))).toContain(429);
        expect((await attempt({ email: "nora@acme.example", password }, here, person)).status).toBe(303);
      });

      test("for each of the last five accounts that signed in with it, and for no other", async () => {
        const person = await known();
        await attempt({ email: "nora@acme.example", password }, here, person);
        const marks = person.cookies.get("crm_browser")!;
        expect(marks.split("~")).toHaveLength(2);
        const isKnown = async (email: string, cookie: string) => {
          world.clock.advance({ minutes: 11 });
          const browser = createPerson(world.url);
          browser.cookies.set("crm_browser", cookie);
          await statuses(10, () => attempt({ ...wrong, email }, here));
          return (await attempt({ ...wrong, email }, here, browser)).status === 422;
        };
        expect(await isKnown(olga.email, marks)).toBe(true);
        expect(await isKnown("nora@acme.example", marks)).toBe(true);
        expect(await isKnown("otto@other.example", marks)).toBe(false);
        // Made up, cut, or in the wrong place.
        for (const cookie of ["", "~~", "x", withTypo(marks.split("~")[1]!), "~".repeat(5) + marks]) {
          expect(await isKnown(olga.email, cookie)).toBe(false);
        }
        world.clock.advance({ days: 365 });
        expect(await isKnown(olga.email, marks)).toBe(false);
      });

      test("its mark signs nobody in", async () => {
        const person = await known();
        expect(await isSignedIn(person)).toBe(false);
        person.cookies.set("crm_session", person.cookies.get("crm_browser")!);
        expect(await isSignedIn(person)).toBe(false);
      });
    });
  });

  describe("signing out", () => {
    test("ends the session on the server, here or everywhere", async () => {
      const [here, there] = [createPerson(world.url), createPerson(world.url)];
      for (const person of [here, there]) await attempt(olga, {}, person);
      const kept = here.cookies.get("crm_session")!;
      const tokenOf = async (person: Person) =>
        /name="form_token" value="([^"]+)"/.exec((await person.get("/")).text)![1]!;
      expect((await here.post("/sign-out", { form_token: await tokenOf(here) })).status).toBe(303);
      expect(here.cookies.has("crm_session")).toBe(false);
      here.cookies.set("crm_session", kept);
      expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, true]);

      await attempt(olga, {}, here);
      await here.post("/sign-out", { form_token: await tokenOf(here), everywhere: "1" });
      expect(await isSignedIn(there)).toBe(false);
      const audited = "select actor_type, address, details from audit_entries where operation = 'signOut' order by id";
      const by = { actor_type: "user", address: "127.0.0.1" };
      expect(await world.service.database.rows(audited)).toEqual([
        { ...by, details: '{"everywhere":false}' },
        { ...by, details: '{"everywhere":true}' },
      ]);
    });

    test("is done by no form of others", async () => {
      const person = createPerson(world.url);
      await attempt(olga, {}, person);
      expect((await person.post("/sign-out", {})).status).toBe(403);
      expect(await isSignedIn(person)).toBe(true);
    });
  });

  describe("links", () => {
    let serial = 0;
    async function invited(): Promise<{ path: string; email: string }> {
      const email = `link.${(serial += 1)}.${kind}@acme.example`;
      return world.service.inWorkspace(world.acme).change(async (change) => {
        const user = await inviteUser(change, { email, name: null, role: "member", locationIds: [world.north] });
        return { email, path: new URL((await makeInvitationLink(change, user)).url).pathname };
      });
    }
    const resetOf = async (email: string) =>
      new URL((await world.service.inWorkspace(world.acme).change((change) => makeResetLink(change, email))).url)
        .pathname;
    const spent = { status: 404, text: expect.stringContaining("This link no longer works") };

    test("of an invitation: name and password, once", async () => {
      const { path, email } = await invited();
      const person = createPerson(world.url);
      const page = await person.get(path);
      expect(page.text).toContain("Join <bdi>Acme</bdi>");
      for (const [given, fault] of [
        ["", "is required; it takes at least 12 characters."],
        ["eight ch", "has 8 characters; 4 more are needed."],
        ["x".repeat(257), "must not be longer than 256 characters."],
      ] as const) {
        const refused = await person.submit(page, { name: "Lin & Co", password: given });
        expect(refused.status).toBe(422);
        expect(refused.text).toContain(fault);
        expect(refused.text).toContain('value="Lin &amp; Co"');
      }
      const turned = await person.submit(page, { name: "Lin\u202Egnaw", password: "twelve chars" });
      expect([turned.status, turned.text]).toEqual([
        422,
        expect.stringContaining("must not contain control characters"),
      ]);
      const done = await person.submit(page, { name: "Lin", password: "twelve chars" });
      expect([done.status, done.location]).toEqual([303, "/"]);
      expect((await person.get("/")).text).toContain(`<bdi>Lin</bdi> · <bdi dir="ltr">${email}</bdi>`);
      expect(await createPerson(world.url).get(path)).toMatchObject(spent);
      expect(await createPerson(world.url).submit(page, { name: "X", password: "another one here" })).toMatchObject({
        status: 403,
      });
      expect((await attempt({ email, password: "twelve chars" })).status).toBe(303);
    });

    test("of an invitation die with it, and after a week", async () => {
      const [gone, old] = [await invited(), await invited()];
      await world.service.inWorkspace(world.acme).change((change) => removeUser(change, gone.email));
      expect(await createPerson(world.url).get(gone.path)).toMatchObject(spent);
      world.clock.advance({ days: 7 });
      expect(await createPerson(world.url).get(old.path)).toMatchObject(spent);
    });

    test("of a reset: another password, and nobody stays signed in by the old one", async () => {
      const { path, email } = await invited();
      const [first, second] = [createPerson(world.url), createPerson(world.url)];
      await first.submit(await first.get(path), { name: "", password: "the first of them" });
      const [one, other] = [await resetOf(email), await resetOf(email)];
      const done = await second.submit(await second.get(one), { password: "the second of them" });
      expect(done.status).toBe(303);
      expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
      expect(await second.get(other)).toMatchObject(spent);
      expect((await attempt({ email, password: "the first of them" })).status).toBe(422);
      expect((await attempt({ email, password: "the second of them" })).status).toBe(303);
    });

    test("of a reset die after a day; what was made up never lives, and one kind is not the other", async () => {
      const { path, email } = await invited();
      const reset = await resetOf(email);
      const crossed = [path.replace("/invitation/", "/reset/"), reset.replace("/reset/", "/invitation/")];
      for (const made of [...crossed, "/reset/x", "/reset/%00", `/reset/crm_reset_${"0".repeat(36)}`]) {
        expect(await createPerson(world.url).get(made)).toMatchObject(spent);
      }
      world.clock.advance({ days: 1 });
      expect(await createPerson(world.url).get(reset)).toMatchObject(spent);
    });
  });

  describe("the start page", () => {
    test("is for nobody else: a member finds no way to uninstall, a stranger not even the app", async () => {
      for (const email of ["nora@acme.example", "otto@other.example"]) {
        const person = createPerson(world.url);
        await attempt({ email, password }, {}, person);
        expect((await person.get("/apps/1/uninstall")).status).toBe(404);
      }
      expect((await createPerson(world.url).get("/apps/1/uninstall")).location).toBe("/sign-in");
    });
  });
});

describe("behind https", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld("sqlite", { environment: { CRM_BASE_URL: "https://crm.example/app" } });
    await givenPasswords(world);
  });
  afterAll(() => world?.close());

  test("cookies are of this host and of https alone, and addresses keep the path of the base URL", async () => {
    const person = createPerson(world.url);
    const page = await person.get("/sign-in");
    expect(page.headers.getSetCookie()[0]).toMatch(
      /^__Host-crm_visit=crm_visit_\w+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(page.text).toContain('action="/app/sign-in"');
    expect(page.text).toMatch(/href="\/app\/assets\/[\w-]+\/app\.css"/);
    const fields = { ...hiddenFields(page), ...olga };
    const answer = await person.post("/sign-in", fields, { origin: "https://crm.example" });
    expect([answer.status, answer.location]).toEqual([303, "/app/"]);
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-crm_session=crm_session_\w+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/,
    );
    expect(answer.headers.getSetCookie()[1]).toMatch(/^__Host-crm_browser=v1\.[\w.-]+; Path=\/; HttpOnly; .*; Secure;/);
    expect((await person.post("/sign-in", fields, { origin: world.url })).status).toBe(403);
  });

  test("assets are compressed, kept for ever, and gone under an old hash", async () => {
    const path = /href="\/app(\/assets\/[\w-]+\/app\.css)"/.exec(
      (await createPerson(world.url).get("/sign-in")).text,
    )![1]!;
    const ask = () => fetch(world.url + path, { headers: { "accept-encoding": "br" } });
    // In the background, once the service is there.
    await expect.poll(async () => (await ask()).headers.get("content-encoding")).toBe("br");
    const answer = await ask();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
      "x-content-type-options": "nosniff",
    });
    expect(await answer.text()).toContain("@layer tokens");
    for (const other of [path.replace(/assets\/[\w-]+/, "assets/old"), path.replace("app.css", "LICENSES.md")]) {
      expect((await fetch(world.url + other)).status).toBe(404);
    }
  });
});
