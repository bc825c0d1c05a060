/** A database that cannot be opened is reported in one sentence, never with the password. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { entities } from "../../src/entities.ts";
import { DatabaseError } from "../../src/storage/open-faults.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openFresh } from "../support/databases.ts";
import { administrate, databaseUrl } from "../support/postgres.ts";

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
    ["below a file", "letter.txt/crm.db", "is not writable (ENOTDIR)."],
    ["whose place is a folder", "taken.db", "is not writable (EISDIR)."],
  ])("%s is refused", async (_what, path, sentence) => {
    const error = await failureOf(`sqlite:${join(folder, path)}`);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toHaveProperty("message", expect.stringContaining(`${join(folder, path)} ${sentence}`));
  });

  it("in a folder that cannot be created is refused", async () => {
    expect(await failureOf("sqlite:/proc/crm/crm.db")).toEqual(
      new DatabaseError("The SQLite database /proc/crm/crm.db is not writable (ENOENT)."),
    );
  });

  it("is created with its folder, private to its owner, and is a single file after closing", async () => {
    const path = join(folder, "new", "data", "crm.db");
    const database = await openDatabase(`sqlite:${path}`, entities);
    await database.transaction(({ rows }) => rows("create table things (id integer)"));
    await database.exclusively("migrate", async () => {});
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
    const files = [join(folder, "new", "data"), path, `${path}-wal`, `${path}.migrate.lock`];
    expect(await Promise.all(files.map(modeOf))).toEqual(["700", "600", "600", "600"]);
    await database.close();
    await expect(stat(`${path}-wal`)).rejects.toThrow("ENOENT");
  });
});

describe("an SQLite file that other programs also open", () => {
  it("is refused if its encoding is UTF-16", async () => {
    await using fresh = await openFresh("sqlite", { migrated: false });
    const path = join(fresh.directory, "wide.db");
    const wide = new BetterSqlite(path);
    wide.exec("pragma encoding = 'UTF-16le'; create table things (id integer); drop table things");
    wide.close();
    expect(await failureOf(`sqlite:${path}`)).toEqual(
      new DatabaseError(`The SQLite database ${path} has the encoding UTF-16le, and crm needs UTF-8.`),
    );
  });

  it("keeps its write-ahead log and its statements, whatever other programs do to it", async () => {
    await using fresh = await openFresh("sqlite");
    const { database, directory } = fresh;
    const read = () => database.rows<{ name: string }>("select name from workspaces order by id");
    const write = (name: string) =>
      database.transaction(({ rows }) =>
        rows("insert into workspaces (name, created_at) values (?, ?)", [name, new Date(0)]),
      );
    await write("Acme");
    expect(await read()).toHaveLength(1);

    const other = new BetterSqlite(join(directory, "crm.db"));
    expect(() => other.pragma("journal_mode = DELETE"), "it is in use").toThrow("locked");
    other.pragma("page_size = 512");
    other.pragma("auto_vacuum = FULL");
    other.exec("create index other_order on workspaces (name); vacuum; pragma wal_checkpoint(truncate)");
    other.close();

    await write("Other");
    expect(await read()).toEqual([{ name: "Acme" }, { name: "Other" }]);
    expect(await database.rows("pragma journal_mode")).toEqual([{ journal_mode: "wal" }]);
  });
});

describe("a PostgreSQL database", () => {
  it.each([
    ["in another encoding", "encoding 'LATIN1' locale 'C'", "has the encoding LATIN1, and crm needs UTF8"],
    ["in no encoding", "encoding 'SQL_ASCII' locale 'C'", "has the encoding SQL_ASCII, and crm needs UTF8"],
  ])("%s is refused with what to do instead", async (_what, properties, sentence) => {
    const server = inject("postgresUrl");
    const name = `crm_test_${randomBytes(6).toString("hex")}`;
    await administrate(server, `create database ${name} template template0 locale_provider libc ${properties}`);
    try {
      const error = await failureOf(databaseUrl(server, name));
      expect(error).toBeInstanceOf(DatabaseError);
      expect((error as Error).message).toContain(`The PostgreSQL database ${name} ${sentence}`);
      expect((error as Error).message).toContain("createdb --template=template0 --encoding=UTF8");
    } finally {
      await administrate(server, `drop database ${name} with (force)`);
    }
  });
});

describe("a PostgreSQL server", () => {
  const secret = "s3cret-w0rd";
  const silent = createServer(() => {});
  const certificate = (file: string) => readFileSync(join(import.meta.dirname, "../support/certificates", file));
  const secureContext = createSecureContext({
    cert: certificate("self-signed.pem"),
    key: certificate("self-signed.key"),
  });
  /** It agrees to encrypt, which is as far as the client comes. */
  const selfSigned = createServer((socket) => {
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, secureContext }).on("error", () => {});
    });
  });
  beforeAll(async () => {
    for (const server of [silent, selfSigned]) await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    for (const server of [silent, selfSigned]) server.close();
  });

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
      /^No PostgreSQL server responds at 127\.0\.0\.1:1 \(ECONNREFUSED\)\.$/,
    ],
    [
      "at a name that is none",
      () => `postgres://crm:${secret}@nowhere.invalid/crm`,
      /^No PostgreSQL server responds at nowhere\.invalid:5432 \(E\w+\)\.$/,
    ],
    [
      "that says nothing",
      () => `postgres://crm:${secret}@127.0.0.1:${(silent.address() as AddressInfo).port}/crm`,
      /does not respond in time\.$/,
    ],
    [
      "whose certificate is not there",
      () => `${address({})}?sslrootcert=/nowhere/root.pem`,
      /^The file \/nowhere\/root\.pem in CRM_DATABASE_URL cannot be read \(ENOENT\)\.$/,
    ],
    [
      "behind a socket that is not there",
      () => `postgres:///crm?host=/nowhere&user=crm&password=${secret}`,
      /^No PostgreSQL server responds at \/nowhere \(ENOENT\)\.$/,
    ],
    [
      "that does not encrypt",
      () => `${address({})}?sslmode=verify-full`,
      /^No encrypted connection to the PostgreSQL server/,
    ],
    ...["prefer", "require", "verify-ca", "verify-full"].map((mode): [string, () => string, RegExp] => [
      `with a certificate of its own, and sslmode=${mode},`,
      () => `postgres://crm:${secret}@127.0.0.1:${(selfSigned.address() as AddressInfo).port}/crm?sslmode=${mode}`,
      /^No encrypted connection to the PostgreSQL server at \S+: self-signed certificate: name the certificate of its issuer as sslrootcert=FILE in CRM_DATABASE_URL, or trust any with sslmode=no-verify\.$/,
    ]),
  ])("%s is reported", async (_what, url, sentence) => {
    const warn = vi.spyOn(process, "emitWarning");
    const error = await failureOf(url());
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as Error).message).toMatch(sentence);
    expect((error as Error).message).not.toContain(secret);
    expect(warn).not.toHaveBeenCalled();
  });

  it("without encryption, where the URL says so in the driver's or in libpq's words", async () => {
    for (const parameter of ["ssl=false", "ssl=0", "sslmode=disable"]) {
      const database = await openDatabase(`${inject("postgresUrl")}?${parameter}`, entities);
      expect(await database.rows("select ssl from pg_stat_ssl where pid = pg_backend_pid()")).toEqual([{ ssl: false }]);
      await database.close();
    }
  });
});
