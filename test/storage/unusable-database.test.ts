/** A command with an unusable database ends with one sentence, and an exit code that tells whether a retry may help. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { runCrm } from "../support/node-process.ts";
import { runInSession } from "../support/terminal-session.ts";

const secret = "s3cret-w0rd";
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "crm-test-"));
  await mkdir(join(directory, "taken.db"));
  await writeFile(join(directory, "letter.txt"), "Dear Sir or Madam, ".repeat(100));
});
afterAll(() => rm(directory, { recursive: true }));

const elsewhere = (pathname: string): string => Object.assign(new URL(inject("postgresUrl")), { pathname }).href;

test.each<[what: string, url: () => string, code: number, told: RegExp]>([
  [
    "a server that is not there",
    () => `postgres://crm:${secret}@127.0.0.1:1/crm`,
    3,
    /^No PostgreSQL server responds at 127\.0\.0\.1:1 \(ECONNREFUSED\)\.$/,
  ],
  [
    "a database that is not there",
    () => elsewhere("/no_such_one"),
    1,
    /^The PostgreSQL .* has no database no_such_one\.$/,
  ],
  ["a folder", () => "sqlite:taken.db", 1, /^The SQLite database \/.*\/taken\.db is not writable \(EISDIR\)\.$/],
  ["another file", () => "sqlite:letter.txt", 1, /^\/.*\/letter\.txt is not an SQLite database\.$/],
  [
    "a place below a file",
    () => "sqlite:letter.txt/crm.db",
    1,
    // It only reads, so it creates nothing.
    /^There is no database at \/.*\/letter\.txt\/crm\.db: create one with "crm setup" .*\.$/,
  ],
  [
    "no address",
    () => `postgres://crm:${secret}%@h/d`,
    1,
    /^CRM_DATABASE_URL from the environment is "postgres:\/\/crm:\*\*\*@h\/d"; expected .*\.$/,
  ],
])("%s", async (_what, url, code, told) => {
  const environment = { CRM_DATABASE_URL: url(), CRM_DATA_DIR: directory };
  const plain = await runCrm(["workspaces", "list"], { environment, directory });
  expect(plain).toMatchObject({ code, stdout: "" });
  expect(plain.stderr).toMatch(/^Error: [^\n]*\n$/);
  expect(plain.stderr.slice("Error: ".length).trimEnd()).toMatch(told);
  expect(plain.stderr).not.toContain(secret);
  const asJson = await runInSession(["workspaces", "list", "--json"], { environment, directory });
  expect(asJson.code).toBe(code);
  const { error } = JSON.parse(asJson.stdout);
  expect(error.message).toMatch(told);
  expect(error.error).toBe(code === 3 ? "unavailable" : undefined);
});

test("a server with no free connection", async () => {
  const url = new URL(inject("postgresUrl"));
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  try {
    await server.query(`create role crowded login password '${url.password}' connection limit 0`);
    const crowded = Object.assign(new URL(url), { username: "crowded" }).href;
    const environment = { CRM_DATABASE_URL: crowded, CRM_DATA_DIR: directory };
    const { code, stdout, stderr } = await runCrm(["serve", "--port", "0"], { environment, directory });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(
      /^Error: The PostgreSQL server at \S+ has no connections left \(53300\): raise max_connections, [^\n]*\.\n$/,
    );
  } finally {
    await server.query("drop role if exists crowded");
    await server.end();
  }
});
