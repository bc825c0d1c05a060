/** Only what sets up makes files: every other command says where it looked, and leaves a folder as it found it. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import { runInSession } from "../support/terminal-session.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "crm-reading-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const readers = [
  ["contacts", "export"],
  ["contacts", "show", "1"],
  ["contacts", "delete", "1", "--yes"],
  ["keys", "list"],
  ["keys", "create"],
  ["locations", "list"],
  ["users", "list"],
  ["tags", "create", "VIP"],
  ["workspaces", "list"],
  ["workspaces", "create", "Acme"],
  ["worker", "--once"],
  ["migrate", "status"],
  ["migrate", "down", "--yes"],
  ["migrate", "up", "--dry-run"],
  ["serve", "--no-migrate", "--port", "0"],
];

test.each(readers.map((parameters) => [parameters.join(" "), parameters] as const))(
  "crm %s where there is no database",
  async (_line, parameters) => {
    const { code, stdout, stderr } = await runInSession(parameters, { directory });
    const sentence = `There is no database at ${join(directory, "data/crm.db")}: create one with "crm setup" (or "crm serve"), or set CRM_DATA_DIR or CRM_DATABASE_URL.`;
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `Error: ${sentence}\n` });
    expect(await readdir(directory)).toEqual([]);
  },
);

describe.each(databaseKinds)("a database on %s", { timeout: 60_000 }, (kind) => {
  test("that nobody set up yet: no key is made for it", async () => {
    const database = await freshDatabase(kind);
    const environment = { CRM_DATABASE_URL: database.url };
    try {
      expect(await runInSession(["workspaces", "list"], { directory, environment })).toMatchObject({
        code: 1,
        stderr: 'Error: This database is not set up: run "crm setup" (or "crm serve") first.\n',
      });
      expect(await readdir(directory)).toEqual([]);
    } finally {
      await database.drop();
    }
  });

  test("that was set up elsewhere: whoever has not its key says where one was looked for, and makes none", async () => {
    const database = await freshDatabase(kind);
    const environment = { CRM_DATABASE_URL: database.url, CRM_PORT: "0" };
    const answers = ["--workspace", "Acme", "--location", "Main", "--owner-email", "ada@acme.example"];
    try {
      const made = await runInSession(["setup", ...answers], {
        environment: { ...environment, CRM_DATA_DIR: database.directory },
      });
      expect(made.code).toBe(0);
      for (const parameters of [["keys", "list"], ["worker", "--once"], ["serve"], ["setup", ...answers]]) {
        const refused = await runInSession(parameters, { directory, environment });
        const path = join(directory, "data/secret.key");
        expect([parameters, refused.code, refused.stderr]).toEqual([
          parameters,
          1,
          `Error: The master key of this database is missing at ${path}: restore the file (its folder is CRM_DATA_DIR), or set CRM_SECRET_KEYS.\n`,
        ]);
        expect(await readdir(directory)).toEqual([]);
      }
    } finally {
      await database.drop();
    }
  });
});
