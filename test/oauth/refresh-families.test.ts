/** Refresh tokens of one consent are a family: the living one is kept, and each that was spent, however long ago, still ends it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mintSecret } from "../../src/kit/secrets/secret.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { askToken, givenApp, givenOlga, givenTokens, refreshing } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Characters of `crm_rt_` and what follows it that all tokens of a family have in common. */
const shared = "crm_rt_".length + 15;

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  let app: TestApp;
  let other: TestApp;
  /** The tokens of the family, the living one last. */
  let family: Pair[];
  beforeAll(async () => {
    world = await createWorld(kind);
    other = await givenApp(world, { name: "Other" });
  });
  beforeEach(async () => {
    app = await givenApp(world);
    family = [await givenTokens(world, await givenOlga(world), app, world.north)];
  });
  afterAll(() => world?.close());

  const living = () => family.at(-1)!;
  async function refresh(): Promise<void> {
    const { status, body } = await askToken(world.url, refreshing(app, living().refresh_token));
    expect(status).toBe(200);
    family.push(body);
  }
  /** So many days go by; the app refreshes on each, and the worker tidies up. */
  async function live(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      world.clock.advance({ days: 1, minutes: 1 });
      await refresh();
      await world.service.worker.runOnce();
    }
  }
  const rows = (columns: string) =>
    world.service.database.rowsOnce<Record<string, unknown>>(
      `select ${columns} from oauth_tokens t join oauth_grants g on g.id = t.grant_id where g.app_id = ? order by t.id`,
      [app.id],
    );
  const isAlive = async () =>
    (await request(world.url, { method: "GET", path: "/api/v1/tags", key: living().access_token })).status === 200;
  /** What handing in `token` does to the family. */
  async function handIn(token: string, client = app): Promise<"harmless" | "ends it"> {
    const { status, body } = await askToken(world.url, refreshing(client, token));
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
    return (await isAlive()) ? "harmless" : "ends it";
  }

  test("a month of refreshes leaves the rows of a day", async () => {
    await live(30);
    expect((await rows("t.id")).length).toBeLessThanOrEqual(2);
    expect(await isAlive()).toBe(true);
  });

  test("each token that was spent ends the family, however long ago it was", async () => {
    for (const place of [0, 1, 2]) {
      family = [await givenTokens(world, await givenOlga(world), app, world.north)];
      await live(4);
      expect(await handIn(family[place]!.refresh_token), `token ${place}`).toBe("ends it");
      const { status } = await askToken(world.url, refreshing(app, living().refresh_token));
      expect(status).toBe(400);
    }
  });

  test("one that was spent long ago ends it also where it asks for more than was allowed", async () => {
    await live(3);
    const asked = { ...refreshing(app, family[0]!.refresh_token), scope: "nothing.readonly" };
    expect((await askToken(world.url, asked)).body.error).toBe("invalid_grant");
    expect(await isAlive()).toBe(false);
  });

  test("another client, a typing error and a token of another family harm nothing", async () => {
    await live(3);
    const spent = family[0]!.refresh_token;
    const mistyped = spent.slice(0, -7) + (spent.at(-7) === "x" ? "y" : "x") + spent.slice(-6);
    expect(await handIn(spent, other)).toBe("harmless");
    expect(await handIn(mistyped)).toBe("harmless");
    expect(await handIn(mintSecret("crm_rt_"))).toBe("harmless");
    await refresh();
  });

  test("one that was made up from a copy ends the family", async () => {
    expect(await handIn(mintSecret("crm_rt_", living().refresh_token.slice("crm_rt_".length, shared)))).toBe("ends it");
  });

  test("revoking one that was spent long ago revokes the family", async () => {
    await live(3);
    const { client_id, client_secret } = app;
    const asked = { client_id, client_secret, token: family[0]!.refresh_token };
    expect((await askToken(world.url, asked, { path: "/api/oauth/revoke" })).status).toBe(200);
    expect(await isAlive()).toBe(false);
  });

  test("a family is told by its tokens, and nothing of it is stored in clear", async () => {
    await live(2);
    const beginnings = new Set(family.map(({ refresh_token }) => refresh_token.slice(0, shared)));
    expect(beginnings.size).toBe(1);
    expect(JSON.stringify(await rows("t.*"))).not.toContain([...beginnings][0]!.slice("crm_rt_".length));
  });

  describe("tokens of before there were families", () => {
    const forgetFamily = () =>
      world.service.database.transaction((change) => change.rows("update oauth_tokens set family_hash = null"));

    test("go on, and are remembered as they were", async () => {
      await refresh();
      await forgetFamily();
      await live(3);
      expect(await isAlive()).toBe(true);
      expect(await handIn(family[0]!.refresh_token)).toBe("ends it");
    });

    test("the one that was living is followed by a family that it ends", async () => {
      await refresh();
      await forgetFamily();
      await live(3);
      expect(await handIn(family[1]!.refresh_token)).toBe("ends it");
    });
  });
});
