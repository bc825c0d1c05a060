/** The key of the first start is kept where the printed line reads it, or nothing is set up at all. */
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import { runCrm, startCrm } from "../support/node-process.ts";

test.each([...databaseKinds])("a key that cannot be kept on %s", async (kind) => {
  const database = await freshDatabase(kind);
  const environment = { CRM_DATABASE_URL: database.url, CRM_DATA_DIR: database.directory, CRM_PORT: "0" };
  const inTheWay = join(database.directory, "api-key");
  try {
    mkdirSync(inTheWay);
    const refused = await runCrm(["serve"], { environment });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    rmdirSync(inTheWay);

    await using serve = startCrm(["serve"], { environment });
    await serve.match(/Set up: workspace/);
    expect(readFileSync(inTheWay, "utf8")).toMatch(/^crm_key_\w{36}\n$/);
    serve.signal("SIGTERM");
    expect((await serve.finished).code).toBe(0);
  } finally {
    await database.drop();
  }
});
