/** A database that cannot be opened is told of in one sentence, which never repeats the password. */
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { entities } from "../../src/entities.ts";
import { DatabaseError } from "../../src/storage/open-faults.ts";
import { openDatabase } from "../../src/storage/open-database.ts";

async function failureOf(url: string): Promise<unknown> {
  try {
    await (await openDatabase(url, entities)).close();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("an SQLite file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "crm-test-"));
    await writeFile(join(folder, "letter.txt"), "Dear Sir or Madam, ".repeat(100));
    await mkdir(join(folder, "taken.db"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ["that is something else", "letter.txt", "is not an SQLite database."],
    ["below a file", "letter.txt/crm.db", "cannot be written there (ENOTDIR)."],
    ["whose place is a folder", "taken.db", "cannot be written there (EISDIR)."],
  ])("%s is refused", async (_what, path, sentence) => {
    const error = await failureOf(`sqlite:${join(folder, path)}`);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toHaveProperty("message", expect.stringContaining(`${join(folder, path)} ${sentence}`));
  });

  it("in a folder that cannot be made is refused", async () => {
    expect(await failureOf("sqlite:/proc/crm/crm.db")).toEqual(
      new DatabaseError("The SQLite database /proc/crm/crm.db cannot be written there (ENOENT)."),
    );
  });

  it("is made with its folder, for its owner alone, and closing leaves it whole in one file", async () => {
    const path = join(folder, "new", "data", "crm.db");
    const database = await openDatabase(`sqlite:${path}`, entities);
    await database.transaction(({ rows }) => rows("create table things (id integer)"));
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
    expect(await Promise.all([join(folder, "new", "data"), path, `${path}-wal`].map(modeOf))).toEqual([
      "700",
      "600",
      "600",
    ]);
    await database.close();
    await expect(stat(`${path}-wal`)).rejects.toThrow("ENOENT");
  });
});

describe("a PostgreSQL server", () => {
  const secret = "s3cret-w0rd";
  const silent = createServer(() => {});
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void silent.close());

  /** The test server's address with some parts changed. */
  function address(parts: { username?: string; password?: string; pathname?: string; host?: string }): string {
    return Object.assign(new URL(inject("postgresUrl")), parts).href;
  }

  it.each([
    [
      "that refuses the password",
      () => address({ password: secret }),
      /refuses the user or the password of postgres\.$/,
    ],
    [
      "that does not know the user",
      () => address({ username: "nobody", password: secret }),
      /refuses the user or the password of nobody\.$/,
    ],
    ["without the database", () => address({ pathname: "/no_such_one" }), /has no database no_such_one\.$/],
    [
      "that is not there",
      () => `postgres://crm:${secret}@127.0.0.1:1/crm`,
      /^No PostgreSQL server answers at 127\.0\.0\.1:1 \(ECONNREFUSED\)\.$/,
    ],
    [
      "at a name that is none",
      () => `postgres://crm:${secret}@nowhere.invalid/crm`,
      /^No PostgreSQL server answers at nowhere\.invalid:5432 \(E\w+\)\.$/,
    ],
    [
      "that says nothing",
      () => `postgres://crm:${secret}@127.0.0.1:${(silent.address() as AddressInfo).port}/crm`,
      /does not answer in time\.$/,
    ],
    [
      "that does not encrypt",
      () => `${address({})}?sslmode=verify-full`,
      /^No encrypted connection to the PostgreSQL server/,
    ],
  ])("%s is told of", async (_what, url, sentence) => {
    const error = await failureOf(url());
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as Error).message).toMatch(sentence);
    expect((error as Error).message).not.toContain(secret);
  });
});
