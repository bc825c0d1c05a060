/**
 * Few connections are used as long as few are needed: the one that was opened first serves what comes next, and brief work waits for one of six, unless
 * the server is far away.
 */
import { expect, test } from "vitest";
import { entities } from "../../src/entities.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openFresh } from "../support/databases.ts";
import { moveAway } from "../support/distant-database.ts";

test("the connection that was opened first is used again", async () => {
  await using fresh = await openFresh("postgres");
  const { database } = fresh;
  const find = async ({ rows }: Pick<typeof database, "rows">): Promise<number> =>
    (await rows<{ id: number }>("select pg_backend_pid() as id"))[0]!.id;
  const first = await find(database);
  const holds = [1, 2, 3].map(() => ({ begun: Promise.withResolvers<number>(), end: Promise.withResolvers<void>() }));
  const works = holds.map(({ begun, end }) =>
    database.transaction(async (transaction) => {
      begun.resolve(await find(transaction));
      await end.promise;
    }),
  );
  const used = await Promise.all(holds.map(({ begun }) => begun.promise));
  expect(new Set(used).size).toBe(3);
  // It is returned first, so that others are returned after it.
  for (const place of [used.indexOf(first), 0, 1, 2]) {
    holds[place]!.end.resolve();
    await works[place];
  }
  expect([await find(database), await find(database)]).toEqual([first, first]);
});

test("of many changes at once, six have a connection of a server nearby, and all of one far away", async () => {
  await using fresh = await openFresh("postgres");
  await using line = await moveAway(fresh.url, { delay: 1 });
  const distant = await openDatabase(line.url, entities);
  const find = (): Promise<unknown>[] => [fresh.database, distant].map((each) => waitingOfMany(each));
  // What measures the distance, and opens connections.
  await Promise.all(find());
  expect(await Promise.all(find())).toEqual([4, 0]);
  await distant.close();
});

/** How many of ten changes that begin at once wait for a connection. */
async function waitingOfMany(database: Database): Promise<number> {
  const changes = Array.from({ length: 10 }, () => database.transaction(({ rows }) => rows("select 1 as one")));
  const { waiting } = database.load;
  await Promise.all(changes);
  return waiting;
}
