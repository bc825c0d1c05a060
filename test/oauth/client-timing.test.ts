/** The token endpoint takes as long over a client that is not known as over a wrong secret. */
import { expect, test } from "vitest";
import { repetitions, sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { askToken, givenApp } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";

const rounds = repetitions(60, 150);

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

test.each(sampleOf("OAuth: client timing", 1, databaseKinds))("on %s", async (kind) => {
  const world = await createWorld(kind, { quiet: true });
  try {
    const app = await givenApp(world);
    const { client_secret: wrong } = await givenApp(world, { name: "Other" });
    const clients = {
      "a wrong secret": { client_id: app.client_id, client_secret: wrong },
      // Well formed, so that it is looked up: its last six letters tell a mistyped one.
      "an unknown client": { client_id: (await givenApp(world)).client_id, client_secret: wrong },
      "what is no client id": { client_id: "nobody", client_secret: wrong },
    };
    const gone = clients["an unknown client"].client_id;
    await world.service.database.transaction((open) => open.rows("delete from apps where client_id = ?", [gone]));

    const times = new Map<string, number[]>(Object.keys(clients).map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, client] of Object.entries(clients)) {
        const start = performance.now();
        const { status } = await askToken(world.url, { grant_type: "authorization_code", code: "x", ...client });
        times.get(name)!.push(performance.now() - start);
        expect(status).toBe(401);
      }
    }
    const usual = median(times.get("a wrong secret")!);
    for (const [name, took] of times) {
      const ratio = median(took) / usual;
      expect(ratio, `${name}: ${median(took)} ms, a wrong secret: ${usual} ms`).toBeGreaterThan(0.5);
      expect(ratio, `${name}: ${median(took)} ms, a wrong secret: ${usual} ms`).toBeLessThan(2);
    }
  } finally {
    await world.close();
  }
});
