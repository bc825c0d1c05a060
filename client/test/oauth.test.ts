/** Installs, and tokens that renew themselves: one refresh however many calls wait, and none is lost. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../test/support/chance.ts";
import { databaseKinds } from "../../test/support/databases.ts";
import { callback, givenApp, givenOlga } from "../../test/support/marketplace.ts";
import type { Person } from "../../test/support/person.ts";
import { createWorld } from "../../test/support/world.ts";
import type { World } from "../../test/support/world.ts";
import { createClient } from "../src/client.ts";
import { authorizationUrl, createTokenStore, exchangeCode, refreshTokens, revokeToken } from "../src/oauth.ts";
import type { Authorization, OAuthApp, Tokens, TokenStorage } from "../src/oauth.ts";
import { startFaultyProxy } from "./support/faulty-proxy.ts";
import type { FaultyProxy } from "./support/faulty-proxy.ts";

describe.each(sampleOf("the client's OAuth", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let proxy: FaultyProxy;
  let olga: Person;
  let app: OAuthApp;
  /** The same, whose tokens are asked for through the proxy. */
  let behindProxy: OAuthApp;
  beforeAll(async () => {
    world = await createWorld(kind);
    proxy = await startFaultyProxy(world.url);
    olga = await givenOlga(world);
    const { client_id: clientId, client_secret: clientSecret } = await givenApp(world);
    app = { baseUrl: world.url, clientId, clientSecret, redirectUri: callback };
    behindProxy = { ...app, baseUrl: proxy.url };
  });
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await world?.close();
  });
  afterEach(() => {
    proxy.seen.length = 0;
    proxy.faults.length = 0;
  });

  /** The person allows the app; the address at which the browser comes back. */
  async function allow({ url }: Authorization, answer = "allow"): Promise<string> {
    const { pathname, search } = new URL(url);
    return (await olga.submit(await olga.get(pathname + search), { location_id: String(world.north), answer }))
      .location;
  }

  async function install(): Promise<Tokens> {
    const begun = await authorizationUrl(app);
    return exchangeCode(app, { ...begun, url: await allow(begun) });
  }

  function memoryOf(tokens: Tokens | undefined) {
    const memory = {
      tokens,
      saves: 0,
      load: () => memory.tokens,
      save: (renewed: Tokens) => {
        memory.saves += 1;
        memory.tokens = renewed;
      },
    };
    return memory satisfies TokenStorage;
  }

  const refreshes = () => proxy.seen.filter(({ path }) => path === "/api/oauth/token").length;

  test("an install gives tokens for the location that was chosen, which end when they are revoked", async () => {
    const tokens = await install();
    expect(tokens).toMatchObject({
      accessToken: expect.stringMatching(/^crm_at_/),
      locationId: world.north,
      workspaceId: world.acme,
      scopes: expect.arrayContaining(["contacts.readonly"]),
    });
    const crm = createClient({ baseUrl: world.url, token: tokens.accessToken, location: tokens.locationId });
    expect((await crm.credentials.get()).type).toBe("app");
    await revokeToken(app, tokens.refreshToken);
    await expect(crm.credentials.get()).rejects.toMatchObject({ code: "invalid_api_key" });
  });

  test("only some scopes", async () => {
    const begun = await authorizationUrl(app, { scopes: ["tags.readonly"], state: "chosen" });
    expect(begun.state).toBe("chosen");
    expect(await exchangeCode(app, { ...begun, url: await allow(begun) })).toMatchObject({ scopes: ["tags.readonly"] });
  });

  test.each<[what: string, change: (begun: Authorization, url: URL) => object, code: string]>([
    ["an install that another browser began", () => ({ state: "other" }), "state_mismatch"],
    ["an install that no browser began", () => ({ state: undefined }), "state_mismatch"],
    [
      "the answer of another service",
      (_begun, url) => (url.searchParams.set("iss", "https://evil.example"), { url }),
      "issuer_mismatch",
    ],
    ["an answer that names no service", (_begun, url) => (url.searchParams.delete("iss"), { url }), "issuer_mismatch"],
    ["another verifier", () => ({ codeVerifier: "x".repeat(43) }), "invalid_grant"],
    ["no code", (_begun, url) => (url.searchParams.delete("code"), { url }), "invalid_request"],
  ])("%s is refused", async (_what, change, code) => {
    const begun = await authorizationUrl(app);
    const url = new URL(await allow(begun));
    await expect(exchangeCode(app, { ...begun, url, ...change(begun, url) })).rejects.toMatchObject({ code });
  });

  test("a person who refuses", async () => {
    const begun = await authorizationUrl(app);
    const url = await allow(begun, "deny");
    await expect(exchangeCode(app, { ...begun, url })).rejects.toMatchObject({ code: "access_denied" });
  });

  test.each<[what: string, spoil: (tokens: Tokens) => Tokens]>([
    ["that end within a minute", (tokens) => ({ ...tokens, expiresAt: Date.now() + 59_000 })],
    ["that the service refuses", (tokens) => ({ ...tokens, accessToken: "crm_at_rejected" })],
  ])("twenty calls with tokens %s make one refresh", async (_what, spoil) => {
    const memory = memoryOf(spoil(await install()));
    const token = createTokenStore(behindProxy, memory);
    const crm = createClient({ baseUrl: proxy.url, token, location: world.north });
    await Promise.all(Array.from({ length: 20 }, () => crm.tags.list()));
    await crm.tags.list();
    expect({ refreshes: refreshes(), saves: memory.saves }).toEqual({ refreshes: 1, saves: 1 });
  });

  test("two processes make one refresh: with a lock, and without one by what the other has saved", async () => {
    const memory = memoryOf({ ...(await install()), accessToken: "crm_at_rejected" });
    let last: Promise<unknown> = Promise.resolve();
    const lock = <Result>(work: () => Promise<Result>): Promise<Result> => {
      const mine = last.then(work);
      last = mine.catch(() => {});
      return mine;
    };
    const stores = [1, 2].map(() =>
      createTokenStore(behindProxy, { ...memory, lock, load: memory.load, save: memory.save }),
    );
    const given = await Promise.all(stores.map((store) => store({ rejected: "crm_at_rejected" })));
    expect({ refreshes: refreshes(), same: new Set(given).size }).toEqual({ refreshes: 1, same: 1 });

    // The other process comes second, and has read before the first one saved.
    const stale = memory.tokens!;
    const renewed = await refreshTokens(app, stale.refreshToken);
    const loads = [stale, stale, renewed];
    const late = createTokenStore(app, { load: () => loads.shift(), save: memory.save });
    expect(await late({ rejected: stale.accessToken })).toBe(renewed.accessToken);
  });

  test("tokens that could not be saved are kept, and saved with the next call", async () => {
    const memory = memoryOf({ ...(await install()), accessToken: "crm_at_rejected" });
    let isFull = true;
    const save = (tokens: Tokens) => {
      if (isFull) throw new Error("disk full");
      memory.save(tokens);
    };
    const store = createTokenStore(behindProxy, { load: memory.load, save });
    await expect(store({ rejected: "crm_at_rejected" })).rejects.toThrow("disk full");
    isFull = false;
    const token = await store({});
    expect(memory.tokens!.accessToken).toBe(token);
    expect(refreshes()).toBe(1);
  });

  test.each([
    ["the connection was reset before the request arrived", "reset before" as const],
    ["the service was away", { status: 503, headers: { "retry-after": "0" } }],
  ])("a refresh is sent again when %s", async (_what, fault) => {
    const memory = memoryOf({ ...(await install()), accessToken: "crm_at_rejected" });
    proxy.faults.push(fault);
    const store = createTokenStore(behindProxy, memory);
    expect(await store({ rejected: "crm_at_rejected" })).toBe(memory.tokens!.accessToken);
    expect(refreshes()).toBe(2);
  });

  test("without tokens, or with ones that were used, the app has to be installed again", async () => {
    const store = createTokenStore(app, memoryOf(undefined));
    await expect(store({})).rejects.toMatchObject({ code: "invalid_grant" });
    const used = await install();
    await refreshTokens(app, used.refreshToken);
    const late = createTokenStore(app, memoryOf({ ...used, expiresAt: 0 }));
    await expect(late({})).rejects.toMatchObject({ status: 400, code: "invalid_grant", detail: expect.any(String) });
  });
});
