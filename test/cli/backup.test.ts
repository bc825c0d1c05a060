/** `crm backup`, `crm backup verify` and `crm restore`: files, pipes, keys, and what is refused. */
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { entities } from "../../src/entities.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";
import { runInSession } from "../support/terminal-session.ts";

async function givenAcme(kind: DatabaseKind): Promise<Terminal> {
  const terminal = await createTerminal(kind);
  onTestFinished(() => terminal.close());
  await setUpAcme(terminal);
  await terminal.json("contacts", "create", "--first-name", "Ada", "--last-name", "Lovelace");
  return terminal;
}

/** An empty data folder, and no database in it. */
async function emptyPlace() {
  const { directory, drop } = await freshDatabase("sqlite");
  onTestFinished(drop);
  const environment = {
    CRM_DATA_DIR: join(directory, "new"),
    CRM_DATABASE_URL: `sqlite:${join(directory, "new/crm.db")}`,
  };
  return {
    environment,
    directory,
    run: (parameters: readonly string[], input?: string) =>
      runInSession(parameters, { environment, directory, ...(input === undefined ? {} : { input }) }),
  };
}

describe.each(sampleOf("backups by crm", 1, databaseKinds))("on %s", (kind) => {
  test("a backup with its keys restores into an empty place", async () => {
    const acme = await givenAcme(kind);
    const file = join(acme.directory, "b.tar.zst");
    const taken = await acme.run(["backup", file, "--with-keys", "--json"]);
    expect(taken).toMatchObject({ code: 0, stderr: expect.stringMatching(/^The backup holds the master keys/) });
    const told = JSON.parse(taken.stdout);
    expect(told).toMatchObject({ file, master_keys: true, removed: [] });
    const { mode, size } = await stat(file);
    expect({ mode: (mode & 0o777).toString(8), bytes: size }).toEqual({ mode: "600", bytes: told.bytes });
    const { checks, ...verified } = await acme.json("backup", "verify", file);
    expect(verified).toMatchObject({ rows: told.rows, master_keys: true });
    expect(checks.map(({ verdict }: { verdict: string }) => verdict)).toEqual(checks.map(() => "ok"));
    expect(checks).toContainEqual(
      expect.objectContaining({ check: "secrets", found: expect.stringMatching(/^\d+ encrypted/) }),
    );

    const place = await emptyPlace();
    const restored = await place.run(["restore", file, "--json"]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(restored.stdout)).toMatchObject({ rows: told.rows, taken_at: told.taken_at, migrated: [] });
    const { stdout } = await place.run(["contacts", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ first_name: "Ada" }]);
    expect(await place.run(["restore", file])).toMatchObject({
      code: 1,
      stderr: "Error: The database is not empty: a backup is restored into an empty one only.\n",
    });
  });
});

test("verify examines what it has restored, and fails for rows that point at nothing", async () => {
  const acme = await givenAcme("sqlite");
  const file = join(acme.directory, "b.tar.zst");
  const database = await openDatabase(acme.environment["CRM_DATABASE_URL"]!, entities);
  await database.transaction(({ rows }) => rows("insert into contact_counts (location_id, delta) values (1, 5)"));
  await database.close();
  await acme.json("backup", file);
  expect(await acme.run(["backup", "verify", file])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/\nfailure {2}contact counts +location 1 has 5 fewer than it counts\./),
  });
});

test("nothing is overwritten, and folders are no files", async () => {
  const acme = await givenAcme("sqlite");
  const file = join(acme.directory, "b.tar.zst");
  await writeFile(file, "mine");
  const rows: readonly (readonly [parameters: string[], code: number, stderr: string])[] = [
    [["backup", file], 1, `${file} exists already: choose another name.`],
    [["backup", join(acme.directory, "no/b")], 1, `${join(acme.directory, "no/b")} cannot be written (ENOENT).`],
    [
      ["backup", "--keep", "7x", acme.directory],
      2,
      "--keep takes a number of days, weeks and months, such as 7d,4w,6m.",
    ],
    [
      ["backup", "--keep", "7d", join(acme.directory, "no")],
      1,
      `There is no folder ${join(acme.directory, "no")}: create it first.`,
    ],
    [["backup", "--keep", "7d"], 2, "--keep needs the folder of the backups."],
    [["backup", "-", "--json"], 2, "- writes the backup to stdout: leave out --keep and --json."],
    [
      ["restore", acme.directory],
      1,
      `The backup cannot be used: ${acme.directory} is a folder; give one of the files in it.`,
    ],
    [["restore", join(acme.directory, "none")], 1, "cannot be read (ENOENT)"],
    [["backup", "verify", file], 1, "The backup cannot be used: it is damaged or cut off."],
  ];
  for (const [parameters, code, stderr] of rows)
    expect(await acme.run(parameters), parameters.join(" ")).toMatchObject({
      code,
      stderr: expect.stringContaining(stderr),
    });
  expect(await readFile(file, "utf8")).toBe("mine");
  expect((await readdir(acme.directory)).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("keys: those of the installation, or of the backup, or none", async () => {
  const acme = await givenAcme("sqlite");
  const file = join(acme.directory, "b.tar.zst");
  await acme.json("backup", file);
  const place = await emptyPlace();
  expect(await place.run(["restore", file])).toMatchObject({
    code: 1,
    stderr: `Error: The backup cannot be used: it holds no master key: put the secret.key of its installation at ${join(place.directory, "new/secret.key")}, or set CRM_SECRET_KEYS.\n`,
  });
  const other = { ...place.environment, CRM_SECRET_KEYS: "A".repeat(43) };
  expect(await runInSession(["restore", file], { environment: other, directory: place.directory })).toMatchObject({
    code: 1,
    stderr: "Error: The backup cannot be used: it was made under another master key than the one of CRM_SECRET_KEYS.\n",
  });
  const own = (await readFile(join(acme.directory, "secret.key"), "utf8")).trim();
  const environment = { ...place.environment, CRM_SECRET_KEYS: own };
  const dryRun = await runInSession(["restore", file, "--dry-run"], { environment, directory: place.directory });
  expect(dryRun).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Would restore \d+ rows and 0 attachments of /),
  });
  expect(await runInSession(["restore", file], { environment, directory: place.directory })).toMatchObject({ code: 0 });
});

test("a folder of backups keeps what the rule wants, and nothing else is removed", async () => {
  const acme = await givenAcme("sqlite");
  const folder = join(acme.directory, "backups");
  await mkdir(folder);
  const names = [
    "crm-20260301T120000Z.tar.zst",
    "crm-20260228T120000Z.tar.zst",
    "crm-20260227T120000Z.tar.zst",
    "notes.txt",
  ];
  for (const name of names) await writeFile(join(folder, name), "");
  // Of backups that were killed: one may still be written.
  const drafts = [".00000000-0000-4000-8000-000000000001.partial", ".00000000-0000-4000-8000-000000000002.partial"];
  for (const name of drafts) await writeFile(join(folder, name), "");
  await utimes(join(folder, drafts[0]!), 0, 0);
  const { file, removed } = await acme.json("backup", "--keep", "2d", folder);
  expect(removed).toEqual(names.slice(1, 3));
  const left = [drafts[1], names[0], file.split("/").at(-1), "notes.txt"];
  expect((await readdir(folder)).toSorted()).toEqual(left.toSorted());
});
