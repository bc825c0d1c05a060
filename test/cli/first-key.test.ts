/** The key of the first start is kept where the printed line reads it, or nothing is set up at all; no file is written over or through. */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import type { FreshDatabase } from "../support/databases.ts";
import { runCrm, startCrm } from "../support/node-process.ts";
import { mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { shellWord } from "../../src/kit/text.ts";

const key = /^crm_key_\w{36}\n$/;

/** What a first `crm serve` on `database` prints, while it runs. */
async function setUp<Result>(
  database: FreshDatabase,
  directory: string,
  look: (printed: string) => Promise<Result> | Result,
): Promise<Result> {
  const environment = { CRM_DATABASE_URL: database.url, CRM_DATA_DIR: directory, CRM_PORT: "0" };
  await using serve = startCrm(["serve"], { environment });
  await serve.match(/\/docs$/m);
  const result = await look(serve.printed().stdout);
  serve.signal("SIGTERM");
  expect((await serve.finished).code).toBe(0);
  return result;
}

describe.each(sampleOf("keys of first starts", 1, databaseKinds))("on %s", { timeout: 60_000 }, (kind) => {
  test("a key that cannot be kept: nothing is set up, and the next start sets up", async () => {
    const database = await freshDatabase(kind);
    const environment = {
      CRM_DATABASE_URL: database.url,
      CRM_DATA_DIR: "/proc/crm",
      CRM_SECRET_KEYS: mintMasterKey(),
      CRM_PORT: "0",
    };
    try {
      const refused = await runCrm(["serve"], { environment });
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toContain("Error: The API key cannot be written to /proc/crm/api-key (ENOENT)");

      await using serve = startCrm(["serve"], { environment: { ...environment, CRM_DATA_DIR: database.directory } });
      await serve.match(/Set up: workspace/);
      expect(readFileSync(join(database.directory, "api-key"), "utf8")).toMatch(key);
    } finally {
      await database.drop();
    }
  });

  test("a second database in the same folder: its key lies beside the first, and the line printed names it", async () => {
    const databases = [await freshDatabase(kind), await freshDatabase(kind)] as const;
    const [{ directory }] = databases;
    // Every database has a master key of its own, unless the settings name one for all.
    const file = (name: string) => join(directory, name);
    try {
      await setUp(databases[0], directory, (printed) => expect(printed).toContain(`key is in ${file("api-key")}.`));
      const first = readFileSync(file("api-key"), "utf8");
      await setUp(databases[1], directory, (printed) => {
        expect(printed).toContain(`key is in ${file("api-key-2")}.`);
        expect(printed).toContain(`${shellWord(file("api-key-2"))} | curl`);
      });
      expect(readFileSync(file("api-key"), "utf8")).toBe(first);
      const second = readFileSync(file("api-key-2"), "utf8");
      expect([first, second]).toEqual([expect.stringMatching(key), expect.stringMatching(key)]);
      expect(second).not.toBe(first);
      expect(statSync(file("api-key-2")).mode & 0o777).toBe(0o600);
    } finally {
      for (const database of databases) await database.drop();
    }
  });

  describe("in a folder with any name, where links lie in the place of the key", () => {
    let database: FreshDatabase;
    let directory: string;
    let printed: string;
    /** What came of the line printed, which was run while the service was there. */
    let pasted: { readonly stdout: string; readonly stderr: string };
    const other = () => join(database.directory, "somebody-elses");
    beforeAll(async () => {
      database = await freshDatabase(kind);
      // A name that a shell would take apart.
      directory = join(database.directory, "Ada's $(echo data) & more");
      await mkdir(directory);
      writeFileSync(other(), "theirs\n");
      symlinkSync(other(), join(directory, "api-key"));
      symlinkSync(join(directory, "not-there"), join(directory, "api-key-2"));
      await setUp(database, directory, (text) => {
        printed = text;
        const [, line = ""] = /^Try the API:\n {2}(.*)$/m.exec(text) ?? [];
        // What a shell starts, with its parameters, is what others see of it.
        pasted = spawnSync("sh", ["-x", "-c", line], { encoding: "utf8" });
      });
    });
    afterAll(() => database?.drop());

    test("nothing is written through a link", async () => {
      expect(printed).toContain("/api-key-3.");
      expect(readFileSync(other(), "utf8")).toBe("theirs\n");
      expect(await readdir(directory)).not.toContain("not-there");
    });

    test("the line printed works as pasted, and shows the key to no other process", () => {
      expect(JSON.parse(pasted.stdout)).toMatchObject({ id: 1, name: "Ada Lovelace" });
      // The two ends of a pipe write their traces at the same moment.
      expect(pasted.stderr).toMatch(/curl[^]*first_name/);
      expect(pasted.stderr).not.toContain("crm_key_");
    });
  });
});
