/** Backups: all of one database comes back in another, of either kind, or none of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSettings } from "../../config/settings.loading.ts";
import { packParts } from "../../src/backup/archive.ts";
import type { ArchivePart } from "../../src/backup/archive.ts";
import type { BackupHeader, BackupManifest } from "../../src/backup/backup.format.ts";
import { outdated } from "../../src/backup/keep-rule.ts";
import { readKeepRule } from "../../src/kit/input/keep-rule.ts";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { findPositionFaults } from "../../src/events/position-faults.ts";
import { writeBackup } from "../../src/backup/write-backup.ts";
import { openBlobs } from "../../src/blobs/open-blobs.ts";
import { storeUpload } from "../../src/crm/conversations/attachments/attachment.service.ts";
import type { Database } from "../../src/storage/database.ts";
import { readLines } from "../../src/storage/dump/table-lines.ts";
import { readTables } from "../../src/storage/dump/tables.ts";
import { carriedMigrations, migrateUp, schemaState } from "../../src/storage/migrations/migrate.ts";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { besideStamping, stampAll } from "../support/events.ts";
import { givenContact } from "../support/given.ts";
import { hostileNames } from "../support/hostile-names.ts";
import { makeRecords } from "../support/records.ts";
import { startS3Server } from "../support/s3-server.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const at = new Date("2026-03-01T12:00:00.000Z");
const accept = async () => {};
/** Without any file. */
const nowhere = openBlobs({ blobUrl: "fs:/nowhere" });

/** The parts of a backup, and its manifest. */
async function backUp(database: Database, during = async () => {}, blobs = nowhere) {
  const parts: ArchivePart[] = [];
  await writeBackup(database, { version: "0.0.0", at, blobs, masterKeys: null }, async (given) => {
    for await (const part of given) {
      parts.push(part);
      await during();
    }
  });
  return {
    parts,
    header: parse<BackupHeader>(parts[0]!),
    manifest: parse<BackupManifest>(parts.at(-1)!),
  };
}

function parse<Value>({ bytes }: ArchivePart): Value {
  return JSON.parse(new TextDecoder().decode(bytes)) as Value;
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function pack(parts: readonly ArchivePart[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packParts(each(parts), at)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A world with a record of each noun, and texts that need escaping. */
async function givenWorld(kind: DatabaseKind): Promise<World> {
  const world = await createWorld(kind);
  await makeRecords(world);
  const texts = [...Object.values(hostileNames), 'tab\tquote"back\\slash', "null", "?", "'; --", "0"];
  for (const text of texts.filter((name) => !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(name)))
    await givenContact(world, { first_name: text, company: text });
  return world;
}

const worlds: Partial<Record<DatabaseKind, World>> = {};
beforeAll(async () => {
  for (const kind of databaseKinds) worlds[kind] = await givenWorld(kind);
});
afterAll(async () => {
  for (const world of Object.values(worlds)) await world.close();
});

const pairs = databaseKinds.flatMap((from) => databaseKinds.map((to) => ({ from, to })));

describe.each(sampleOf("moves between databases", 2, pairs))("from $from to $to", ({ from, to }) => {
  test("every row, and the next id, are the same", async () => {
    const world = worlds[from]!;
    const gone = await givenContact(world);
    const remove = () => world.send("owner", "DELETE", `/contacts/${gone.id}?location_id=${world.north}`);
    // On PostgreSQL its event waits for its position.
    await besideStamping(world.service.database, remove);
    const { parts, header, manifest } = await backUp(world.service.database);
    await using target = await openFresh(to, { migrated: false });
    const restored = await restoreBackup(target.database, each([await pack(parts)]), { accept, blobs: nowhere });
    expect(restored).toMatchObject({ migrated: [], crm: "0.0.0", taken_at: at.toISOString() });
    const again = await backUp(target.database);
    expect(again.manifest.tables).toEqual(manifest.tables);
    expect(again.header).toMatchObject({ ...header, database: to, tables: expect.anything() });
    await expect(restoreBackup(target.database, each([await pack(parts)]), { accept, blobs: nowhere })).rejects.toThrow(
      "is not empty",
    );
    // Events that wait for their position get it there, and new ones behind them.
    const waiting = await target.database.rows("select event_id from unstamped_events");
    expect(waiting.length > 0).toBe(from === "postgres");
    await stampAll(target.database);
    expect(await findPositionFaults(target.database)).toEqual({ last: expect.any(Number), faults: [] });
    const behindText = `select 1 from events left join event_positions on event_id = events.id
      where position is null and event not like 'app.%'`;
    expect(await target.database.rows(behindText)).toEqual([]);
  });
});

test("PostgreSQL plans for what was restored", async () => {
  const { parts } = await backUp(worlds.sqlite!.service.database);
  await using target = await openFresh("postgres", { migrated: false });
  await restoreBackup(target.database, each([await pack(parts)]), { accept, blobs: nowhere });
  const known = "select attname from pg_stats where schemaname = current_schema() and tablename = 'contacts'";
  expect(await target.database.rows(known)).toContainEqual({ attname: "location_id" });
});

/** A place to restore to, with a store of files. */
async function openTarget(kind: DatabaseKind, environment: Readonly<Record<string, string>> = {}) {
  const target = await openFresh(kind, { migrated: false });
  const given = { CRM_DATA_DIR: target.directory, ...environment };
  return Object.assign(target, { blobs: openBlobs(loadSettings({ environment: given, directory: target.directory })) });
}

describe.each(sampleOf("attachments between databases", 2, pairs))("attachments from $from to $to", ({ from, to }) => {
  /** An attachment of three pieces, and a backup of it. */
  async function givenFile() {
    const { service, acme, north } = worlds[from]!;
    const blobs = openBlobs(service.settings);
    const file = [Buffer.alloc(2_500_000, "file ")];
    const input = { name: "a.txt", content_type: "text/plain", file: each(file) };
    const caller = await service.inLocation(acme, north);
    const stored = await storeUpload(caller, blobs, input, (mark) => caller.change(mark));
    const { parts } = await backUp(service.database, undefined, blobs);
    return { parts, key: stored.blob_key, blob: { ...stored, key: stored.blob_key }, bytes: file[0]! };
  }

  test.each(["folder", "bucket"])("their files come back, into a %s", async (store) => {
    const { parts, blob, bytes } = await givenFile();
    await using s3 = await startS3Server();
    await using target = await openTarget(to, store === "bucket" ? s3.environment : {});
    const { files } = await restoreBackup(target.database, each([await pack(parts)]), { accept, blobs: target.blobs });
    expect(files).toBe(new Set(parts.flatMap(({ name }) => /^files\/([^/]+)/.exec(name)?.[1] ?? [])).size);
    const pieces: Uint8Array[] = [];
    for await (const piece of target.blobs.read(blob)) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(bytes);
    expect(s3.objects.has(`crm/north/${blob.key}/0`)).toBe(store === "bucket");
  });

  test("of a damaged backup none is left, and one that was there stays", async () => {
    const { parts, key } = await givenFile();
    await using target = await openTarget(to);
    const own = Buffer.from("own");
    const [present] = parts.flatMap(({ name }) => /^files\/([^/]+)/.exec(name)?.[1] ?? []);
    if (present !== key) await target.blobs.writePiece(present!, 0, own);
    const damaged = [...parts.slice(0, -1), { ...parts.at(-2)!, name: `files/${key}/000009` }, parts.at(-1)!];
    const restore = restoreBackup(target.database, each([await pack(damaged)]), { accept, blobs: target.blobs });
    await expect(restore).rejects.toThrow("is damaged");
    expect(await target.blobs.readPiece(key, 0)).toBeUndefined();
    if (present !== key) expect(await target.blobs.readPiece(present!, 0)).toEqual(own);
  });

  test("one that the store has lost is counted, and a name that leaves the store is refused", async () => {
    const { parts } = await givenFile();
    const { service } = worlds[from]!;
    const options = { version: "0.0.0", at, masterKeys: null, blobs: nowhere };
    const { files, missing_files: missing } = await writeBackup(service.database, options, async (given) => {
      for await (const { name } of given) expect(name).not.toMatch(/^files/);
    });
    expect([files, missing > 0]).toEqual([0, true]);
    await using target = await openTarget(to);
    const escaped = parts.toSpliced(1, 0, { name: "files/../../x/000000", bytes: Buffer.from("x") });
    await expect(
      restoreBackup(target.database, each([await pack(escaped)]), { accept, blobs: target.blobs }),
    ).rejects.toThrow('its part "files/../../x/000000" is unknown');
  });
});

describe.each(databaseKinds)("on %s", (kind) => {
  test("a backup shows one moment, while others write", async () => {
    const world = worlds[kind]!;
    const before = await backUp(world.service.database);
    let count = 0;
    const during = await backUp(world.service.database, async () => {
      if (count++ < 5) await givenContact(world);
    });
    expect(during.manifest.tables["contacts"]).toEqual(before.manifest.tables["contacts"]);
    expect((await backUp(world.service.database)).manifest.tables["contacts"]!.rows).toBe(
      before.manifest.tables["contacts"]!.rows + 5,
    );
  });

  // Each damage is a restore of its own.
  test("a damaged backup leaves the database empty", { timeout: 240_000 }, async () => {
    const world = worlds[kind]!;
    const { parts } = await backUp(world.service.database);
    const bytes = await pack(parts);
    const chance = chanceOf(`damaged backups on ${kind}`);
    await using target = await openFresh(kind, { migrated: false });
    const flipped = (place: number) => {
      const damaged = Buffer.from(bytes);
      damaged[place] = damaged[place]! ^ (1 << Math.floor(chance() * 8));
      return damaged;
    };
    const contacts = parts.findIndex(({ name }) => name.startsWith("tables/contacts/"));
    const kinds: Record<string, Buffer> = {
      "without its manifest": await pack(parts.slice(0, -1)),
      "without a table": await pack(parts.toSpliced(contacts, 1)),
      "with a table twice": await pack(parts.toSpliced(contacts, 0, parts[contacts]!)),
      "with another part": await pack(
        parts.toSpliced(1, 0, { name: "tables/passwords/000001.jsonl", bytes: Buffer.from("[1]\n") }),
      ),
      "cut off": bytes.subarray(0, Math.floor(chance() * bytes.length)),
      empty: Buffer.alloc(0),
      "of another kind": Buffer.from("%PDF-1.7"),
    };
    const damages: Record<string, Buffer> = {
      ...Object.fromEntries(sampleOf(`kinds of damage on ${kind}`, 3, Object.entries(kinds))),
      ...Object.fromEntries(
        Array.from({ length: repetitions(2, 40) }, () => {
          // Of a tar alone: the zeros that fill its blocks say nothing, and a compressed backup has a checksum besides.
          const part = parts[Math.floor(chance() * parts.length)]!;
          const place = Math.floor(chance() * part.bytes.length);
          return [`with a flipped bit in byte ${place} of ${part.name}`, flipped(bytes.indexOf(part.bytes) + place)];
        }),
      ),
    };
    for (const [damage, damaged] of Object.entries(damages)) {
      const restored = await restoreBackup(target.database, each([damaged]), { accept, blobs: nowhere }).catch(
        (error: unknown) => error,
      );
      expect(restored, damage).toBeInstanceOf(Error);
      expect((await schemaState(target.database)).applied, damage).toEqual([]);
    }
  });

  test("a backup of an older schema is migrated", async () => {
    await using older = await openFresh(kind, { migrated: false });
    const carried = carriedMigrations(older.database);
    await migrateUp(older.database, { to: carried[3] });
    await older.database.transaction(async ({ rows }) => {
      await rows("insert into installation (id, secret_check, created_at) values (1, 'v1', ?)", [at]);
      await rows("insert into workspaces (name, created_at) values ('Acme', ?)", [at]);
    });
    const { parts } = await backUp(older.database);
    await using target = await openFresh(kind, { migrated: false });
    const restored = await restoreBackup(target.database, each([await pack(parts)]), { accept, blobs: nowhere });
    expect(restored.migrated).toEqual(carried.slice(4));
    expect(await target.database.rows("select name from workspaces")).toEqual([{ name: "Acme" }]);
    expect((await schemaState(target.database)).pending).toEqual([]);
  });

  test("tables of other programs beside those of crm are left out", async () => {
    await using source = await openFresh(kind);
    await source.database.transaction(async ({ rowsOnce }) => {
      await rowsOnce("insert into installation (id, secret_check, created_at) values (1, 'x', ?)", [at]);
      await rowsOnce("create table heartbeats (id integer primary key, beats integer)");
      await rowsOnce("insert into heartbeats (id, beats) values (7, 1)");
      await rowsOnce("create table replica_locks (id integer, part real)");
    });
    const { parts, header } = await backUp(source.database);
    expect(Object.keys(header.tables)).toContain("contacts");
    expect(Object.keys({ ...header.tables, ...header.last_ids })).not.toContain("heartbeats");
    await using target = await openFresh(kind, { migrated: false });
    await restoreBackup(target.database, each([await pack(parts)]), { accept, blobs: nowhere });
  });

  test("of two restores at once the second is refused", async () => {
    const archive = await pack((await backUp(worlds[kind]!.service.database)).parts);
    await using target = await openFresh(kind, { migrated: false });
    const restore = () => restoreBackup(target.database, each([archive]), { accept, blobs: nowhere });
    const ended = await Promise.allSettled([restore(), restore()]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = ended.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(String(refused.reason)).toContain("The database is not empty");
  });

  test("a backup that does not fit is refused", async () => {
    const world = worlds[kind]!;
    const { parts, header } = await backUp(world.service.database);
    const [first, ...others] = parts;
    await using target = await openFresh(kind, { migrated: false });
    for (const [changed, sentence] of [
      [{ schema: [...header.schema, "later"] }, "does not know later"],
      [{ format: 2 }, "a newer version of crm"],
      [{ crm: 1 }, "backup.json is not in the form"],
      [{ tables: { ...header.tables, contacts: ["id"] } }, "does not have the columns"],
    ] as const) {
      const bytes = await pack([
        { name: first!.name, bytes: Buffer.from(JSON.stringify({ ...header, ...changed })) },
        ...others,
      ]);
      await expect(restoreBackup(target.database, each([bytes]), { accept, blobs: nowhere })).rejects.toThrow(sentence);
      expect((await schemaState(target.database)).applied).toEqual([]);
    }
  });
});

test.each(databaseKinds)("on %s, lines are those that JSON.stringify writes, whatever a text holds", async (kind) => {
  await using fresh = await openFresh(kind, { migrated: false });
  const { database } = fresh;
  const chance = chanceOf(`lines on ${kind}`);
  const ascii = Array.from({ length: 127 }, (_, code) => String.fromCodePoint(code + 1));
  const odd = ["", '"', "\\", "\u0080\u009f", "\u2028\u2029", "🧵", "\ufeff", "ﬁ", "[1,null]", "null", "?", "$1"];
  const any = (): string => {
    const code = 1 + Math.floor(chance() * 0x10_ff_fe);
    return code >= 0xd8_00 && code <= 0xdf_ff ? "" : String.fromCodePoint(code);
  };
  const texts = [...ascii, ...odd, ...Array.from({ length: 200 }, () => any() + any())];
  const rows = texts.map((text, place) => [
    place % 3 === 0 ? null : Math.floor((chance() - 0.5) * 2 * Number.MAX_SAFE_INTEGER),
    place % 4 === 0 ? null : Number(chance() < 0.5),
    place % 5 === 0 ? null : Math.floor((chance() - 0.2) * 4_000_000_000_000),
    place % 7 === 0 ? null : text,
  ]);
  // More columns than a call has arguments.
  const more = Array.from({ length: 120 }, (_, place) => `z${String(place).padStart(3, "0")}`);
  const types = { sqlite: "datetime", postgres: "timestamptz(3)" };
  await database.transaction(async ({ rowsOnce, rows: run }) => {
    await rowsOnce(`create table odd (k1 bigint not null, k2 integer not null, number bigint, flag boolean, moment ${types[kind]}, words text,
      ${more.map((name) => `${name} text`).join(", ")}, primary key (k1, k2))`);
    for (const [place, [number, flag, time, words]] of rows.entries())
      await run("insert into odd (k1, k2, number, flag, moment, words, z000, z119) values (?, ?, ?, ?, ?, ?, ?, ?)", [
        Math.floor(place / 10),
        place % 10,
        number as number | null,
        flag === null ? null : flag === 1,
        time === null ? null : new Date(time!),
        words as string | null,
        "first",
        "last",
      ]);
  });
  const table = (await readTables(database)).find(({ name }) => name === "odd")!;
  const pieces: Uint8Array[] = [];
  let count = 0;
  for await (const batch of readLines(database, table)) {
    pieces.push(batch.bytes);
    count += batch.count;
  }
  const names = table.columns.map(({ name }) => name);
  const expected = rows.map(([number, flag, moment, words], place) => {
    const key = { k1: Math.floor(place / 10), k2: place % 10 };
    const values: Record<string, unknown> = { ...key, number, flag, moment, words, z000: "first", z119: "last" };
    return `${JSON.stringify(names.map((name) => values[name] ?? null))}\n`;
  });
  expect(count).toBe(rows.length);
  expect(Buffer.concat(pieces).toString()).toBe(expected.join(""));
});

test.each(databaseKinds)(
  "rows that are far larger than those before them are divided into parts, on %s",
  async (kind) => {
    await using fresh = await openFresh(kind);
    const { database } = fresh;
    const mebibyte = "x".repeat(1_048_576);
    await database.transaction(async ({ rowsOnce }) => {
      await rowsOnce("create table grown (id bigint primary key, words text)");
      for (let id = 1; id <= 60; id++)
        await rowsOnce("insert into grown (id, words) values (?, ?)", [id, id <= 40 ? "x" : mebibyte]);
    });
    const table = (await readTables(database)).find(({ name }) => name === "grown")!;
    const sizes: number[] = [];
    const ids: number[] = [];
    for await (const { bytes, count } of readLines(database, table)) {
      const lines = Buffer.from(bytes).toString().trimEnd().split("\n");
      expect(lines.length).toBe(count);
      ids.push(...lines.map((line) => (JSON.parse(line) as [number])[0]));
      sizes.push(bytes.length);
    }
    expect(ids).toEqual(Array.from({ length: 60 }, (_, place) => place + 1));
    expect(Math.max(...sizes)).toBeLessThan(8 * 1_048_576 + 1);
  },
);

test.each([
  ["7d", 7],
  ["1d", 1],
  ["2w", 2],
  ["3m", 3],
  ["2d,2w,2m", 3],
])("keeps by %s", (rule, kept) => {
  // One each day, newest first: 70 days back from 1 March.
  const backups = Array.from({ length: 70 }, (_, day) => ({ at: new Date(at.getTime() - day * 86_400_000) }));
  const removed = outdated(backups, readKeepRule(rule)!);
  expect(backups.length - removed.length).toBe(kept);
  expect(removed).not.toContain(backups[0]);
});

test.each(["", "7", "d", "0d", "7d,7d", "7d;4w", "7y", "-1d", "7d,"])("%j is no rule", (rule) => {
  expect(readKeepRule(rule)).toBeUndefined();
});
