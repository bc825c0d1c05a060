/** SQLite on a full or read-only disk: 503 or a clear error at the start, no confirmed write is lost, and automatic recovery. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { repetitions, sampleOf } from "../support/chance.ts";
import { openSystem, openSystemIn } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import { readOnlyKinds, smallDisks } from "./small-disk.ts";
import { until } from "./until.ts";
import { expectPositions, expectInvariants } from "./invariants.ts";

const writers = 8;
const rounds = repetitions(3, 5);
const patience = 8000;

interface Writing {
  readonly answered: Map<string, number>;
  readonly statuses: number[];
  readonly wrong: unknown[];
  slowest: number;
  stopped: boolean;
}

async function write(system: TestedSystem, url: string, writer: number, writing: Writing): Promise<void> {
  const line = new KeepAliveConnection(url);
  for (let number = 0; !writing.stopped; number++) {
    const email = `d${writer}.${writing.answered.size}.${number}@example.com`;
    const body = { location_id: system.location, first_name: "Dee", last_name: "Disk", email };
    const answer = await line.ask({ method: "POST", path: "/api/v1/contacts", key: system.key, body });
    writing.statuses.push(answer.status);
    writing.slowest = Math.max(writing.slowest, answer.milliseconds);
    if (answer.status === 201) writing.answered.set(email, answer.body.id);
    else if (answer.status !== 503 || answer.headers["retry-after"] !== "1") writing.wrong.push(answer);
    await sleep(answer.status === 503 ? 50 : 5);
  }
  line.close();
}

describe.each(sampleOf("Faults: full disk", 2, smallDisks))("$kind", ({ open }) => {
  test(`${rounds} times under writers: writes get 503 with Retry-After, reads succeed, no confirmed write is lost`, async () => {
    await using disk = await open();
    await using system = await openSystemIn(
      { url: `sqlite:${join(disk.directory, "crm.db")}`, directory: disk.directory, drop: async () => {} },
      disk.environment,
    );
    const serving = await system.serve();
    const { pid } = serving.process;
    const writing: Writing = { answered: new Map(), statuses: [], wrong: [], slowest: 0, stopped: false };
    const all = Promise.all(
      Array.from({ length: writers }, (_, writer) => write(system, serving.url, writer, writing)),
    );
    const line = new KeepAliveConnection(serving.url);
    try {
      for (let round = 0; round < rounds; round++) {
        const before = writing.answered.size;
        await until("they write", () => writing.answered.size > before + 20);
        await disk.shut(pid);
        await until("all writes fail", () => writing.statuses.slice(-3 * writers).every((status) => status === 503));
        const path = `/api/v1/contacts?location_id=${system.location}`;
        const list = await line.ask({ method: "GET", path, key: system.key });
        expect({ status: list.status, total: list.body.total }).toEqual({ status: 200, total: writing.answered.size });
        expect(await line.ask({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200 });
        const unready = await line.ask({ method: "GET", path: "/readyz" });
        expect(unready).toMatchObject({ status: 503, body: { status: "not_ready", database: "ok", writes: disk.why } });
        // The worker and background writes are affected as well.
        await sleep(round === 0 ? 6000 : 100);
        await disk.open(pid);
        await until(
          "it is ready again",
          async () => (await line.ask({ method: "GET", path: "/readyz" })).status === 200,
        );
      }
      const before = writing.answered.size;
      await until("they write again", () => writing.answered.size > before + 20);
    } finally {
      writing.stopped = true;
      await all;
      line.close();
    }
    expect(writing.wrong).toEqual([]);
    expect(writing.slowest).toBeLessThan(patience);
    await expectInvariants(system, serving.url, writing.answered);
    await until("every event has its position", async () => {
      const [waiting] = await system.rows<{ count: number }>("select count(*) as count from unstamped_events");
      return waiting!.count === 0;
    });
    await expectPositions(system);

    // Killed while writes fail: the next process refuses to start, or serves reads until writes succeed. No confirmed write is lost.
    await disk.shut(pid);
    await serving.kill();
    if (disk.refusal !== undefined) {
      const { code, stdout, stderr } = await system.run("serve", "--port", "0");
      expect({ code, stdout }).toEqual({ code: disk.refusal.code, stdout: "" });
      expect(stderr).toMatch(disk.refusal.stderr);
      await disk.open(pid);
    }
    const next = await system.serve();
    if (disk.why === "disk_full") {
      const list = { path: `/api/v1/contacts?location_id=${system.location}`, key: system.key };
      const restarted = new KeepAliveConnection(next.url);
      expect(await restarted.ask({ method: "GET", ...list })).toMatchObject({
        status: 200,
        body: { total: writing.answered.size },
      });
      writing.stopped = false;
      const written = write(system, next.url, writers, writing);
      // SQLite overwrites what is left of the write-ahead log first.
      await until("a write fails", () => writing.statuses.at(-1) === 503);
      const readiness = () => restarted.ask({ method: "GET", path: "/readyz" });
      expect(await readiness()).toMatchObject({ status: 503, body: { writes: disk.why } });
      await disk.open(pid);
      await until("it is ready again", async () => (await readiness()).status === 200);
      writing.stopped = true;
      await written;
      expect(writing.wrong).toEqual([]);
      restarted.close();
      restarted.close();
    }
    await expectInvariants(system, next.url, writing.answered);
    expect(await next.terminate()).toMatchObject({ code: 0 });
  });
});

describe.each(sampleOf("Faults: read-only disks", 1, readOnlyKinds))("$kind", ({ during, crm }) => {
  test("is reported in one sentence by every process that starts on it, and leaves no trace afterwards", async () => {
    await using system = await openSystem("sqlite");
    const { directory } = system.place;
    await during(directory, async () => {
      for (const parameters of [["serve", "--port", "0"], ["worker"], ["contacts", "show", "1"]]) {
        const { code, stdout, stderr } = await crm(parameters, { environment: system.environment, directory });
        expect({ code, stdout }, parameters.join(" ")).toEqual({ code: 1, stdout: "" });
        expect(stderr).toMatch(/^Error: The SQLite database \S+crm\.db is not writable.*\.\n$/);
      }
    });
    const serving = await system.serve();
    expect(await serving.terminate()).toMatchObject({ code: 0, stderr: "" });
  });

  test("is reported without an existing database as well", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crm-empty-"));
    try {
      await during(folder, async () => {
        const ended = await crm(["serve", "--port", "0"], { environment: { CRM_DATA_DIR: folder }, directory: folder });
        const stderr = expect.stringMatching(/^Error: .*not writable.*\.\n$/);
        expect(ended).toEqual({ code: 1, signal: null, stdout: "", stderr });
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
