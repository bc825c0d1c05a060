/** GET and POST /oauth/authorize: every rule of what an app may ask, and what a person is asked. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { authorizePath, callback, givenApp, givenOlga, givenPasswords } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createPerson, hiddenFields } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const withQuery = "https://app.example.com/callback?tenant=7";

describe.each(sampleOf("OAuth: authorize", 1, databaseKinds))("authorize on %s", (kind) => {
  let world: World;
  let app: TestApp;
  let olga: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    app = await givenApp(world, {
      scopes: ["contacts.readonly", "contacts.write", "tags.readonly"],
      redirectUris: [callback, withQuery, "http://localhost:4000/callback"],
    });
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  /** What every page of ours carries. */
  function expectPage(page: Page, status: number): void {
    expect({ status: page.status, location: page.location }).toEqual({ status, location: "" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  }

  describe("faults of trust stay on the page", () => {
    test.each<[string, () => string]>([
      ["client_id is missing", () => authorizePath(app, { client_id: undefined })],
      ["client_id is missing", () => authorizePath(app, { client_id: "" })],
      ["client_id is unknown", () => authorizePath(app, { client_id: "crm_app_nobody" })],
      ["client_id is unknown", () => authorizePath(app, { client_id: `${app.client_id} ` })],
      ["client_id is unknown", () => authorizePath(app, { client_id: "\0" })],
      ["client_id appears more than once", () => `${authorizePath(app)}&client_id=${app.client_id}`],
      ["redirect_uri is missing", () => authorizePath(app, { redirect_uri: undefined })],
      ["redirect_uri is missing", () => authorizePath(app, { redirect_uri: "" })],
      [
        "redirect_uri appears more than once",
        () => `${authorizePath(app)}&redirect_uri=${encodeURIComponent(callback)}`,
      ],
    ])("%s", async (reason, path) => {
      for (const person of [olga, createPerson(world.url)]) {
        const page = await person.get(path());
        expectPage(page, 400);
        expect(page.text).toContain(reason);
      }
    });

    // Each means the registered address to some parser, or leads somewhere else.
    test.each([
      "https://app.example.com/callback/",
      "https://app.example.com/callback#",
      "https://app.example.com/callback#x",
      "https://app.example.com/callback?",
      "https://app.example.com/callback?x=1",
      "https://app.example.com/callback?tenant=7&x=1",
      "https://app.example.com/callback?tenant=8",
      "https://app.example.com/Callback",
      "https://app.example.com//callback",
      "https://app.example.com/./callback",
      "https://app.example.com/x/../callback",
      "https://app.example.com/x/%2e%2e/callback",
      "https://app.example.com/%63allback",
      "https://app.example.com/callback%20",
      "https://app.example.com/callback ",
      " https://app.example.com/callback",
      "https://app.example.com/callback%00",
      "https://app.example.com/callback\n",
      "https://app.example.com/callback/../evil",
      "https://app.example.com:443/callback",
      "https://app.example.com:8443/callback",
      "https://APP.example.com/callback",
      "HTTPS://app.example.com/callback",
      "http://app.example.com/callback",
      "//app.example.com/callback",
      "/callback",
      "callback",
      "https:app.example.com/callback",
      "https:/app.example.com/callback",
      "https:\\\\app.example.com\\callback",
      "https://app.example.com\\callback",
      "https://app.example.com.evil.example/callback",
      "https://evil.example/callback",
      "https://evil.example/https://app.example.com/callback",
      "https://app.example.com@evil.example/callback",
      "https://app.example.com%40evil.example/callback",
      "https://app.example.com\\@evil.example/callback",
      "https://user@app.example.com/callback",
      "https://user:pass@app.example.com/callback",
      "https://app.example.com./callback",
      "https://app.example.com%2fcallback",
      "https://*.example.com/callback",
      "https://sub.app.example.com/callback",
      "javascript:alert(1)",
      "javascript://app.example.com/callback%0aalert(1)",
      "data:text/html,x",
      "http://localhost:4001/callback",
      "http://127.0.0.1:4000/callback",
      "http://[::1]:4000/callback",
      "https://localhost:4000/callback",
      "https://app.example.com/callback,https://evil.example/",
      "https://app.example.com/callbacｋ",
    ])("redirect_uri %j is not registered", async (uri) => {
      const page = await olga.get(authorizePath(app, { redirect_uri: uri }));
      expectPage(page, 400);
      expect(page.text).toContain("redirect_uri is not registered");
    });

    test("what is shown of an app is text", async () => {
      const odd = await givenApp(world, { name: `<img src=x onerror=alert(1)>"'` });
      const page = await olga.get(authorizePath(odd, { redirect_uri: "https://evil.example/" }));
      expect(page.text).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;");
      expect(page.text).not.toContain("<img src=x");
    });
  });

  describe("every other fault travels to the redirect URI", () => {
    test.each<[string, Record<string, string | undefined>, string, more?: string]>([
      ["response_type is missing", { response_type: undefined }, "invalid_request"],
      ["response_type is empty", { response_type: "" }, "invalid_request"],
      ["response_type is token", { response_type: "token" }, "unsupported_response_type"],
      ["response_type is code in another case", { response_type: "Code" }, "unsupported_response_type"],
      ["response_type is code and more", { response_type: "code id_token" }, "unsupported_response_type"],
      ["a scope that is not declared", { scope: "contacts.readonly tasks.write" }, "invalid_scope"],
      ["a scope that is none", { scope: "everything" }, "invalid_scope"],
      ["a scope of signs", { scope: '"\\' }, "invalid_scope"],
      ["a scope of spaces", { scope: "  " }, "invalid_scope"],
      ["a doubled scope", {}, "invalid_request", "&scope=tags.readonly&scope=tags.readonly"],
      ["a doubled response_type", {}, "invalid_request", "&response_type=code"],
      ["a doubled state", {}, "invalid_request", "&state=2"],
      ["a plain challenge", { code_challenge: challenge, code_challenge_method: "plain" }, "invalid_request"],
      ["a challenge without a method, which is plain", { code_challenge: challenge }, "invalid_request"],
      ["a method without a challenge", { code_challenge_method: "S256" }, "invalid_request"],
      [
        "a challenge that is too short",
        { code_challenge: challenge.slice(1), code_challenge_method: "S256" },
        "invalid_request",
      ],
      [
        "a challenge that is too long",
        { code_challenge: `${challenge}x`, code_challenge_method: "S256" },
        "invalid_request",
      ],
      [
        "a challenge of other signs",
        { code_challenge: challenge.replace("-", "+"), code_challenge_method: "S256" },
        "invalid_request",
      ],
    ])("%s", async (_name, parameters, error, more = "") => {
      // The error comes before the sign-in, signed in or not.
      for (const person of [olga, createPerson(world.url)]) {
        const answer = await person.get(authorizePath(app, { state: "a b&c=%", ...parameters }) + more);
        expect(answer.status).toBe(303);
        const { origin, pathname, searchParams } = new URL(answer.location);
        expect(origin + pathname).toBe(callback);
        expect(Object.fromEntries(searchParams)).toEqual({
          error,
          error_description: expect.stringMatching(/^[ !#-[\]-~]+$/),
          state: "a b&c=%",
          iss: world.url,
        });
      }
    });

    test("a redirect URI with a query keeps it, and without a state none comes back", async () => {
      const path = authorizePath(app, { redirect_uri: withQuery, response_type: "x" });
      const { location } = await olga.get(path);
      expect(location.startsWith(`${withQuery}&error=unsupported_response_type&`)).toBe(true);
      expect(new URL(location).searchParams.has("state")).toBe(false);
    });
  });

  describe("consent", () => {
    const choose = (location: number) => ({ location_id: String(location), answer: "allow" });

    it("asks who is signed in, and names app, scopes and places; write goes without its readonly", async () => {
      const page = await olga.get(authorizePath(app, { scope: "tags.readonly contacts.write contacts.readonly" }));
      expectPage(page, 200);
      expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example.com;");
      expect(page.headers.get("cross-origin-opener-policy")).toBeNull();
      expect(page.text).toContain("Allow <bdi>Ledgerline</bdi> to work in <bdi>Acme</bdi>?");
      expect(page.text).toContain("Create, change and delete contacts");
      expect(page.text).not.toContain("See contacts with their notes");
      expect(page.text).toContain("See the tags of the workspace");
      for (const place of ["North", "South"]) expect(page.text).toContain(`<b><bdi>${place}</bdi></b>`);
      expect(page.text).not.toContain("Elsewhere");
      expect(Object.keys(hiddenFields(page))).toEqual(["form_token", "request"]);
      expect(page.text.indexOf('value="deny"')).toBeLessThan(page.text.indexOf('value="allow"'));
    });

    it("has a stranger sign in first, and goes on from there", async () => {
      const person = createPerson(world.url);
      const first = await person.get(authorizePath(app, { state: "s p" }));
      expect(first.status).toBe(303);
      const page = await person.get(first.location);
      expect(page.text).toContain("to continue to <strong><bdi>Ledgerline</bdi></strong>");
      const signedIn = await person.submit(page, { email: "olga@acme.example", password: "correct horse battery" });
      expect(signedIn.status).toBe(303);
      const consent = await person.get(signedIn.location);
      const allowed = await person.submit(consent, choose(world.north));
      expect(Object.fromEntries(new URL(allowed.location).searchParams)).toEqual({
        code: expect.stringMatching(/^crm_code_/),
        state: "s p",
        iss: world.url,
      });
    });

    it("answers Allow and Deny with 303, each once", async () => {
      const answers: [Record<string, string>, Record<string, unknown>][] = [
        [choose(world.north), { code: expect.any(String) }],
        [{ answer: "deny" }, { error: "access_denied", error_description: expect.any(String) }],
        // Enter presses the first button; nothing but Allow allows.
        [{ location_id: String(world.north) }, { error: "access_denied", error_description: expect.any(String) }],
      ];
      for (const [answer, expected] of answers) {
        const page = await olga.get(authorizePath(app, { state: "x" }));
        const first = await olga.submit(page, answer);
        expect(first.status).toBe(303);
        expect(Object.fromEntries(new URL(first.location).searchParams)).toEqual({
          ...expected,
          state: "x",
          iss: world.url,
        });
        for (const again of [answer, choose(world.north), { answer: "deny" }]) {
          expectPage(await olga.submit(page, again), 400);
        }
      }
    });

    it.each(["a b+c&d=%20#é", "\0", "💛", "x".repeat(2000)])("gives back the state %j as it was", async (state) => {
      const { location } = await olga.submit(await olga.get(authorizePath(app, { state })), choose(world.north));
      expect(new URL(location).searchParams.get("state")).toBe(state);
    });

    it("keeps two tabs apart", async () => {
      const [one, other] = [
        await olga.get(authorizePath(app, { state: "one" })),
        await olga.get(authorizePath(app, { state: "other", redirect_uri: withQuery })),
      ];
      const answers = [await olga.submit(other, choose(world.south)), await olga.submit(one, { answer: "deny" })];
      expect(answers.map(({ location }) => new URL(location).searchParams.get("state"))).toEqual(["other", "one"]);
      expect(answers[0]!.location.startsWith(`${withQuery}&code=`)).toBe(true);
    });

    it("asks again where no place, or a place of others, was chosen", async () => {
      const page = await olga.get(authorizePath(app));
      for (const place of [undefined, String(world.foreign), "x", "0"]) {
        const answer = await olga.submit(page, { answer: "allow", ...(place && { location_id: place }) });
        expectPage(answer, 422);
        expect(answer.text).toContain("Choose a location.");
      }
      expect((await olga.submit(page, choose(world.north))).status).toBe(303);
    });

    it("tells a member whom to ask among those who can sign in, and takes no yes of theirs", async () => {
      // Invited, and without a password yet.
      for (const role of ["owner", "manager"] as const) {
        const invited = { email: `${role}.${kind}@acme.example`, name: "Ingrid", role, locationIds: null };
        await world.service.inWorkspace(world.acme).change((change) => inviteUser(change, invited));
      }
      const nora = createPerson(world.url);
      await nora.signIn("nora@acme.example");
      const page = await nora.get(authorizePath(app, { state: "n" }));
      expectPage(page, 403);
      expect(page.text).toContain("Ask <bdi>Olga</bdi> to install it");
      expectPage(await nora.submit(page, choose(world.north)), 403);
    });

    it("lets a draft into its own workspace alone", async () => {
      const draft = await givenApp(world, { isPublished: false });
      const otto = createPerson(world.url);
      await otto.signIn("otto@other.example");
      expect((await otto.get(authorizePath(app))).text).toContain("<b><bdi>Elsewhere</bdi></b>");
      expectPage(await otto.get(authorizePath(draft)), 403);
      expect((await olga.get(authorizePath(draft))).text).toContain("It is a draft.");
    });

    it("is over after half an hour", async () => {
      const page = await olga.get(authorizePath(app));
      world.clock.advance({ minutes: 30 });
      const late = await olga.submit(page, choose(world.north));
      expectPage(late, 400);
      expect(late.text).toContain("This request is closed");
    });
  });

  describe("forms of others", () => {
    const send = async (fields: Record<string, string>, headers: Record<string, string>) => {
      const page = await olga.get(authorizePath(app));
      const all = { ...hiddenFields(page), location_id: String(world.north), answer: "allow", ...fields };
      const sent = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== "none"));
      return olga.post("/oauth/authorize", sent, headers);
    };
    const foreignToken = async () => {
      await givenPasswords(world);
      const other = createPerson(world.url);
      await other.signIn("olga@acme.example");
      return hiddenFields(await other.get(authorizePath(app)))["form_token"]!;
    };

    test.each<[string, Record<string, string>, Record<string, string>, number]>([
      ["our own", {}, { "sec-fetch-site": "same-origin" }, 303],
      ["an old browser's", {}, {}, 303],
      ["one that was typed", {}, { "sec-fetch-site": "none" }, 303],
      ["of another site", {}, { "sec-fetch-site": "cross-site" }, 403],
      ["of another host of the site", {}, { "sec-fetch-site": "same-site" }, 403],
      ["with another Origin", {}, { origin: "https://evil.example" }, 403],
      ["without a token", { form_token: "none" }, {}, 403],
      ["with an empty token", { form_token: "" }, {}, 403],
      ["with a token that was made up", { form_token: "x".repeat(43) }, {}, 403],
    ])("%s", async (_name, fields, headers, status) => {
      expect((await send(fields, headers)).status).toBe(status);
    });

    test("with our Origin", async () => {
      expect((await send({}, { origin: world.url })).status).toBe(303);
    });

    test("with the token of another session", async () => {
      expectPage(await send({ form_token: await foreignToken() }, {}), 403);
    });

    test("with the request of another session", async () => {
      const other = createPerson(world.url);
      await other.signIn("olga@acme.example");
      const { request } = hiddenFields(await other.get(authorizePath(app)));
      expectPage(await send({ request: request! }, {}), 400);
    });
  });

  it("writes nothing for HEAD", async () => {
    const answer = await fetch(world.url + authorizePath(app), { method: "HEAD", redirect: "manual" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, OPTIONS, POST"]);
  });
});
