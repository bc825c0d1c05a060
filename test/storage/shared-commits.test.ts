/** Group commit on SQLite: queued changes share a commit, and each resolves after it as if it had its own. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Database, Transaction } from "../../src/storage/database.ts";
import { openSqliteFile } from "../../src/storage/sqlite/sqlite-file.ts";
import { SqliteLine } from "../../src/storage/sqlite/sqlite-line.ts";
import { Workspace } from "../../src/tenancy/workspaces/workspace.entity.ts";
import { Invalid, Unavailable } from "../../src/vocabulary/errors.ts";
import { openFresh } from "../support/databases.ts";
import type { OpenedDatabase } from "../support/databases.ts";
import { commitsIn } from "../support/write-ahead-log.ts";

type Change = (transaction: Transaction) => Promise<unknown>;

const insert =
  (name: string): Change =>
  ({ rows }) =>
    rows("insert into workspaces (name, created_at) values (?, ?)", [name, new Date(0)]);

async function names(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>("select name from workspaces order by id");
  return rows.map(({ name }) => name);
}

/** The results of concurrent `changes`, and the number of commits. */
async function together(
  { database, directory }: OpenedDatabase,
  changes: readonly Change[],
): Promise<{ ended: unknown[]; commits: number }> {
  const file = `${directory}/crm.db`;
  const before = commitsIn(file);
  const outcomes = await Promise.allSettled(changes.map((change) => database.transaction(change)));
  const ended = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : "done"));
  return { ended, commits: commitsIn(file) - before };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, number) => `Workspace ${number}`);

describe("concurrent changes", () => {
  // One per 32 changes; on a busy machine the time limit of a commit may be reached earlier.
  it.each([
    [1, 1, 1],
    [2, 1, 2],
    [32, 1, 4],
    [33, 2, 5],
    [80, 3, 9],
  ])("%i of them take %i commits, at most %i", async (count, least, most) => {
    await using fresh = await openFresh("sqlite");
    await fresh.database.transaction(insert("Before"));
    const all = numbered(count);
    const { ended, commits } = await together(fresh, all.map(insert));
    expect(ended).toEqual(all.map(() => "done"));
    expect(commits).toBeGreaterThanOrEqual(least);
    expect(commits).toBeLessThanOrEqual(most);
    expect(await names(fresh.database)).toEqual(["Before", ...all]);
  });

  it("see the effects of earlier ones in the group before others do", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const seen: unknown[] = [];
    const look: Change = async ({ rows }) => {
      seen.push(await rows("select name from workspaces"), await database.rows("select name from workspaces"));
    };
    expect((await together(fresh, [insert("Acme"), look])).commits).toBe(1);
    expect(seen).toEqual([[{ name: "Acme" }], []]);
  });

  it("give a large one its own commit, with its savepoint journal in files", async () => {
    await using fresh = await openFresh("sqlite");
    const { database, directory } = fresh;
    await database.transaction(insert("Before"));
    const before = commitsIn(`${directory}/crm.db`);
    const told: unknown[] = [];
    const look =
      (name: string): Change =>
      async (transaction) => {
        await insert(name)(transaction);
        told.push(name, ...(await transaction.rows<{ temp_store: number }>("pragma temp_store")));
      };
    const failed: Change = () => Promise.reject(new Invalid({}));
    await Promise.all([
      database.transaction(look("small")),
      database.transaction(look("second")),
      database.transaction(look("large"), undefined, "large"),
      database.transaction(look("third")),
      expect(database.transaction(failed, undefined, "large")).rejects.toBeInstanceOf(Invalid),
      database.transaction(look("fourth")),
    ]);
    const [files, memory] = [{ temp_store: 1 }, { temp_store: 2 }];
    expect(told).toEqual(["small", memory, "second", memory, "large", files, "third", memory, "fourth", memory]);
    // More on a busy machine.
    expect(commitsIn(`${directory}/crm.db`) - before).toBeGreaterThanOrEqual(4);
  });

  it("are refused, and not kept waiting, where SQLite no longer answers", async () => {
    await using fresh = await openFresh("sqlite");
    const { writer, close } = openSqliteFile(`${fresh.directory}/line.db`, { create: true });
    const line = new SqliteLine(writer, () => Promise.reject(new Error("never begins")));
    close();
    const refused = await Promise.allSettled([line.stand(async () => {}, "large"), line.stand(async () => {})]);
    expect(refused.map((one) => one.status === "rejected" && String(one.reason))).toEqual([
      "TypeError: The database connection is not open",
      "Error: never begins",
    ]);
  });

  it("write nothing more once SQLite has rolled back their transaction", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const lost: Change = async (transaction) => {
      await insert("Before")(transaction);
      // As SQLite itself does when the disk is full.
      await transaction.rows("rollback");
      await insert("Behind")(transaction);
    };
    await expect(database.transaction(lost)).rejects.toBeInstanceOf(Unavailable);
    expect(await names(database)).toEqual([]);
    await database.transaction(insert("After"));
    expect(await names(database)).toEqual(["After"]);
  });

  it("resolve in order, and none before the commit is durable", async () => {
    await using fresh = await openFresh("sqlite");
    const told: { name: string; isThere: boolean }[] = [];
    await Promise.all(
      numbered(5).map(async (name) => {
        await fresh.database.transaction(insert(name));
        told.push({ name, isThere: (await names(fresh.database)).includes(name) });
      }),
    );
    expect(told).toEqual(numbered(5).map((name) => ({ name, isThere: true })));
  });

  it("do not wait for later ones", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const first = database.transaction(insert("Alone"));
    // One event loop turn in the queue, then its work and its commit without another.
    await nextTurn();
    await nextTurn();
    expect(await names(database)).toEqual(["Alone"]);
    await first;
  });

  it("admit one that arrives while another is running", async () => {
    await using fresh = await openFresh("sqlite");
    const { database, directory } = fresh;
    await database.transaction(insert("Before"));
    const before = commitsIn(`${directory}/crm.db`);
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow = database.transaction(async (transaction) => {
      await insert("Slow")(transaction);
      begun.resolve();
      await released.promise;
    });
    await begun.promise;
    const late = database.transaction(insert("Late"));
    released.resolve();
    await Promise.all([slow, late]);
    expect(commitsIn(`${directory}/crm.db`) - before).toBe(1);
  });

  it("yield to the event loop, whatever their number and duration", async () => {
    await using fresh = await openFresh("sqlite");
    const busy: Change = async (transaction) => {
      await insert("Busy")(transaction);
      const until = performance.now() + 15;
      while (performance.now() < until);
    };
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await together(
      fresh,
      numbered(20).map(() => busy),
    );
    clearInterval(counting);
    // At most two run between two event loop turns.
    expect(turns).toBeGreaterThanOrEqual(8);
  });
});

describe("a failing change in a group", () => {
  const failures: [what: string, change: Change, error: unknown][] = [
    [
      "by a constraint",
      async (transaction) => {
        await insert("Half")(transaction);
        await transaction.rows("insert into workspaces (name, created_at) values (null, null)");
      },
      expect.objectContaining({ code: "SQLITE_CONSTRAINT_NOTNULL" }),
    ],
    [
      "by an error of its own",
      async (transaction) => {
        await insert("Half")(transaction);
        throw new Error("changed my mind");
      },
      new Error("changed my mind"),
    ],
    [
      "by its input",
      async (transaction) => {
        await insert("Half")(transaction);
        throw new Invalid({ name: ["The name field is required."] });
      },
      expect.any(Invalid),
    ],
    [
      "in entities",
      async ({ em }) => {
        em.create(Workspace, { name: "Half", createdAt: new Date(0) });
        await em.flush();
        em.create(Workspace, { name: null as unknown as string, createdAt: new Date(0) });
        await em.flush();
      },
      expect.any(Error),
    ],
  ];
  const places = [0, 2, 4];

  it.each(failures.flatMap(([what, ...failure]) => places.map((place) => [what, place, ...failure] as const)))(
    "%s is undone alone, after %i others",
    async (_what, place, failing, error) => {
      await using fresh = await openFresh("sqlite");
      const all = numbered(5);
      const changes = all.map((name, index) => (index === place ? failing : insert(name)));
      const { ended, commits } = await together(fresh, changes);
      expect(ended).toEqual(all.map((_, index) => (index === place ? error : "done")));
      expect(await names(fresh.database)).toEqual(all.filter((_, index) => index !== place));
      expect(commits).toBeLessThan(4);
    },
  );

  it("rejects after the commit, since it may have failed on another change's writes", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    const failing = database.transaction(insert("Acme")).then(() => names(database));
    const judged = database
      .transaction(async ({ rows }) => {
        const [taken] = await rows("select 1 from workspaces where name = 'Acme'");
        if (taken !== undefined) throw new Error("taken");
      })
      .catch(() => names(database));
    expect(await Promise.all([failing, judged])).toEqual([["Acme"], ["Acme"]]);
  });

  it("leaves the others their own entities", async () => {
    await using fresh = await openFresh("sqlite");
    const create =
      (name: string, fails = false): Change =>
      async ({ em }) => {
        expect(await em.count(Workspace)).toBe(fails ? 1 : name === "One" ? 0 : 1);
        em.create(Workspace, { name, createdAt: new Date(0) });
        await em.flush();
        if (fails) throw new Error("no");
      };
    await together(fresh, [create("One"), create("Two", true), create("Three")]);
    expect(await names(fresh.database)).toEqual(["One", "Three"]);
  });
});

describe("a commit that fails", () => {
  it("fails every change of its group, and the next group works", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    // Deferred constraints fail at the commit.
    const poison: Change = async ({ rows }) => {
      await rows("pragma defer_foreign_keys = on");
      await rows("insert into tags (workspace_id, name, name_key, created_at) values (4711, 'Stray', 'stray', 0)");
    };
    const refused: Change = () => Promise.reject(new Invalid({ name: ["taken"] }));
    const { ended, commits } = await together(fresh, [insert("One"), poison, refused, insert("Two")]);
    expect(ended).toEqual(ended.map(() => expect.objectContaining({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" })));
    expect(commits).toBe(0);
    expect(await names(database)).toEqual([]);
    await database.transaction(insert("Three"));
    expect(await names(database)).toEqual(["Three"]);
  });

  it("for lack of space rolls back its whole group, and none of it is committed later", async () => {
    await using fresh = await openFresh("sqlite");
    const { database } = fresh;
    await database.transaction(insert("Before"));
    const fill: Change = async ({ rows }) => {
      const [{ page_count: pages = 0 } = {}] = await rows<{ page_count: number }>("pragma page_count");
      await rows(`pragma max_page_count = ${pages}`);
      await rows("insert into workspaces (name, created_at) values (?, ?)", ["x".repeat(1 << 20), new Date(0)]);
    };
    const swallowed: Change = (transaction) => fill(transaction).catch(() => {});
    for (const full of [fill, swallowed]) {
      const { ended, commits } = await together(fresh, [insert("One"), full, insert("Two"), insert("Three")]);
      const lost = ended.filter((end) => end instanceof Unavailable).length;
      // Later changes have their own transaction.
      expect({ lost, commits, left: await names(database) }).toEqual({
        lost: 2,
        commits: 1,
        left: ["Before", "Two", "Three"],
      });
      await database.transaction(({ rows }) => rows("pragma max_page_count = 1000000"));
      await database.transaction(({ rows }) => rows("delete from workspaces where name <> 'Before'"));
    }
  });
});
