/** An import that ends before its file does says what is done and how to go on, and what it says is true. */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { startCrm } from "../support/node-process.ts";
import type { RunningProcess } from "../support/node-process.ts";
import { peopleLines } from "../support/people.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

/** More than any import gets to read here. */
const endless = 5_000_000;

describe.each(sampleOf("imports that end early", 1, databaseKinds))("crm contacts import on %s", (kind) => {
  let terminal: Terminal;
  let file: string;
  beforeEach(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    file = join(terminal.directory, "people.csv");
  });
  afterEach(() => terminal.close());

  /** Starts importing a file that has no end; resolves once a part of it is read. */
  async function startEndless(...flags: string[]): Promise<RunningProcess> {
    await promisify(execFile)("mkfifo", [file]);
    const running = startCrm(["contacts", "import", file, ...flags], {
      environment: terminal.environment,
      timeoutSeconds: 60,
    });
    let lines = 0;
    await new Promise<void>((resolve) => {
      const counted = (function* () {
        for (const line of peopleLines(endless)) {
          if (++lines === 5000) resolve();
          yield line;
        }
      })();
      pipeline(Readable.from(counted), createWriteStream(file)).catch(() => {}); // EPIPE: it reads no more
    });
    return running;
  }

  test.each(["SIGINT", "SIGTERM"] as const)("%s ends it after the batch that it is in", async (signal) => {
    await using running = await startEndless("--json");
    running.signal(signal);
    const { stdout, ...ended } = await running.finished;
    const sentence = `Stopped by ${signal}. Run it again to import the remaining rows.`;
    expect(ended).toEqual({ code: null, signal, stderr: `Error: ${sentence}\n` });
    const { created, stopped_after_line, ...report } = JSON.parse(stdout);
    expect(report).toEqual({
      error: { message: sentence },
      dry_run: false,
      updated: 0,
      unchanged: 0,
      refused_count: 0,
      refused: [],
      merged_by_phone_count: 0,
      merged_by_phone: [],
      created_tags_count: 0,
      created_tags: [],
      created_fields: [],
      left_out: [],
      workflows: [],
    });
    expect([created % 200, stopped_after_line]).toEqual([0, created + 1]);
    expect(await terminal.json("contacts", "export")).toHaveLength(created);
  });

  test("SIGINT ends it where nothing comes any more", async () => {
    await promisify(execFile)("mkfifo", [file]);
    await using running = startCrm(["contacts", "import", file], { environment: terminal.environment });
    const writer = await open(file, "w");
    try {
      await writer.write("email\nada@example.com\n");
      running.signal("SIGINT");
      expect(await running.finished).toMatchObject({
        signal: "SIGINT",
        stdout: expect.stringMatching(/^Stopped after line [01]: 0 created, /),
      });
    } finally {
      await writer.close();
    }
  });

  test("a database that is gone ends it, and what was committed is counted", { timeout: 60_000 }, async () => {
    await using running = await startEndless();
    const locked = kind === "sqlite" ? await lockForGood(terminal) : await terminal.close();
    const { code, stdout, stderr } = await running.finished;
    locked?.close();
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        kind === "sqlite"
          ? /^Error: The database is unavailable: another process has locked the file; try again when it is done\.\n$/
          : /^Error: The database is unavailable: .*\n$/,
      ),
    });
    expect(stdout).toMatch(
      /^Stopped after line \d+01: \d+00 created, 0 updated, 0 unchanged, 0 refused\.\nImported rows stay; run it again to import the remaining rows\.\n$/,
    );
  });
});

/** Holds the write lock until it is closed, like a hanging backup. Retries until it gets the lock between two batches. */
async function lockForGood({ environment }: Terminal): Promise<Sqlite.Database> {
  const database = new Sqlite(environment["CRM_DATABASE_URL"]!.slice("sqlite:".length), { timeout: 0 });
  while (!database.inTransaction) {
    try {
      database.exec("begin immediate");
    } catch {
      await setTimeout(1);
    }
  }
  return database;
}
