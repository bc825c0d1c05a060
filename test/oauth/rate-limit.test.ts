/** CRM_RATE_LIMIT is counted for each app and location, whatever tokens it uses there. */
import { describe, expect, test } from "vitest";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { askToken, givenApp, givenOlga, givenTokens, refreshing } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";

const limit = 8;

describe.each([...databaseKinds])("an app on %s", (kind) => {
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
});
