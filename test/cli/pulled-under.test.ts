/** A version that is put in place under a running service changes nothing for it until it is started anew. */
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import { startNode } from "../support/node-process.ts";

const repository = join(import.meta.dirname, "../..");
const parts = ["bin", "commands", "config", "src", "terminal", "package.json"];
let clone: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "crm-clone-"));
  await Promise.all(parts.map((part) => cp(join(repository, part), join(clone, part), { recursive: true })));
  await symlink(join(repository, "node_modules"), join(clone, "node_modules"));
});
afterAll(() => rm(clone, { recursive: true, force: true }));

const later = `
import { Migration } from "@mikro-orm/migrations";

export class Migration29990101000000_later extends Migration {
  override readonly name = "Migration29990101000000_later";
  override up(): void {
    this.addSql("create table later (id integer)");
  }
}
`;

test.each(sampleOf("versions put in place under a running service", 1, databaseKinds))(
  "on %s a newer migration in the folder leaves it ready",
  { timeout: 60_000 },
  async (kind) => {
    const database = await freshDatabase(kind);
    const options = {
      environment: { CRM_DATABASE_URL: database.url, CRM_DATA_DIR: database.directory, CRM_PORT: "0" },
      directory: database.directory,
    };
    const migration = join(clone, `src/storage/migrations/${kind}/Migration29990101000000_later.ts`);
    const crm = (...parameters: string[]) => startNode([join(clone, "bin/crm.js"), ...parameters], options);
    try {
      await using serve = crm("serve");
      const [, url = ""] = await serve.match(/crm listening on (\S+)/);
      const ready = () => request(url, { method: "GET", path: "/readyz" });
      expect(await ready()).toMatchObject({ status: 200, body: { schema: "ok" } });
      await writeFile(migration, later);
      expect(await ready()).toMatchObject({ status: 200, body: { status: "ready", schema: "ok" } });

      // Who is started anew sees it; once it is applied, the running service is the older one, and says so.
      expect((await crm("migrate").finished).stdout).toBe("applied  Migration29990101000000_later\n");
      expect(await ready()).toMatchObject({ status: 503, body: { status: "not_ready", schema: "ahead" } });
    } finally {
      await rm(migration, { force: true });
      await database.drop();
    }
  },
);
