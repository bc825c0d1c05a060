/** What an app and an address may ask for: CRM_RATE_LIMIT for each app and location, refreshes and redemptions likewise, and wrong secrets. */
import { describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  askToken,
  givenApp,
  givenCode,
  givenOlga,
  givenTokens,
  redeeming,
  refreshing,
} from "../support/marketplace.ts";
import type { TokenAnswer } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";

const limit = 8;

describe.each(sampleOf("OAuth: rate limit", 1, databaseKinds))("an app on %s", (kind) => {
  test("has one budget in a location over all its tokens, and others in other places; another app has its own", async () => {
    const world = await createWorld(kind, { environment: { CRM_RATE_LIMIT: `${limit}/10s` } });
    try {
      const olga = await givenOlga(world);
      const [app, other] = [await givenApp(world), await givenApp(world, { name: "Other" })];
      const north = await givenTokens(world, olga, app, world.north);
      const second = await givenTokens(world, olga, app, world.north);
      const south = await givenTokens(world, olga, app, world.south);
      const ofOther = await givenTokens(world, olga, other, world.north);
      const ask = async (key: string) =>
        (await request(world.url, { method: "GET", path: "/api/v1/tags", key })).status;

      for (let count = 0; count < limit; count += 1) {
        expect(await ask(count % 2 === 0 ? north.access_token : second.access_token)).toBe(200);
      }
      const refreshed = await askToken(world.url, refreshing(app, north.refresh_token));
      expect(refreshed.status).toBe(200);
      const fresh = refreshed.body.access_token as string;
      for (const key of [north.access_token, second.access_token, fresh]) expect(await ask(key)).toBe(429);
      for (const key of [south.access_token, ofOther.access_token]) expect(await ask(key)).toBe(200);
      world.clock.advance({ seconds: 10 });
      expect(await ask(fresh)).toBe(200);
    } finally {
      await world.close();
    }
  });

  /** So many at once, a hundred at a time; the statuses. */
  async function statusesOf(count: number, ask: () => Promise<TokenAnswer>): Promise<Set<number>> {
    const seen = new Set<number>();
    for (let asked = 0; asked < count; asked += 100) {
      const answers = await Promise.all(Array.from({ length: Math.min(100, count - asked) }, ask));
      for (const { status } of answers) seen.add(status);
    }
    return seen;
  }

  function expectRefused({ status, headers, body }: TokenAnswer): void {
    expect([status, body.error]).toEqual([429, "too_many_requests"]);
    expect(body.message).toMatch(/^Too many requests\. Try again in \d+ seconds?\.$/);
    expect(body.error_description).toBe(body.message);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("cache-control")).toBe("no-store");
  }

  test("an app refreshes and redeems 600 times a minute in a location, whatever comes of it", async () => {
    const world = await createWorld(kind, { environment: { CRM_RATE_LIMIT: "100000/10s" } });
    try {
      const olga = await givenOlga(world);
      const [app, other] = [await givenApp(world), await givenApp(world, { name: "Other" })];
      const { refresh_token: spent } = await givenTokens(world, olga, app, world.north);
      const south = await givenTokens(world, olga, app, world.south);
      const ofOther = await givenTokens(world, olga, other, world.north);
      const refreshed = await askToken(world.url, refreshing(app, spent));
      // The redemption and the refresh were the first two.
      expect(await statusesOf(598, () => askToken(world.url, refreshing(app, spent)))).toEqual(new Set([400]));
      const code = await givenCode(olga, app, world.north);
      expectRefused(await askToken(world.url, redeeming(app, code)));
      expectRefused(await askToken(world.url, refreshing(app, refreshed.body.refresh_token)));
      expect((await askToken(world.url, refreshing(app, south.refresh_token))).status).toBe(200);
      expect((await askToken(world.url, refreshing(other, ofOther.refresh_token))).status).toBe(200);
      world.clock.advance({ seconds: 59 });
      expectRefused(await askToken(world.url, redeeming(app, code)));
      world.clock.advance({ seconds: 1 });
      expect((await askToken(world.url, refreshing(app, refreshed.body.refresh_token))).status).toBe(200);

      const unknown = () => askToken(world.url, refreshing(app, "crm_rt_unknown"));
      expect(await statusesOf(600, unknown)).toEqual(new Set([400]));
      expectRefused(await unknown());
      expect((await askToken(world.url, redeeming(app, await givenCode(olga, app, world.north)))).status).toBe(200);
    } finally {
      await world.close();
    }
  });

  test.each(["/api/oauth/token", "/api/oauth/revoke"])(
    "wrong secrets at %s are counted for each address, and a right one never pays for them",
    async (path) => {
      const world = await createWorld(kind, { environment: { CRM_RATE_LIMIT: "100000/10s" } });
      try {
        const app = await givenApp(world);
        const ask = (client_secret: string) =>
          askToken(world.url, { ...refreshing(app, "x"), token: "x", client_secret }, { path });
        expect(await statusesOf(300, () => ask("wrong"))).toEqual(new Set([401]));
        expectRefused(await ask("wrong"));
        expect((await ask(app.client_secret)).status).toBe(path.endsWith("revoke") ? 200 : 400);
        world.clock.advance({ minutes: 1 });
        expect((await ask("wrong")).status).toBe(401);
      } finally {
        await world.close();
      }
    },
  );
});
