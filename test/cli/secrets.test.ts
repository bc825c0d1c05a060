/** No secret is stored in clear: not in the database, the files beside it, a log or an error. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import { runCrm, startCrm } from "../support/node-process.ts";

/** All that a database holds, as text. */
async function contentsOf(kind: string, url: string): Promise<string> {
  if (kind === "sqlite") {
    const path = url.slice("sqlite:".length);
    const folder = join(path, "..");
    const files = readdirSync(folder).filter((name) => name.startsWith("crm.db"));
    return files.map((name) => readFileSync(join(folder, name), "latin1")).join("\n");
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = current_schema()",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(`select "${name}"::text as text from "${name}"`);
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}

test.each(sampleOf("secrets", 1, databaseKinds))("secrets on %s", async (kind) => {
  const database = await freshDatabase(kind);
  const environment = {
    CRM_DATABASE_URL: database.url,
    CRM_DATA_DIR: database.directory,
    CRM_LOG_LEVEL: "trace",
    CRM_PORT: "0",
  };
  try {
    await using serve = startCrm(["serve"], { environment });
    const [, url] = await serve.match(/listening on (http:\S+)/);
    await serve.match(/API reference/);
    const first = readFileSync(join(database.directory, "api-key"), "utf8").trim();
    const made = await runCrm(["keys", "create", "second", "--json"], { environment });
    const second = (JSON.parse(made.stdout) as { key: string }).key;
    for (const key of [first, second]) {
      expect((await request(url!, { method: "GET", path: "/api/v1/locations", key })).status).toBe(200);
    }
    const refused = await request(url!, {
      method: "GET",
      path: `/api/v1/contacts?location_id=9&key=${first}`,
      key: first,
    });
    expect(refused.status).toBe(404);
    const listed = await runCrm(["keys", "list", "--json"], { environment });
    serve.signal("SIGTERM");
    await serve.finished;

    const master = readFileSync(join(database.directory, "secret.key"), "utf8").trim();
    const { stdout, stderr } = serve.printed();
    const places = {
      database: await contentsOf(kind, database.url),
      output: stdout + stderr,
      listing: listed.stdout + listed.stderr,
      refusal: refused.text,
    };
    expect(places.database).toContain("second");
    for (const [place, contents] of Object.entries(places)) {
      for (const secret of [first, second, master])
        expect(contents.includes(secret), `a secret in the ${place}`).toBe(false);
    }
  } finally {
    await database.drop();
  }
});
