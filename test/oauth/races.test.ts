/** Fifty at once, at two processes on one database: a code and a refresh token each work once, round after round. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { request } from "../support/client.ts";
import { repetitions } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { askToken, givenCode, givenTokens, redeeming, refreshing } from "../support/marketplace.ts";
import { startTwoServices } from "../support/two-services.ts";
import type { TwoServices } from "../support/two-services.ts";

const rounds = repetitions(8, 50);
const atOnce = 50;

describe.each([...databaseKinds])("on %s", (kind) => {
  let two: TwoServices;
  beforeAll(async () => {
    two = await startTwoServices(kind);
  });
  afterAll(() => two?.close());

  /** Sends the same to both processes at once; the bodies of those that were answered 200. */
  async function raced(fields: Record<string, string>) {
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, n) => askToken(two.urls[n % 2]!, fields)));
    const lost = answers.filter(({ status }) => status !== 200);
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.error}`))).toEqual(new Set(["400 invalid_grant"]));
    return answers.filter(({ status }) => status === 200).map(({ body }) => body);
  }

  const statusOf = async (key: string) =>
    (await request(two.urls[1], { method: "GET", path: "/api/v1/tags", key })).status;

  test("a code gives tokens once, and they are dead afterwards: the others were second uses", async () => {
    for (let round = 0; round < rounds; round++) {
      const won = await raced(redeeming(two.app, await givenCode(two.owner, two.app, two.location)));
      expect(won, `round ${round}`).toHaveLength(1);
      expect(await statusOf(won[0].access_token), `round ${round}`).toBe(401);
    }
  }, 240_000);

  test("a refresh token gives tokens once, and they live: the others were workers of the same client", async () => {
    let { refresh_token: token } = await givenTokens({ url: two.urls[0] }, two.owner, two.app, two.location);
    for (let round = 0; round < rounds; round++) {
      const won = await raced(refreshing(two.app, token));
      expect(won, `round ${round}`).toHaveLength(1);
      expect(await statusOf(won[0].access_token), `round ${round}`).toBe(200);
      token = won[0].refresh_token;
    }
  }, 240_000);
});
