/** `crm worker --once` does what is due and ends, and says by its exit code whether that was everything. */
import { expect, test } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { databaseKinds } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { untilOneWaits } from "../support/meet.ts";
import { startCrm } from "../support/node-process.ts";
import { createTerminal, inDatabaseOf, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

/** Events without a position, in a database that the test looks into itself. */
async function withEvents(kind: DatabaseKind, work: (terminal: Terminal, database: Database) => Promise<void>) {
  const terminal = await createTerminal(kind);
  try {
    await setUpAcme(terminal);
    await inDatabaseOf(terminal, (database) => work(terminal, database));
  } finally {
    await terminal.close();
  }
}

const unstamped = async ({ rows }: Database) => (await rows("select event_id from unstamped_events")).length;
const seen = async ({ rows }: Database) => rows("select id from installation where worker_seen_at is not null");

test.each(databaseKinds)("everything done is 0 on %s", (kind) =>
  withEvents(kind, async (terminal, database) => {
    // SQLite gives an event its position with its row.
    if (kind === "sqlite") expect(await unstamped(database)).toBe(0);
    else expect(await unstamped(database)).toBeGreaterThan(0);
    expect(await terminal.run(["worker", "--once"])).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
    expect([await unstamped(database), (await seen(database)).length]).toEqual([0, 1]);
  }),
);

test.each(databaseKinds)("a duty that failed is told by its name and 1, when the others are done, on %s", (kind) =>
  withEvents(kind, async (terminal, database) => {
    await database.transaction(({ rows }) => rows("delete from event_log"));
    await terminal.json("locations", "create", "Branch");
    const { code, stdout, stderr } = await terminal.run(["worker", "--once", "--json"]);
    const message = "The event_log row is missing: is the schema up to date?";
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 1, answer: { error: { message } } });
    expect(stderr).toContain("assign event positions");
    expect(stderr).toMatch(new RegExp(`\\nError: ${message.replace("?", "\\?")}\n$`));
    expect((await seen(database)).length).toBe(1);
  }),
);

test("a signal ends it once the pieces at hand are done, and tells how to go on", () =>
  withEvents("postgres", async (terminal, database) => {
    await using running = startCrm(["worker", "--once"], { environment: terminal.environment });
    await database.transaction(async ({ rows }) => {
      await rows("select * from event_log for update");
      await untilOneWaits(database);
      running.signal("SIGTERM");
    });
    expect(await running.finished).toEqual({
      code: null,
      signal: "SIGTERM",
      stdout: "",
      stderr: "Error: Stopped by SIGTERM. Run it again to finish.\n",
    });
  }));
