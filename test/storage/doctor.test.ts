/** Each check of `crm doctor` finds the fault that is sown for it, and --fix mends what it says it mends. */
import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { chmod, open, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { dataChecks, installationChecks, machineChecks } from "../../src/doctor/checks.ts";
import type { Check, Installation, Verdict } from "../../src/doctor/check.ts";
import { diagnose } from "../../src/doctor/diagnose.ts";
import { judgeRoom } from "../../src/doctor/machine/free-space.ts";
import { judgeFileSystem } from "../../src/doctor/machine/network-file-system.ts";
import { strayFiles } from "../../src/doctor/records/stray-files.ts";
import { sealedColumns } from "../../src/doctor/records/sealed-columns.ts";
import { entities } from "../../src/entities.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { recordBackup } from "../../src/backup/backup-record.ts";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { findDefects } from "../../src/storage/inspection/engine.ts";
import { loadMasterKeys } from "../../src/storage/installation/master-key-file.ts";
import { workerSeen } from "../../src/storage/installation/installation.ts";
import { openCarelessPostgres } from "../support/careless-postgres.ts";
import { databaseKinds } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

interface Ground {
  readonly world: World;
  readonly records: Records;
  readonly subject: Installation;
  /** Runs a statement on the database. */
  run(text: string, params?: readonly (string | number | Date)[]): Promise<unknown>;
}

interface Row {
  readonly check: string;
  readonly verdict: Verdict;
  readonly found: RegExp;
  /** Sows the fault; what it returns is seen instead of the world's. */
  readonly sow: (ground: Ground) => Promise<Partial<Installation> | void> | Partial<Installation>;
  readonly fixed?: RegExp;
  readonly kinds?: readonly DatabaseKind[];
}

const checks = [...machineChecks, ...installationChecks, strayFiles, ...dataChecks] as readonly Check<Installation>[];
const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);
const long = (world: World): Date => new Date(world.clock.now().getTime() - 2 * 3_600_000);

/** Started by the first row that needs it. */
let careless: ReturnType<typeof openCarelessPostgres> | undefined;
afterAll(async () => (await careless)?.[Symbol.asyncDispose]());

async function carelessServer(): Promise<Partial<Installation>> {
  const { database } = await (careless ??= openCarelessPostgres());
  return { database };
}

const rows: readonly Row[] = [
  {
    check: "unknown settings",
    verdict: "warning",
    found: /^CRM_PROT in the environment is not a setting$/,
    sow: () => ({ unknownSettings: ["CRM_PROT in the environment is not a setting."] }),
  },
  {
    check: "contradictory settings",
    verdict: "failure",
    found: /^CRM_SMTP_URL is set and CRM_MAIL_FROM is not$/,
    sow: ({ subject }) => ({ settings: { ...subject.settings, smtpUrl: "smtp://127.0.0.1", mailFrom: null } }),
  },
  {
    check: "public address",
    verdict: "warning",
    found: /^the service listens on 0\.0\.0\.0 and CRM_BASE_URL is not set/,
    sow: ({ subject }) => ({ settings: { ...subject.settings, host: "0.0.0.0" } }),
  },
  {
    check: "trusted proxies",
    verdict: "warning",
    found: /no proxy is trusted/,
    sow: ({ subject }) => ({ settings: { ...subject.settings, baseUrl: "https://crm.example.com" } }),
  },
  {
    check: "data folder",
    verdict: "warning",
    found: /^Every user of this machine can look into/,
    sow: ({ subject }) => chmod(subject.settings.dataDir, 0o755),
  },
  {
    check: "worker",
    verdict: "failure",
    found: /^no worker was seen for 2 hours$/,
    sow: ({ world }) => workerSeen(world.service.database, long(world)),
  },
  {
    check: "clock",
    verdict: "failure",
    found: /^a worker was seen [\d.]+ seconds in the future/,
    sow: ({ world }) => workerSeen(world.service.database, hours(1)),
  },
  {
    check: "clock",
    kinds: ["postgres"],
    verdict: "failure",
    found: /^the clocks of this machine and of the database differ by \d+/,
    async sow({ world }) {
      await workerSeen(world.service.database, long(world));
      return { clock: { now: () => hours(-1) } };
    },
  },
  {
    check: "node version",
    verdict: "warning",
    found: /^Node 24\.12\.1: /,
    sow: () => ({ nodeVersion: "24.12.1" }),
  },
  {
    check: "writes",
    kinds: ["postgres"],
    verdict: "failure",
    found: /^a change is refused: cannot execute UPDATE in a read-only transaction$/,
    async sow({ subject }) {
      const url = new URL(subject.settings.databaseUrl);
      url.searchParams.set("options", "-c default_transaction_read_only=on");
      const database = await openDatabase(url.href, entities);
      onTestFinished(() => database.close());
      return { database };
    },
  },
  {
    check: "writes",
    kinds: ["sqlite"],
    verdict: "failure",
    found: /^a change is refused: attempt to write a readonly database$/,
    async sow({ subject }) {
      const database = await openDatabase(subject.settings.databaseUrl, entities);
      onTestFinished(() => database.close());
      await database.transaction(({ rowsOnce }) => rowsOnce("pragma query_only = on"));
      return { database };
    },
  },
  {
    check: "vacuum",
    kinds: ["postgres"],
    verdict: "warning",
    found: /autovacuum is off for the table tasks/,
    sow: async ({ run }) => void (await run("alter table tasks set (autovacuum_enabled = false)")),
  },
  {
    check: "durability",
    kinds: ["postgres"],
    verdict: "failure",
    found: /^fsync is off: .+ full_page_writes is off: a crash of the machine may destroy the database$/,
    sow: carelessServer,
  },
  {
    check: "write-ahead log",
    kinds: ["postgres"],
    verdict: "warning",
    found: /^wal_level is minimal: /,
    sow: carelessServer,
  },
  {
    check: "write-ahead log",
    kinds: ["sqlite"],
    verdict: "warning",
    found: /^it is 2048 MiB long: a program that reads the file keeps it from being emptied$/,
    async sow({ subject }) {
      // What follows the last commit is not read. A hole takes no space.
      const log = `${subject.settings.databaseUrl.slice("sqlite:".length)}-wal`;
      const { size } = await stat(log);
      await truncate(log, 2 ** 31);
      onTestFinished(() => truncate(log, size));
    },
  },
  {
    check: "connections",
    kinds: ["postgres"],
    verdict: "failure",
    found: /opens up to 1153 connections, and the server allows \d+$/,
    sow: ({ subject }) => ({ settings: { ...subject.settings, processes: 64 } }),
  },
  {
    check: "due events",
    verdict: "failure",
    found: /^the event without a position that waits longest was due 2 hours ago$/,
    sow: async ({ run, world }) => {
      await run("update events set created_at = ? where id = 1", [long(world)]);
      await run(
        "insert into unstamped_events (event_id, workspace_id) select id, workspace_id from events where id = 1",
      );
    },
  },
  {
    check: "due deliveries",
    verdict: "failure",
    found: /^the delivery that waits longest was due 2 hours ago$/,
    sow: async ({ run, world }) => void (await run("update hook_queues set due_at = ?", [long(world)])),
  },
  {
    check: "due messages",
    verdict: "failure",
    found: /^the message that waits longest was due 2 hours ago$/,
    sow: async ({ run, world }) => void (await run("update channel_queues set due_at = ?", [long(world)])),
  },
  {
    check: "due runs",
    verdict: "failure",
    found: /^the workflow run that waits longest was due 2 hours ago$/,
    sow: async ({ run, world, records }) =>
      void (await run("update workflow_runs set due_at = ? where id = ?", [long(world), records.workflow_run!])),
  },
  {
    check: "leases",
    verdict: "failure",
    found: /^leases end in the future: 1 of deliveries$/,
    sow: async ({ run, world, records }) =>
      void (await run("update deliveries set leased_until = ?, due_at = null where id = ?", [
        new Date(world.clock.now().getTime() + 3_600_000),
        records.delivery!,
      ])),
    fixed: /^ended leases: 1 of deliveries$/,
  },
  {
    check: "webhooks",
    verdict: "warning",
    found: /^only failures for 3 days: webhook \d+ to 192\.0\.3\.1$/,
    sow: async ({ run, world, records }) =>
      void (await run("update hooks set failing_since = ? where id = ?", [
        new Date(world.clock.now().getTime() - 5 * 86_400_000),
        records.hook!,
      ])),
  },
  {
    check: "master keys",
    verdict: "warning",
    found: /^no secret needs the key at place 2$/,
    sow: ({ subject }) => ({ masterKeys: [...subject.masterKeys!, createMasterKeys([mintMasterKey()])] }),
  },
  {
    check: "stray files",
    verdict: "warning",
    found: /^1 stored file of no attachment of this database$/,
    async sow({ world }) {
      await world.service.blobs.write(randomUUID(), [Buffer.from("lost")]);
      return { clock: { now: () => hours(48) } };
    },
    fixed: /^removed 1 stored file$/,
  },
  {
    check: "missing files",
    verdict: "failure",
    found: /^1 of \d+ files of attachments are missing: /,
    async sow({ world, records }) {
      const [row] = await world.service.database.rows<{ blob_key: string }>(
        "select blob_key from attachments where id = ?",
        [records.attachment!],
      );
      await world.service.blobs.remove(row!.blob_key);
    },
  },
  {
    check: "backup",
    verdict: "warning",
    found: /^the newest, b\.tar\.zst, is 9 days old, 5 bytes$/,
    async sow({ world, run }) {
      const takenAt = new Date(world.clock.now().getTime() - 9 * 86_400_000);
      await run("update backup_records set taken_at = ?, bytes = 5, name = 'b.tar.zst'", [takenAt]);
    },
  },
  {
    check: "backup",
    verdict: "failure",
    found: /^scheduled backups fail since \S+: no space$/,
    async sow({ run, world, subject }) {
      await run("update backup_records set failing_since = ?, error = 'no space'", [world.clock.now()]);
      return { settings: { ...subject.settings, backupUrl: "fs:/backups" } };
    },
  },
  {
    check: "foreign keys",
    kinds: ["sqlite"],
    verdict: "failure",
    found: /^notes \d+ refers to a missing row of contacts$/,
    sow({ subject }) {
      const raw = new BetterSqlite(subject.settings.databaseUrl.slice("sqlite:".length));
      raw.pragma("foreign_keys = off");
      raw
        .prepare("insert into notes (contact_id, body, pinned, created_at, updated_at) values (987654, '', 0, 0, 0)")
        .run();
      raw.close();
      return {};
    },
  },
  {
    check: "foreign keys",
    kinds: ["postgres"],
    verdict: "failure",
    found: /^the constraint unchecked of notes was never checked$/,
    sow: async ({ run }) =>
      void (await run(
        "alter table notes add constraint unchecked foreign key (contact_id) references contacts (id) not valid",
      )),
  },
  {
    check: "foreign keys",
    kinds: ["postgres"],
    verdict: "failure",
    found:
      /custom_values \d+ refers to a missing row of contacts; custom_values \d+ refers to a missing row of custom_fields$/,
    sow: async ({ run }) =>
      void (await run(
        `insert into custom_values (contact_id, field_id, location_id, value, key) values (987654, 987654, 1, '1', '1')`,
      )),
  },
  {
    check: "indexes",
    verdict: "failure",
    found: /^missing: hook_queues_hook, contacts_by_name$/,
    async sow({ run, world }) {
      await run("drop index contacts_by_name");
      const isConstraint = world.kind === "postgres";
      await run(
        isConstraint ? "alter table hook_queues drop constraint hook_queues_hook" : "drop index hook_queues_hook",
      );
    },
  },
  {
    check: "contact counts",
    verdict: "failure",
    found: /^location \d+ has 3 fewer than it counts$/,
    sow: async ({ run, world }) =>
      void (await run("insert into contact_counts (location_id, delta) values (?, 3)", [world.north])),
    fixed: /^corrected the counter of 1 location$/,
  },
  {
    check: "stages and tasks",
    verdict: "failure",
    found: /^2 contacts with a wrong stage, value or next task$/,
    async sow({ run, records }) {
      await run("update contacts set next_task_id = 987654 where id = ?", [records.contact!]);
      await run(
        "update contacts set stage_id = 987654 where id = (select max(id) from contacts where deleted_at is null)",
      );
    },
    fixed: /^corrected 2 contacts$/,
  },
  {
    check: "event positions",
    verdict: "failure",
    found: /^1 of the positions \d+ to \d+ are missing$/,
    sow: async ({ run }) =>
      void (await run("delete from event_positions where position = (select last_position - 1 from event_log)")),
  },
  {
    check: "references",
    verdict: "failure",
    found: /^deliveries whose event_id is gone: 1$/,
    sow: async ({ run, records }) =>
      void (await run("update deliveries set event_id = 987654 where id = ?", [records.delivery!])),
    fixed: /^removed or cleared deliveries whose event_id is gone: 1$/,
  },
  {
    check: "secrets",
    verdict: "failure",
    found: /^1 of \d+ secrets do not open: hooks\.secret \d+$/,
    sow: async ({ run, records }) =>
      void (await run("update hooks set secret = 'v1.0.0' where id = ?", [records.hook!])),
  },
  {
    check: "damage",
    kinds: ["sqlite"],
    verdict: "failure",
    found: /: database disk image is malformed/,
    async sow({ subject }) {
      const path = join(subject.settings.dataDir, "damaged.db");
      const raw = new BetterSqlite(subject.settings.databaseUrl.slice("sqlite:".length));
      raw.prepare("vacuum into ?").run(path);
      const root = raw.prepare("select rootpage from sqlite_master where name = 'tags'").pluck().get() as number;
      const size = raw.pragma("page_size", { simple: true }) as number;
      raw.close();
      const file = await open(path, "r+");
      await file.write(Buffer.alloc(size, 7), 0, size, (root - 1) * size);
      await file.close();
      const database = await openDatabase(`sqlite:${path}`, entities);
      onTestFinished(() => database.close());
      return { database };
    },
  },
];

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each(databaseKinds)("on %s", (kind) => {
  let ground: Ground;
  beforeAll(async () => {
    const world = await createWorld(kind, { clock: new ManualClock(new Date().toISOString()) });
    const records = await makeRecords(world);
    await world.service.worker.runOnce();
    await recordBackup(world.service.database, { takenAt: long(world), bytes: 1, name: null });
    const { settings, database, blobs } = world.service;
    const keys = await loadMasterKeys(settings, { make: false });
    const subject: Installation = {
      settings,
      unknownSettings: [],
      clock: systemClock,
      nodeVersion: "24.21.0",
      database,
      blobs,
      masterKeys: keys.map((key) => createMasterKeys([key])),
    };
    const run: Ground["run"] = (text, params) => database.transaction(({ rowsOnce }) => rowsOnce(text, params));
    ground = { world, records, subject, run };
  });
  afterAll(() => ground?.world.close());

  test("a sound installation", async () => {
    const found = await all(diagnose(checks, ground.subject, { fix: false }));
    expect(found.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
  });

  test.each(rows.filter(({ kinds = databaseKinds }) => kinds.includes(kind)))("$check", async (row) => {
    const subject = { ...ground.subject, ...(await row.sow(ground)) };
    const check = checks.find(({ name }) => name === row.check)!;
    const [found] = await all(diagnose([check], subject, { fix: false }));
    expect(found).toMatchObject({ verdict: row.verdict, found: expect.stringMatching(row.found), fixed: null });
    expect(found!.remedy).not.toBeNull();
    expect(check.mend !== undefined).toBe(row.fixed !== undefined);
    if (row.fixed === undefined) return;
    const [fixed] = await all(diagnose([check], subject, { fix: true }));
    expect(fixed).toMatchObject({ verdict: "ok", fixed: expect.stringMatching(row.fixed) });
  });
});

/** Beside those of the table. Files of TLS: test/unit/doctor-tls.test.ts. */
const judgedByFigures = ["TLS files", "free space", "network file system", "database version"];

test("every column that is encrypted is among those whose secrets are opened", () => {
  const sources = globSync("src/**/*.ts").map((path) => readFileSync(path, "utf8"));
  // A context is named after its column.
  const contexts = sources.flatMap((source) =>
    [...source.matchAll(/return `(\w+\.\w+) \$\{/g)].map(([, name]) => name),
  );
  const listed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
  expect(contexts.filter((name) => !listed.has(name!))).toEqual([]);
  expect(contexts).toHaveLength(6);
});

test("no check is left out", () => {
  expect(new Set([...rows.map(({ check }) => check), ...judgedByFigures])).toEqual(
    new Set(checks.map(({ name }) => name)),
  );
});

test("what no test can sow is judged by its figures", () => {
  expect(judgeRoom([{ path: "/data", free: 5 * 2 ** 20 }])).toMatchObject({
    verdict: "failure",
    found: "/data has 5 MiB left",
  });
  expect(judgeFileSystem("/mnt", 0x69_69)).toMatchObject({ verdict: "failure", found: expect.stringContaining("NFS") });
  expect(findDefects("sqlite", "3.51.2")).toHaveLength(1);
  expect(findDefects("sqlite", "3.51.3")).toEqual([]);
  expect(findDefects("postgres", "14.3")).toHaveLength(1);
  expect(findDefects("postgres", "18.2")).toHaveLength(1);
  expect(findDefects("postgres", "18.3")).toEqual([]);
});
