/** `crm doctor`: one line a check, exit codes, and what it says where there is nothing to examine. */
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { entities } from "../../src/entities.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { databaseKinds } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import { runInSession } from "../support/terminal-session.ts";

async function givenAcme(kind: DatabaseKind) {
  const acme = await createTerminal(kind);
  onTestFinished(() => acme.close());
  await setUpAcme(acme);
  return acme;
}

async function change(url: string, text: string): Promise<void> {
  const database = await openDatabase(url, entities);
  await database.transaction(({ rows }) => rows(text));
  await database.close();
}

test.each(databaseKinds)("on %s: without a worker, with a wrong counter, and mended", async (kind) => {
  const acme = await givenAcme(kind);
  const lines = (await acme.run(["doctor"])).stdout.trimEnd().split("\n");
  expect(lines.filter((line) => !/^(ok     |warning|failure) {2}\S.{21} {2}\S/.test(line))).toEqual([]);
  expect(lines.find((line) => line.includes("worker"))).toMatch(
    /^warning  worker +no worker has run yet\. To mend it: crm serve, or crm worker$/,
  );
  await acme.run(["worker", "--once"]);
  await change(acme.environment["CRM_DATABASE_URL"]!, "insert into contact_counts (location_id, delta) values (1, 2)");
  const broken = await acme.run(["doctor", "--json"]);
  expect(broken).toMatchObject({ code: 1, stderr: "" });
  const { status, checks } = JSON.parse(broken.stdout);
  expect(status).toBe("failure");
  const wrong = {
    check: "contact counts",
    verdict: "failure",
    found: "location 1 has 2 fewer than it counts",
    remedy: "crm doctor --fix",
    fixed: null,
  };
  expect(checks).toContainEqual(wrong);
  const mended = await acme.run(["doctor", "--fix"]);
  expect(mended.stdout).toContain("Fixed: corrected the counter of 1 location.\n");
  const after = JSON.parse((await acme.run(["doctor", "--json"])).stdout);
  expect(after.checks.find(({ check }: { check: string }) => check === "contact counts").verdict).toBe("ok");
});

test("what cannot be examined is a failure, with the sentence that says why", async () => {
  const acme = await givenAcme("sqlite");
  await chmod(acme.directory, 0o755);
  const spaced = join(acme.directory, "my data");
  await mkdir(spaced, { mode: 0o755 });
  const rows: readonly (readonly [environment: Record<string, string>, line: RegExp])[] = [
    [
      { CRM_DATABASE_URL: `sqlite:${join(acme.directory, "none.db")}` },
      /^failure  database +There is no database at /m,
    ],
    [{ CRM_PORT: "many" }, /^failure  settings +CRM_PORT .* To mend it: crm config show$/m],
    [{ CRM_SECRET_KEYS: "A".repeat(43) }, /^failure  master key +it is not the one of this database\. /m],
    [{}, /^warning  data folder +Every user of this machine can look into /m],
    // A command to paste: not one for another folder.
    [{ CRM_DATA_DIR: spaced }, /^warning  data folder .* To mend it: chmod -R go= '\S+\/my data'$/m],
    [{ CRM_PROT: "1" }, /^warning  unknown settings +CRM_PROT in the environment is not a setting\. /m],
  ];
  for (const [more, line] of rows) {
    const environment = { ...acme.environment, ...more };
    const { code, stdout, stderr } = await runInSession(["doctor"], { environment, directory: acme.directory });
    expect(stdout).toMatch(line);
    expect({ code, stderr }).toEqual({ code: /^failure/m.test(stdout) ? 1 : 0, stderr: "" });
  }
});
