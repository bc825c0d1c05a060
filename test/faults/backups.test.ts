/** Backups under writers, restored elsewhere after kill -9; and what kill -9 and a full disk leave of a backup and of a restore. */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds, freshDatabase } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { expectInvariants, expectPositions } from "./invariants.ts";
import { Interrupted, KeepAliveConnection, Refused } from "./keep-alive-connection.ts";
import { smallDisks } from "./small-disk.ts";
import { startKilled } from "./start-killed.ts";
import { openSystem, systemIn } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { until } from "./until.ts";

const writers = 32;
const pairs = databaseKinds.flatMap((from) => databaseKinds.map((to) => ({ from, to })));

/** Creates contacts until the service is gone; `answered` gets the ids by e-mail. */
async function write(system: TestedSystem, url: string, writer: number, answered: Map<string, number>): Promise<void> {
  const line = new KeepAliveConnection(url);
  for (let number = 0; ; number += 1) {
    const email = `w${writer}.${number}@example.com`;
    const body = { location_id: system.location, first_name: "Ada", last_name: `Lovelace ${number % 7}`, email };
    try {
      const { status, body: made } = await line.ask({
        method: "POST",
        path: "/api/v1/contacts",
        key: system.key,
        body,
      });
      expect(status).toBe(201);
      answered.set(email, made.id);
    } catch (error) {
      if (error instanceof Interrupted || error instanceof Refused) return;
      throw error;
    }
  }
}

/** An empty place for the backup of `system`, on a database of this kind. */
async function emptyPlaceFor(system: TestedSystem, kind: DatabaseKind): Promise<TestedSystem> {
  const { url, directory, drop } = await freshDatabase(kind, { migrated: false });
  const data = join(directory, "data");
  await mkdir(data);
  const place = { url: kind === "sqlite" ? `sqlite:${join(data, "crm.db")}` : url, directory: data, drop };
  const empty = systemIn(place, system);
  onTestFinished(() => empty[Symbol.asyncDispose]());
  return empty;
}

/** Status, ETag and bytes of an answer. */
async function answerOf({ key }: TestedSystem, url: string, path: string) {
  const { status, headers, text } = await request(url, { method: "GET", path: `/api/v1${path}`, key });
  return { status, etag: headers.get("etag"), body: text };
}

const draftsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.includes("partial") || name.endsWith(".zst"));

describe.each(sampleOf("Faults: the drill", 1, pairs))("from $from to $to", ({ from, to }) => {
  test(`a backup beside ${writers} writers, kill -9, and a restore elsewhere lose nothing that was answered before`, async () => {
    const chance = chanceOf(`reads after a restore from ${from} to ${to}`);
    await using system = await openSystem(from);
    const serving = await system.serve();
    const answered = new Map<string, number>();
    const writing = Promise.all(
      Array.from({ length: writers }, (_, writer) => write(system, serving.url, writer, answered)),
    );
    await until("the writers are under way", () => answered.size > 10 * writers);
    const before = new Map(answered);
    const page = `/contacts?location_id=${system.location}`;
    const file = join(system.place.directory, "drill.tar.zst");
    expect(await system.run("backup", file, "--with-keys", "--json")).toMatchObject({ code: 0 });
    const during = answered.size;
    await until("they write on", () => answered.size > during + writers);
    await serving.kill();
    await writing;

    const restored = await emptyPlaceFor(system, to);
    expect(await restored.run("restore", file, "--json")).toMatchObject({ code: 0, stderr: "" });
    const [there, here] = [await restored.serve("--no-worker"), await system.serve("--no-worker")];
    await expectInvariants(restored, there.url, before);

    // What the backup holds is answered with the same bytes by both; `before` is all that must be there.
    const ids = [...before.values()];
    for (let read = 0; read < repetitions(100, 1000); read += 1) {
      const path = `/contacts/${ids[Math.floor(chance() * ids.length)]}?location_id=${system.location}`;
      const [one, other] = [await answerOf(restored, there.url, path), await answerOf(system, here.url, path)];
      expect(one).toEqual({ ...other, status: 200 });
    }

    // Sequences, cursors and positions go on.
    const { next_cursor: cursor, data } = JSON.parse((await answerOf(system, here.url, page)).body);
    const made = await request(there.url, {
      method: "POST",
      path: "/api/v1/contacts",
      key: system.key,
      body: { location_id: system.location, first_name: "After", last_name: "Restore" },
    });
    expect(made.status).toBe(201);
    expect(Math.max(...ids)).toBeLessThan(made.body.id);
    const second = JSON.parse((await answerOf(restored, there.url, `${page}&cursor=${cursor}`)).body);
    expect(second.data.length).toBeGreaterThan(0);
    const first = new Set(data.map(({ id }: { id: number }) => id));
    expect(second.data.filter(({ id }: { id: number }) => first.has(id))).toEqual([]);
    expect(await restored.run("worker", "--once")).toMatchObject({ code: 0 });
    await expectPositions(restored);
    await there.terminate();
    const doctor = JSON.parse((await restored.run("doctor", "--json")).stdout);
    expect(doctor.checks.filter(({ verdict }: { verdict: string }) => verdict === "failure")).toEqual([]);
  });
});

describe.each(sampleOf("Faults: killed backups", 1, databaseKinds))("on %s", (kind) => {
  test("kill -9 of a backup leaves none of that name, and the next one succeeds", async () => {
    const chance = chanceOf(`kill -9 of a backup on ${kind}`);
    await using system = await openSystem(kind);
    const folder = join(system.place.directory, "backups");
    await mkdir(folder);
    for (let round = 0; round < repetitions(2, 20); round += 1) {
      const file = join(folder, `${round}.tar.zst`);
      const backing = system.start("backup", file);
      await until("it has begun", async () => (await draftsIn(folder)).length > 0, 10_000).catch(() => {});
      await sleep(chance() * 20);
      backing.signal("SIGKILL");
      await backing.finished;
      const verified = await system.run("backup", "verify", file, "--json");
      // Whole, or not there.
      if ((await readdir(folder)).includes(`${round}.tar.zst`)) expect(verified).toMatchObject({ code: 0 });
      else expect(await system.run("backup", file, "--json")).toMatchObject({ code: 0 });
    }
  });

  test("kill -9 of a restore leaves nothing or all, and it can be begun again", async () => {
    const chance = chanceOf(`kill -9 of a restore on ${kind}`);
    await using system = await openSystem(kind);
    const file = join(system.place.directory, "b.tar.zst");
    const { rows } = JSON.parse((await system.run("backup", file, "--with-keys", "--json")).stdout);
    const points = ["before 1 commit", "after 1 commit", "before 2 commit", undefined];
    for (const point of sampleOf("kill -9 of a restore", 1, points)) {
      const place = await emptyPlaceFor(system, kind);
      const restoring = point === undefined ? place.start("restore", file) : startKilled(place, point, "restore", file);
      if (point === undefined) {
        await sleep(300 + chance() * 1500);
        restoring.signal("SIGKILL");
      }
      await restoring.finished;
      const again = await place.run("restore", file, "--json");
      if (again.code === 0) expect(JSON.parse(again.stdout)).toMatchObject({ rows });
      else
        expect(again.stderr).toBe("Error: The database is not empty: a backup is restored into an empty one only.\n");
      const served = await place.serve();
      const { status } = await answerOf(place, served.url, `/contacts?location_id=${system.location}`);
      expect(status, point).toBe(200);
      await served.kill();
    }
  });
});

describe.each(sampleOf("Faults: backups onto small disks", 1, smallDisks))("$kind", ({ open }) => {
  test("a backup onto it fails with a sentence, leaves nothing, and succeeds once there is room", async () => {
    await using disk = await open();
    await using system = await openSystem("sqlite", disk.environment);
    const file = join(disk.directory, "b.tar.zst");
    const backing = system.start("backup", file);
    await disk.shut(backing.pid);
    const { code, stderr } = await backing.finished;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^Error: (\S+ cannot be written|The storage of \S+ is full or failing) \(\w+\)\.\n$/,
      ),
    });
    await disk.open(backing.pid).catch(() => {});
    expect(await draftsIn(disk.directory)).toEqual([]);
    expect(await system.run("backup", file, "--json")).toMatchObject({ code: 0 });
    expect(await system.run("backup", "verify", file, "--json")).toMatchObject({ code: 0 });
  });
});
