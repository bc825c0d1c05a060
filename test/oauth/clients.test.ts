/** Independent clients, unmodified, go the whole way: discovery, consent, code, refresh, revocation. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import OAuth2Strategy from "passport-oauth2";
import { AuthorizationCode } from "simple-oauth2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenApp, givenOlga } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import type { Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("OAuth: clients", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let app: TestApp;
  let olga: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    app = await givenApp(world, { scopes: ["contacts.readonly", "tags.readonly"] });
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  /** What the browser brings back to the app. */
  async function allow(address: URL): Promise<URL> {
    const page = await olga.get(address.pathname + address.search);
    const answer = await olga.submit(page, { location_id: String(world.north), answer: "allow" });
    return new URL(answer.location);
  }

  const statusOf = async (key: string) =>
    (await request(world.url, { method: "GET", path: "/api/v1/tags", key })).status;

  /** The lines of a library that readers copy, run for this service and app; resolves to what `found` says. */
  async function runDocumented<Found>(library: string, module: unknown, found: string): Promise<Found> {
    const docs = await readFile(join(import.meta.dirname, "../../docs/oauth.md"), "utf8");
    const blocks = [...docs.matchAll(/```js\nimport (?:\* as |\{ )?(\w+)(?: \})? from "([^"]+)";\n([^]+?)```/g)];
    const [, name = "", , text = ""] = blocks.find((block) => block[2] === library) ?? [];
    const own = text
      .replaceAll("http://127.0.0.1:3000", world.url)
      .replaceAll("crm_app_…", app.client_id)
      .replaceAll("process.env.CRM_CLIENT_SECRET", JSON.stringify(app.client_secret))
      .replaceAll("https://app.example.com/callback", app.redirectUri)
      .replaceAll("contacts.readonly", "tags.readonly");
    const run = new Function(name, `return (async () => { ${own} return ${found}; })();`);
    return (await run(module)) as Found;
  }

  interface Tokens {
    readonly access_token: string;
    readonly refresh_token?: string;
    readonly scope?: string;
    readonly expires_in?: number;
  }
  interface Documented {
    readonly address: URL;
    readonly redeem: (callback: URL) => Promise<Tokens>;
    readonly refresh: (tokens: Tokens) => Promise<Tokens>;
    readonly revoke: (tokens: Tokens) => Promise<unknown>;
  }

  test.each([
    ["openid-client", openid],
    ["oauth4webapi", oauth],
  ])("%s goes the whole way with the lines of docs/oauth.md", async (library, module) => {
    const own = await runDocumented<Documented>(library, module, "{ address, redeem, refresh, revoke }");
    expect(own.address.origin + own.address.pathname).toBe(`${world.url}/oauth/authorize`);
    const back = await allow(own.address);
    const forged = new URL(back);
    forged.searchParams.set("state", "another browser's");
    await expect(async () => own.redeem(forged)).rejects.toThrow(/invalid|state/);
    const foreign = new URL(back);
    foreign.searchParams.set("iss", "https://evil.example");
    await expect(async () => own.redeem(foreign)).rejects.toThrow(/invalid|iss/);
    const tokens = await own.redeem(back);
    expect([tokens.expires_in, tokens.scope]).toEqual([86_400, "tags.readonly"]);
    const fresh = await own.refresh(tokens);
    expect(await statusOf(fresh.access_token)).toBe(200);
    await own.revoke(fresh);
    expect(await statusOf(fresh.access_token)).toBe(401);
    await expect(own.refresh(fresh)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  test("simple-oauth2, with the lines of docs/oauth.md", async () => {
    const client = await runDocumented<AuthorizationCode>("simple-oauth2", AuthorizationCode, "client");
    const there = { redirect_uri: app.redirectUri, scope: "tags.readonly" };
    const back = await allow(new URL(client.authorizeURL({ ...there, state: "a state" })));
    expect(back.searchParams.get("state")).toBe("a state");
    const tokens = await client.getToken({ ...there, code: back.searchParams.get("code")! });
    expect(tokens.token).toMatchObject({ scope: "tags.readonly", location_id: world.north });
    const fresh = await tokens.refresh();
    const key = String(fresh.token["access_token"]);
    expect(await statusOf(key)).toBe(200);
    await fresh.revokeAll();
    expect(await statusOf(key)).toBe(401);
  });

  test("passport-oauth2, with the lines of docs/oauth.md", async () => {
    const strategy = await runDocumented<OAuth2Strategy>("passport-oauth2", OAuth2Strategy, "strategy");
    const session = {};
    /** What passport does for a request: the strategy redirects, or ends with what the app's function gives. */
    const authenticate = (query: object): Promise<string | { accessToken: string; location_id: number }> =>
      new Promise((resolve, reject) => {
        const acting = Object.assign(Object.create(strategy) as typeof strategy, {
          redirect: resolve,
          success: resolve,
          error: reject,
          fail: reject,
        });
        acting.authenticate(Object.assign(Object.create(null), { session, query }), {});
      });
    const address = new URL((await authenticate({})) as string);
    expect(address.searchParams.get("code_challenge_method")).toBe("S256");
    const back = await allow(address);
    const made = await authenticate(Object.fromEntries(back.searchParams));
    expect(made).toMatchObject({ location_id: world.north });
    expect(await statusOf((made as { accessToken: string }).accessToken)).toBe(200);
  });

  test("oauth4webapi, its secret by HTTP Basic", async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(world.url);
    const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const client: oauth.Client = { client_id: app.client_id };
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const address = new URL(server.authorization_endpoint!);
    address.search = new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: app.redirectUri,
      response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    }).toString();
    const parameters = oauth.validateAuthResponse(server, client, await allow(address), state);
    const secret = oauth.ClientSecretBasic(app.client_secret);
    const redeemed = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      parameters,
      app.redirectUri,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed);
    expect(await statusOf(tokens.access_token)).toBe(200);
    const refreshed = await oauth.refreshTokenGrantRequest(server, client, secret, tokens.refresh_token!, insecure);
    const fresh = await oauth.processRefreshTokenResponse(server, client, refreshed);
    const revoked = await oauth.revocationRequest(server, client, secret, fresh.access_token, insecure);
    await oauth.processRevocationResponse(revoked);
    expect(await statusOf(fresh.access_token)).toBe(401);
  });
});
