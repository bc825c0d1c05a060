/** POST /api/oauth/token and /api/oauth/revoke, and tokens as credentials: every rule, with status, body and headers. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { rotateAppSecret } from "../../src/marketplace/apps/app.service.ts";
import { findInstallsIn } from "../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.service.ts";
import { changeUser, inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  askToken,
  callback,
  givenApp,
  givenCode,
  givenOlga,
  givenPasswords,
  givenTokens,
  redeeming,
  refreshing,
} from "../support/marketplace.ts";
import type { TestApp, TokenAnswer } from "../support/marketplace.ts";
import { createPerson } from "../support/person.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = createHash("sha256").update(verifier).digest("base64url");
const pkce = { code_challenge: challenge, code_challenge_method: "S256" };

describe.each(sampleOf("OAuth: token", 1, databaseKinds))("tokens on %s", (kind) => {
  let world: World;
  let app: TestApp;
  let other: TestApp;
  let olga: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    app = await givenApp(world, { scopes: ["contacts.readonly", "tags.write"] });
    other = await givenApp(world, { name: "Other" });
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  const ask = (fields: Record<string, string | undefined> | URLSearchParams, more = {}) =>
    askToken(world.url, fields, more);
  const code = (parameters = {}) => givenCode(olga, app, world.north, parameters);
  const tokens = (parameters = {}) => givenTokens(world, olga, app, world.north, parameters);
  const tags = (token: string, headers = {}) =>
    request(world.url, { method: "GET", path: "/api/v1/tags", key: token, headers });

  function expectAnswer({ status, headers, body }: TokenAnswer, expected: number, error?: string): void {
    expect({ status, error: body?.error }).toEqual({ status: expected, error });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("pragma")).toBe("no-cache");
    if (error === undefined) return;
    expect(Object.keys(body)).toEqual(["error", "error_description"]);
    expect(body.error_description).toMatch(/^[ !#-[\]-~]+$/);
  }

  async function expectDead(token: string): Promise<void> {
    const answer = await tags(token);
    expect([answer.status, answer.body]).toEqual([401, { error: "invalid_api_key" }]);
  }

  async function expectAlive(token: string): Promise<void> {
    expect((await tags(token)).status).toBe(200);
  }

  describe("the client", () => {
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
    });
    const bare = async () => {
      const { client_id: _id, client_secret: _secret, ...fields } = redeeming(app, await code());
      return fields;
    };

    it("is known by its body", async () => {
      const answer = await ask(redeeming(app, await code()));
      expectAnswer(answer, 200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^crm_at_[0-9A-Za-z]{36}$/),
        token_type: "Bearer",
        expires_in: 86_400,
        refresh_token: expect.stringMatching(/^crm_rt_[0-9A-Za-z]{36}$/),
        scope: "contacts.readonly tags.write",
        location_id: world.north,
        workspace_id: world.acme,
      });
    });

    it("is known by HTTP Basic, with or without its id in the body", async () => {
      const headers = basic(app.client_id, app.client_secret);
      expectAnswer(await ask(await bare(), { headers }), 200);
      expectAnswer(await ask({ ...(await bare()), client_id: app.client_id }, { headers }), 200);
    });

    it("is refused in one and the same way, whatever is wrong with it", async () => {
      const fields = await bare();
      const wrong: Record<string, string | undefined>[] = [
        { client_id: "crm_app_nobody", client_secret: app.client_secret },
        { client_id: `crm_app_${"0".repeat(36)}`, client_secret: app.client_secret },
        { client_id: app.client_id, client_secret: "wrong" },
        { client_id: app.client_id, client_secret: other.client_secret },
        { client_id: app.client_id, client_secret: "" },
        { client_id: app.client_id },
        { client_secret: app.client_secret },
        {},
      ];
      const answers = await Promise.all(wrong.map((client) => ask({ ...fields, ...client })));
      for (const answer of answers) {
        expectAnswer(answer, 401, "invalid_client");
        expect(answer.headers.get("www-authenticate")).toBeNull();
        expect(answer.text).toBe(answers[0]!.text);
      }
    });

    test.each<[string, () => Record<string, string>]>([
      ["a wrong secret", () => basic(app.client_id, "wrong")],
      ["an unknown client", () => basic("nobody", app.client_secret)],
      ["no pair", () => ({ authorization: "Basic eA==" })],
      ["a broken encoding", () => ({ authorization: `Basic ${Buffer.from("%:%").toString("base64")}` })],
      ["another scheme", () => ({ authorization: `Bearer ${app.client_secret}` })],
    ])("is asked for Basic again after %s", async (_name, headers) => {
      const answer = await ask(await bare(), { headers: headers() });
      expectAnswer(answer, 401, "invalid_client");
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="crm"');
    });

    it("may not be named in two ways", async () => {
      const headers = basic(app.client_id, app.client_secret);
      expectAnswer(await ask(redeeming(app, "x"), { headers }), 400, "invalid_request");
      expectAnswer(await ask({ ...(await bare()), client_id: other.client_id }, { headers }), 400, "invalid_request");
    });

    it("may not stand in the address", async () => {
      const path = `/api/oauth/token?client_id=${app.client_id}&client_secret=${app.client_secret}`;
      expectAnswer(await ask(await bare(), { path }), 400, "invalid_request");
      expectAnswer(
        await ask(await bare(), { path: `/api/oauth/token?client_id=${app.client_id}` }),
        401,
        "invalid_client",
      );
    });

    it("has a new secret at once when it is rotated, and its tokens live on", async () => {
      const rotating = await givenApp(world);
      const { access_token, refresh_token } = await givenTokens(world, olga, rotating, world.north);
      const caller = world.service.inWorkspace(world.acme);
      const { client_secret } = await caller.change((change) => rotateAppSecret(change, rotating.id));
      expectAnswer(await ask(refreshing(rotating, refresh_token)), 401, "invalid_client");
      await expectAlive(access_token);
      expectAnswer(await ask(refreshing({ ...rotating, client_secret }, refresh_token)), 200);
    });
  });

  describe("the request", () => {
    test.each<[string, Record<string, string | undefined>, string]>([
      ["grant_type is missing", { grant_type: undefined }, "invalid_request"],
      ["grant_type is empty", { grant_type: "" }, "invalid_request"],
      ["grant_type is password", { grant_type: "password" }, "unsupported_grant_type"],
      ["grant_type is client_credentials", { grant_type: "client_credentials" }, "unsupported_grant_type"],
      ["code is missing", { code: undefined }, "invalid_request"],
      ["redirect_uri is missing", { redirect_uri: undefined }, "invalid_request"],
      ["refresh_token is missing", { grant_type: "refresh_token" }, "invalid_request"],
    ])("%s", async (_name, fields, error) => {
      expectAnswer(await ask({ ...redeeming(app, "x"), ...fields }), 400, error);
    });

    test.each([
      "grant_type",
      "client_id",
      "client_secret",
      "code",
      "redirect_uri",
      "code_verifier",
      "refresh_token",
      "scope",
    ])("%s twice is refused", async (name) => {
      const fields = new URLSearchParams(redeeming(app, await code()));
      fields.append(name, fields.get(name) ?? "x");
      fields.append(name, "x");
      expectAnswer(await ask(fields), 400, "invalid_request");
    });

    it("takes fields that mean nothing", async () => {
      expectAnswer(await ask({ ...redeeming(app, await code()), audience: "x" }), 200);
    });

    it.each([
      ["content-type", "application/json", "The body must be sent as application/x-www-form-urlencoded."],
      ["content-encoding", "gzip", "The body must be sent uncompressed, without a Content-Encoding."],
    ])("says how the body must be sent: %s", async (name, value, sentence) => {
      const answer = await ask(redeeming(app, "x"), { headers: { [name]: value } });
      expectAnswer(answer, 400, "invalid_request");
      expect(answer.body.error_description).toBe(sentence);
    });

    it("is no JSON, no GET, and not too large", async () => {
      const json = await fetch(`${world.url}/api/oauth/token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(redeeming(app, "x")),
      });
      expectAnswer(
        { status: json.status, headers: json.headers, text: "", body: await json.json() },
        400,
        "invalid_request",
      );
      const got = await fetch(`${world.url}/api/oauth/token?grant_type=refresh_token`);
      expectAnswer(
        { status: got.status, headers: got.headers, text: "", body: await got.json() },
        405,
        "invalid_request",
      );
      expect(got.headers.get("allow")).toBe("OPTIONS, POST");
      expectAnswer(await ask({ ...redeeming(app, "x"), more: "x".repeat(70_000) }), 413, "invalid_request");
    });
  });

  describe("a code", () => {
    const bad: [string, (given: string) => Record<string, string | undefined>, Record<string, string>?][] = [
      ["that is unknown", () => redeeming(app, `crm_code_${"0".repeat(36)}`)],
      ["that is none", () => redeeming(app, "\0")],
      ["of another client", (given) => redeeming(other, given)],
      ["with another redirect URI", (given) => ({ ...redeeming(app, given), redirect_uri: `${callback}/` })],
      [
        "with a verifier where there was no challenge",
        (given) => ({ ...redeeming(app, given), code_verifier: verifier }),
      ],
      ["without its verifier", (given) => redeeming(app, given), pkce],
      [
        "with another verifier",
        (given) => ({ ...redeeming(app, given), code_verifier: verifier.replace("d", "e") }),
        pkce,
      ],
      ["with the challenge as verifier", (given) => ({ ...redeeming(app, given), code_verifier: challenge }), pkce],
      [
        "with a verifier of 42 characters",
        (given) => ({ ...redeeming(app, given), code_verifier: verifier.slice(1) }),
        pkce,
      ],
      [
        "with a verifier of 129 characters",
        (given) => ({ ...redeeming(app, given), code_verifier: "x".repeat(129) }),
        pkce,
      ],
    ];
    test.each(bad)("%s gives nothing and harms nothing", async (_name, fields, parameters = {}) => {
      const given = await code(parameters);
      expectAnswer(await ask(fields(given)), 400, "invalid_grant");
      const own = parameters === pkce ? { ...redeeming(app, given), code_verifier: verifier } : redeeming(app, given);
      const { access_token } = (await ask(own)).body;
      await expectAlive(access_token);
    });

    it.each([43, 128])("takes a verifier of %i characters", async (length) => {
      const long = "aZ0-._~".repeat(20).slice(0, length);
      const given = await code({ ...pkce, code_challenge: createHash("sha256").update(long).digest("base64url") });
      expectAnswer(await ask({ ...redeeming(app, given), code_verifier: long }), 200);
    });

    it("lives for sixty seconds", async () => {
      const [late, inTime] = [await code(), await code()];
      world.clock.advance({ seconds: 59 });
      expectAnswer(await ask(redeeming(app, inTime)), 200);
      world.clock.advance({ seconds: 1 });
      expectAnswer(await ask(redeeming(app, late)), 400, "invalid_grant");
    });

    it("used again ends what it gave, refreshed tokens too; of another client that ends nothing", async () => {
      const given = await code();
      const first = (await ask(redeeming(app, given))).body;
      expectAnswer(await ask(redeeming(other, given)), 400, "invalid_grant");
      const second = (await ask(refreshing(app, first.refresh_token))).body;
      await expectAlive(first.access_token);
      world.clock.advance({ minutes: 10 });
      expectAnswer(
        await ask({ ...redeeming(app, given), redirect_uri: "https://evil.example/" }),
        400,
        "invalid_grant",
      );
      await expectDead(first.access_token);
      await expectDead(second.access_token);
      expectAnswer(await ask(refreshing(app, second.refresh_token)), 400, "invalid_grant");
    });

    it("gives the scopes that were asked for", async () => {
      expect((await tokens({ scope: "tags.write" })).scope).toBe("tags.write");
    });
  });

  describe("a refresh token", () => {
    it("gives a new pair, with the same scopes and the same place", async () => {
      const first = await tokens({ scope: "tags.write", location_id: world.north, workspace_id: world.acme });
      const answer = await ask(refreshing(app, first.refresh_token));
      expectAnswer(answer, 200);
      expect(answer.body).toMatchObject({
        token_type: "Bearer",
        expires_in: 86_400,
        scope: "tags.write",
        location_id: world.north,
        workspace_id: world.acme,
      });
      expect(answer.body.access_token).not.toBe(first.access_token);
      expect(answer.body.refresh_token).not.toBe(first.refresh_token);
      await expectAlive(first.access_token);
      await expectAlive(answer.body.access_token);
    });

    it("gives fewer scopes to one access token, and keeps those of the refresh token", async () => {
      const first = await tokens();
      expectAnswer(await ask({ ...refreshing(app, first.refresh_token), scope: "tasks.write" }), 400, "invalid_scope");
      const fewer = (await ask({ ...refreshing(app, first.refresh_token), scope: "tags.write" })).body;
      expect(fewer.scope).toBe("tags.write");
      const contacts = { method: "GET", path: `/api/v1/contacts?location_id=${world.north}` };
      expect((await request(world.url, { ...contacts, key: fewer.access_token })).status).toBe(403);
      const all = (await ask(refreshing(app, fewer.refresh_token))).body;
      expect(all.scope).toBe(first.scope);
      expect((await request(world.url, { ...contacts, key: all.access_token })).status).toBe(200);
      const again = await ask({ ...refreshing(app, all.refresh_token), scope: "tasks.write" });
      expectAnswer(again, 400, "invalid_scope");
    });

    it("handed in again within ten seconds harms nothing", async () => {
      const first = await tokens();
      const second = (await ask(refreshing(app, first.refresh_token))).body;
      world.clock.advance({ seconds: 10 });
      expectAnswer(await ask(refreshing(app, first.refresh_token)), 400, "invalid_grant");
      await expectAlive(second.access_token);
      expectAnswer(await ask(refreshing(app, second.refresh_token)), 200);
    });

    it("handed in again later ends the whole family", async () => {
      const first = await tokens();
      const second = (await ask(refreshing(app, first.refresh_token))).body;
      world.clock.advance({ seconds: 11 });
      expectAnswer(await ask(refreshing(app, first.refresh_token)), 400, "invalid_grant");
      await expectDead(first.access_token);
      await expectDead(second.access_token);
      expectAnswer(await ask(refreshing(app, second.refresh_token)), 400, "invalid_grant");
    });

    it("of another client gives nothing and harms nothing", async () => {
      const first = await tokens();
      world.clock.advance({ minutes: 1 });
      expectAnswer(await ask(refreshing(other, first.refresh_token)), 400, "invalid_grant");
      expectAnswer(await ask(refreshing(app, first.refresh_token)), 200);
    });

    it("lives for a year from when it was issued", async () => {
      const [one, another] = [await tokens(), await tokens()];
      world.clock.advance({ days: 364, hours: 23 });
      await olga.signIn("olga@acme.example");
      expectAnswer(await ask(refreshing(app, one.refresh_token)), 200);
      world.clock.advance({ hours: 1 });
      expectAnswer(await ask(refreshing(app, another.refresh_token)), 400, "invalid_grant");
    });

    test.each(["", "x", "\0", `crm_rt_${"0".repeat(36)}`])("%j is none", async (token) => {
      const answer = await ask(refreshing(app, token));
      expectAnswer(answer, 400, token === "" ? "invalid_request" : "invalid_grant");
    });
  });

  describe("revoking", () => {
    const revoke = (fields: Record<string, string | undefined>) => ask(fields, { path: "/api/oauth/revoke" });
    const own = ({ client_id, client_secret }: TestApp, token: string) => ({ client_id, client_secret, token });

    it("a refresh token ends its family, an access token itself alone", async () => {
      const first = await tokens();
      expectAnswer(await revoke(own(app, first.access_token)), 200);
      await expectDead(first.access_token);
      const second = (await ask(refreshing(app, first.refresh_token))).body;
      await expectAlive(second.access_token);
      const answer = await revoke({ ...own(app, second.refresh_token), token_type_hint: "access_token" });
      expectAnswer(answer, 200);
      expect([answer.headers.get("content-type"), answer.text]).toEqual([
        expect.stringMatching(/^application\/json/),
        "{}",
      ]);
      await expectDead(second.access_token);
      expectAnswer(await ask(refreshing(app, second.refresh_token)), 400, "invalid_grant");
    });

    it("is the same for what is unknown or another's, which it leaves alone", async () => {
      const { access_token, refresh_token } = await tokens();
      for (const token of [access_token, refresh_token, "x", "\0"]) expectAnswer(await revoke(own(other, token)), 200);
      await expectAlive(access_token);
      expectAnswer(await ask(refreshing(app, refresh_token)), 200);
    });

    it("needs a token and a client", async () => {
      expectAnswer(await revoke({ ...own(app, "x"), token: undefined }), 400, "invalid_request");
      expectAnswer(await revoke({ ...own(app, "x"), client_secret: "wrong" }), 401, "invalid_client");
    });
  });

  describe("an access token", () => {
    it("works in its one location, and shows no other", async () => {
      const { access_token: key } = await tokens();
      const get = (path: string) => request(world.url, { method: "GET", path: `/api/v1${path}`, key });
      expect((await get("/locations")).body.data).toMatchObject([{ id: world.north, name: "North" }]);
      expect((await get(`/contacts?location_id=${world.north}`)).status).toBe(200);
      for (const id of [world.south, world.foreign, 999_999]) {
        const answer = await get(`/contacts?location_id=${id}`);
        expect([answer.status, answer.body]).toEqual([404, { error: "location.not_found" }]);
      }
    });

    it.each(["bearer", "BEARER", "BeArEr"])("is taken behind %s", async (scheme) => {
      const { access_token } = await tokens();
      expect(
        (
          await request(world.url, {
            method: "GET",
            path: "/api/v1/tags",
            headers: { authorization: `${scheme} ${access_token}` },
          })
        ).status,
      ).toBe(200);
    });

    it("is no credential in the query or the body, and neither is a refresh token or a code", async () => {
      const { access_token, refresh_token } = await tokens();
      const path = `/api/v1/tags?access_token=${access_token}`;
      expect((await request(world.url, { method: "GET", path })).status).toBe(401);
      const body = { name: "x", access_token };
      expect((await request(world.url, { method: "POST", path: "/api/v1/tags", body })).status).toBe(401);
      await expectDead(refresh_token);
      await expectDead(await code());
    });

    it("writes in the name of its app", async () => {
      const writing = await givenApp(world, { scopes: ["contacts.write"], name: "Dialer" });
      const { access_token: key } = await givenTokens(world, olga, writing, world.north);
      const body = { location_id: world.north, first_name: "Ada", last_name: "L" };
      const answer = await request(world.url, { method: "POST", path: "/api/v1/contacts", key, body });
      expect(answer.body.activities[0]).toMatchObject({
        kind: "contact.created",
        actor: { type: "app", id: writing.id, name: "Dialer" },
      });
    });

    it("lives for a day", async () => {
      const { access_token } = await tokens();
      world.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
      await expectAlive(access_token);
      world.clock.advance({ seconds: 1 });
      await expectDead(access_token);
    });

    it("dies when its app is uninstalled, and with it what could be redeemed", async () => {
      const mine = await givenApp(world);
      const { access_token, refresh_token } = await givenTokens(world, olga, mine, world.north);
      const open = await givenCode(olga, mine, world.north);
      const elsewhere = await givenTokens(world, olga, mine, world.south);
      const hook = { event: "contact.created", target_url: "https://hooks.example.com/crm" };
      const register = (key: string) => request(world.url, { method: "POST", path: "/api/v1/hooks", key, body: hook });
      const [gone, kept] = [await register(access_token), await register(elsewhere.access_token)];
      expect([gone.status, kept.status]).toEqual([201, 201]);
      const installs = await findInstallsIn(world.service.database, [world.north]);
      const install = installs.find((one) => one.app.id === mine.id);
      await world.service.inWorkspace(world.acme).change((change) => uninstallApp(change, install!.id));
      await expectDead(access_token);
      const hooks = await request(world.url, { method: "GET", path: "/api/v1/hooks", key: world.keys.owner });
      const ids = new Set(hooks.body.data.map(({ id }: { id: number }) => id));
      expect([ids.has(gone.body.id), ids.has(kept.body.id)]).toEqual([false, true]);
      expectAnswer(await ask(refreshing(mine, refresh_token)), 400, "invalid_grant");
      expectAnswer(await ask(redeeming(mine, open)), 400, "invalid_grant");
      await expectAlive(elsewhere.access_token);
      const anew = (await givenTokens(world, olga, mine, world.north)).access_token;
      await expectAlive(anew);
      await world.service.inWorkspace(world.acme).change((change) => uninstallApp(change, install!.id));
      await expectAlive(anew);
    });

    it("dies while who allowed it lacks the location, or leaves, and stays dead when they come back", async () => {
      const caller = world.service.inWorkspace(world.acme);
      const email = `mia.${kind}@acme.example`;
      const invite = () =>
        caller.change((change) => inviteUser(change, { email, name: "Mia", role: "manager", locationIds: null }));
      const mia = await invite();
      await givenPasswords({ ...world, users: { ...world.users, mia: mia.id } as World["users"] });
      const person = createPerson(world.url);
      await person.signIn(email);
      const [north, south] = [
        await givenTokens(world, person, app, world.north),
        await givenTokens(world, person, app, world.south),
      ];
      await caller.change((change) => changeUser(change, email, { locationIds: [world.south] }));
      await expectDead(north.access_token);
      expectAnswer(await ask(refreshing(app, north.refresh_token)), 400, "invalid_grant");
      await expectAlive(south.access_token);
      await caller.change((change) => changeUser(change, email, { locationIds: [world.north, world.south] }));
      await expectAlive(north.access_token);

      await caller.change((change) => removeUser(change, email));
      expect((await person.get("/")).text).toContain("Sign in");
      await expectDead(south.access_token);
      await invite();
      await expectDead(south.access_token);
      expectAnswer(await ask(refreshing(app, south.refresh_token)), 400, "invalid_grant");
    });
  });

  it("keeps no consent of which nothing is left: a code that nobody redeems, or tokens that can be refreshed no more", async () => {
    const mine = await givenApp(world, { name: "Forgotten" });
    const consents = async () => {
      await world.service.worker.runOnce();
      const found = await world.service.database.rows<{ location_id: number }>(
        "select g.location_id from oauth_grants g join apps a on a.id = g.app_id where a.client_id = ? order by g.id",
        [mine.client_id],
      );
      return found.map((grant) => grant.location_id);
    };
    await givenCode(olga, mine, world.north);
    const { refresh_token } = await givenTokens(world, olga, mine, world.south);
    expect(await consents()).toEqual([world.north, world.south]);
    world.clock.advance({ days: 1, minutes: 11 });
    expect(await consents()).toEqual([world.south]);
    world.clock.advance({ days: 363 });
    expectAnswer(await ask(refreshing(mine, refresh_token)), 200);
    expect(await consents()).toEqual([world.south]);
    world.clock.advance({ days: 365, minutes: 1 });
    expect(await consents()).toEqual([]);
    olga = await givenOlga(world);
  });

  it("says where everything is (RFC 8414)", async () => {
    const answer = await request(world.url, { method: "GET", path: "/.well-known/oauth-authorization-server" });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        issuer: world.url,
        authorization_endpoint: `${world.url}/oauth/authorize`,
        token_endpoint: `${world.url}/api/oauth/token`,
        revocation_endpoint: `${world.url}/api/oauth/revoke`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      }),
    ]);
  });
});
