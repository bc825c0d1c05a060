/** Few connections are used as long as few are needed: the one that was opened first serves what comes next, however many were in use before. */
import { expect, test } from "vitest";
import { openFresh } from "../support/databases.ts";

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
