/** A change only resolves if it was committed, whichever statement fails: awaited, pipelined, or sent without waiting. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Workspace } from "../../src/tenancy/workspaces/workspace.entity.ts";
import type { Database, Transaction } from "../../src/storage/database.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

const insert = "insert into things (id) values (?)";

async function makeThings(database: Database): Promise<void> {
  await database.transaction(({ rows }) => rows("create table things (id integer primary key)"));
}

const ids = async ({ rows }: Pick<Database, "rows">): Promise<number[]> =>
  (await rows<{ id: number }>("select id from things order by id")).map(({ id }) => id);

describe.each(databaseKinds)("a change on %s", (kind) => {
  it.each<[what: string, work: (change: Transaction) => Promise<unknown>]>([
    [
      "whose last statement, sent without waiting, fails",
      async ({ send }) => {
        send(insert, [1]);
        send(insert, [1]);
      },
    ],
    [
      "one of whose statements fails before one that is waited for",
      async ({ send, rows }) => {
        send(insert, [1]);
        send(insert, [1]);
        await rows("select id from things");
      },
    ],
    [
      "of whose statements, sent together, one fails",
      async ({ rows }) => {
        await Promise.all([rows(insert, [1]), rows(insert, [1]), rows("select id from things")]);
      },
    ],
    [
      "one of whose statements fails before an entity is asked for",
      async ({ send, em }) => {
        send(insert, [1]);
        send(insert, [1]);
        await em.count(Workspace);
      },
    ],
    [
      "whose statement fails of which the rows are wanted later",
      async ({ send, roundTrips: { rowsLater } }) => {
        send(insert, [1]);
        return rowsLater(`${insert} returning id`, [1]);
      },
    ],
    [
      "that fails by itself behind its statements",
      async ({ send }) => {
        send(insert, [1]);
        throw new Error("unique or not, changed my mind");
      },
    ],
  ])("%s is rolled back, and the next one works", async (_what, work) => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await makeThings(database);
    await expect(database.transaction(work)).rejects.toThrow(/unique/i);
    expect(await ids(database)).toEqual([]);
    await database.transaction(async ({ send }) => send(insert, [2]));
    expect(await ids(database)).toEqual([2]);
  });

  it("reads the effects of earlier sent statements, through entities as well, in order", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await makeThings(database);
    await database.transaction(async (change) => {
      change.send(insert, [3]);
      change.sendOnce("insert into things (id) values (?), (?)", [1, 2]);
      expect(await ids(change)).toEqual([1, 2, 3]);
      change.send("insert into workspaces (name, created_at) values (?, ?)", ["Acme", new Date(0)]);
      const found = await change.em.findOneOrFail(Workspace, { name: "Acme" });
      found.name = "Zenith";
      await change.em.flush();
      change.send("update things set id = 4 where id = 3");
    });
    expect(await ids(database)).toEqual([1, 2, 4]);
    expect(await database.rows("select name from workspaces")).toEqual([{ name: "Zenith" }]);
  });

  it("reads the effects of earlier sent statements, through entities as well, while another statement is in flight", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const seen = await database.transaction(async ({ rows, send, em }) => {
      const first = rows("select name from workspaces");
      await nextTurn();
      send("insert into workspaces (name, created_at) values (?, ?)", ["Acme", new Date(0)]);
      return Promise.all([first, em.count(Workspace)]);
    });
    expect(seen).toEqual([[], 1]);
  });
});

describe.each(databaseKinds)("deferred rows on %s", (kind) => {
  it("are available after the commit", async () => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    await makeThings(database);
    const inserted = await database.transaction(async ({ send, roundTrips: { rowsLater } }) => {
      send(insert, [1]);
      const later = rowsLater<{ id: number }>("insert into things (id) select id + 1 from things returning id");
      send(insert, [3]);
      return later;
    });
    expect(await inserted()).toEqual([{ id: 2 }]);
    expect(await ids(database)).toEqual([1, 2, 3]);
  });
});

describe("a change on postgres", () => {
  it.each<[what: string, work: (change: Transaction) => Promise<unknown>, refusal: RegExp]>([
    [
      "whose work swallows the failure of a statement",
      async ({ rows }) => {
        await rows(insert, [1]);
        await rows(insert, [1]).catch(() => {});
      },
      /unique/,
    ],
    [
      "whose work swallows the failure of an entity",
      async ({ rows, em }) => {
        await rows(insert, [1]);
        await em.execute("insert into things (id) values (1)").catch(() => {});
      },
      /unique/,
    ],
    [
      "that breaks what is judged at its end",
      async ({ rows, send }) => {
        await rows("create table parts (thing integer references things deferrable initially deferred)");
        send("insert into parts (thing) values (1)");
      },
      /foreign key/,
    ],
    [
      "that leaves whole and breaks what is judged at its end",
      async ({ send }) => {
        send(insert, [1]);
        send("create table parts (thing integer references things deferrable initially deferred)");
        send("insert into parts (thing) values (2)");
      },
      /foreign key/,
    ],
  ])("%s is rolled back", async (_what, work, refusal) => {
    await using fresh = await openFresh("postgres");
    const { database } = fresh;
    await makeThings(database);
    await expect(database.transaction(work)).rejects.toThrow(refusal);
    expect(await ids(database)).toEqual([]);
  });

  it("that is rolled back rejects promises of statements that were not sent yet", { timeout: 5000 }, async () => {
    await using fresh = await openFresh("postgres");
    let later: (() => Promise<unknown>) | undefined;
    const change = fresh.database.transaction(async ({ roundTrips: { rowsLater } }) => {
      later = rowsLater("select 1 as one");
      throw new Error("changed my mind");
    });
    await expect(change).rejects.toThrow("changed my mind");
    await expect(later!()).rejects.toThrow("The transaction has ended");
  });

  it("cannot use its connection after its end, when another change may have it", async () => {
    await using fresh = await openFresh("postgres");
    const { database } = fresh;
    await makeThings(database);
    const kept = await database.transaction(async (change) => {
      void change.em;
      return change;
    });
    expect(() => kept.send(insert, [1])).toThrow("The transaction has ended");
    await expect(kept.rows(insert, [1])).rejects.toThrow("The transaction has ended");
    await expect(kept.em.execute("insert into things (id) values (1)")).rejects.toThrow("The transaction has ended");
    expect(await ids(database)).toEqual([]);
  });

  it("reserves ids only for the rows it will write", async () => {
    await using fresh = await openFresh("postgres");
    const { database } = fresh;
    const taken = await database.transaction(async ({ roundTrips: { reserveIds, takeIds }, send }) => {
      reserveIds("workspaces", 2);
      expect(await takeIds("workspaces", 3)).toBeUndefined();
      const given = await takeIds("workspaces", 2);
      expect(await takeIds("workspaces", 2)).toBeUndefined();
      for (const id of given!)
        send("insert into workspaces (id, name, created_at) values (?, ?, ?)", [id, "Acme", new Date(0)]);
      return given!;
    });
    const [{ id }] = (await database.transaction(({ rows }) =>
      rows<{ id: number }>("insert into workspaces (name, created_at) values (?, ?) returning id", [
        "Next",
        new Date(0),
      ]),
    )) as [{ id: number }];
    expect([...taken, id]).toEqual([taken[0], taken[0]! + 1, taken[0]! + 2]);
  });
});
