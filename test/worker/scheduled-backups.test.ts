/** Scheduled backups: taken when they are due, by one worker, into a folder or a bucket; a failure is mailed once, and shown. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, afterAll, describe, expect, onTestFinished, test } from "vitest";
import { readBackup } from "../../src/backup/read-backup.ts";
import { readNewestBackup } from "../../src/backup/backup-record.ts";
import { openService } from "../../src/service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { startS3Server } from "../support/s3-server.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const fileForm = /^crm-\d{8}T\d{6}Z\.tar\.zst$/;

/** A world whose backups go to `url`; nothing is due before a day has passed. */
async function given(kind: (typeof databaseKinds)[number], environment: Record<string, string>): Promise<World> {
  const world = await createWorld(kind, {
    quiet: true,
    clock: new ManualClock(new Date().toISOString()),
    environment: { CRM_BACKUP_CRON: "0 3 * * *", CRM_BACKUP_KEEP: "2d", ...environment },
  });
  onTestFinished(() => world.close());
  await givenContact(world, { first_name: "Ada" });
  await world.service.worker.runOnce();
  return world;
}

/** The contacts of a backup, once all of it has been read. */
async function contactsOf(bytes: Uint8Array): Promise<string> {
  let contacts = "";
  await readBackup(Readable.from([bytes]), {
    begin: async () => {},
    async table(name, lines) {
      if (name === "contacts") contacts += lines.join("\n");
    },
    piece: async () => {},
    end: async () => {},
  });
  return contacts;
}

describe.each(sampleOf("scheduled backups", 1, databaseKinds))("on %s", (kind) => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "crm-scheduled-"))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("one of two workers takes it, and the rule removes old ones", async () => {
    const own = join(folder, "kept");
    const world = await given(kind, { CRM_BACKUP_URL: `fs:${own}` });
    const { settings, log, clock } = world.service;
    const other = await openService(settings, { log, clock });
    onTestFinished(() => other.close());
    await expect(readdir(own)).rejects.toThrow("ENOENT");
    for (let day = 1; day <= 3; day++) {
      world.clock.advance({ days: 1 });
      await Promise.all([world.service.worker.runOnce(), other.worker.runOnce()]);
    }
    const files = (await readdir(own)).toSorted();
    expect(files).toEqual([expect.stringMatching(fileForm), expect.stringMatching(fileForm)]);
    const { size } = await stat(join(own, files[1]!));
    expect(await readNewestBackup(world.service.database)).toMatchObject({
      takenAt: world.clock.now(),
      bytes: size,
      name: files[1],
      failingSince: null,
    });
    const ready = await fetch(`${world.url}/readyz`).then((response) => response.json());
    expect(ready).toMatchObject({ last_backup_at: world.clock.now().toISOString(), last_backup_bytes: size });
    expect(await contactsOf(await readFile(join(own, files[1]!)))).toContain('"Ada"');
  });

  test("a failure is mailed to the owners once, and forgotten by the next success", async () => {
    await using server = await startMailServer();
    const own = join(folder, "blocked");
    await writeFile(own, "");
    const world = await given(kind, {
      CRM_BACKUP_URL: `fs:${own}`,
      CRM_SMTP_URL: `${server.url}?tls=optional`,
      CRM_MAIL_FROM: "crm@acme.example",
    });
    world.clock.advance({ days: 1 });
    await world.service.worker.runOnce();
    const { failingSince, error } = await readNewestBackup(world.service.database);
    expect({ failingSince, error }).toEqual({
      failingSince: world.clock.now(),
      error: expect.stringContaining("ENOTDIR"),
    });
    world.clock.advance({ minutes: 11 });
    await world.service.worker.runOnce();
    expect(server.mails.map(({ to }) => to)).toEqual([["olga@acme.example"]]);
    await rm(own);
    world.clock.advance({ minutes: 11 });
    await world.service.worker.runOnce();
    expect(await readNewestBackup(world.service.database)).toMatchObject({ failingSince: null, error: null });
    expect(await readdir(own)).toHaveLength(1);
    const audited = "select actor_type, details from audit_entries where operation = 'takeBackup'";
    expect(await world.service.database.rows(audited)).toEqual([
      { actor_type: "system", details: '{"scheduled":true}' },
    ]);
  });
});

test.runIf(existsSync("/proc"))(
  "a folder that cannot be created is a failure, and takes the worker no longer",
  async () => {
    const world = await given("sqlite", { CRM_BACKUP_URL: "fs:/proc/crm/backups" });
    world.clock.advance({ days: 1 });
    await world.service.worker.runOnce();
    expect((await readNewestBackup(world.service.database)).error).toContain("ENOENT");
  },
);

test("a bucket holds each backup as one object; a failed upload leaves nothing", async () => {
  await using s3 = await startS3Server();
  const world = await given("sqlite", {
    ...s3.environment,
    CRM_BACKUP_URL: s3.bucketUrl.replace("/crm/north", "/backups"),
  });
  for (let day = 1; day <= 3; day++) {
    world.clock.advance({ days: 1 });
    await world.service.worker.runOnce();
  }
  const names = [...s3.objects.keys()];
  expect(names).toHaveLength(2);
  expect(await contactsOf(s3.objects.get(names[1]!)!)).toContain('"Ada"');
  world.clock.advance({ days: 1 });
  // The first part, with its repetitions.
  s3.failures.push(0, 500, 500, 500);
  await world.service.worker.runOnce();
  expect((await readNewestBackup(world.service.database)).error).toContain("refused to PUT an object");
  expect([[...s3.objects.keys()], s3.uploads.size]).toEqual([names, 0]);
});

test.each([
  ["removes the parts of a bucket that is slow", ["PUT"], 0],
  ["does not wait for a bucket that does not answer", ["PUT", "DELETE"], 1],
])("a worker that stops %s, and the next backup is taken", async (_what, unanswered, left) => {
  await using s3 = await startS3Server();
  const url = s3.bucketUrl.replace("/crm/north", "/backups");
  const world = await given("sqlite", { ...s3.environment, CRM_BACKUP_URL: url });
  world.clock.advance({ days: 1 });
  for (const method of unanswered) s3.unanswered.add(method);
  const { worker } = world.service;
  const running = worker.runOnce();
  await expect.poll(() => s3.requests.filter((sent) => sent.startsWith("PUT")), { timeout: 10_000 }).toHaveLength(1);
  const begun = performance.now();
  await worker.stop();
  await running;
  expect(performance.now() - begun).toBeLessThan(left === 0 ? 5000 : 10_000);
  expect([s3.uploads.size, s3.objects.size]).toEqual([left, 0]);
  s3.unanswered.clear();
  await worker.runOnce();
  expect(s3.objects.size).toBe(1);
});
