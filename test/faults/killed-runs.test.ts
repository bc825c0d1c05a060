/**
 * kill -9 before and after each commit of a retry of workflow runs, by the command and over HTTP, and of the duty that forgets old ones: a run either
 * failed or continues, and it is there with its steps or gone with them.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { changeRows } from "./change-rows.ts";
import { startKilled } from "./start-killed.ts";
import { copySystem, openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";

const moments = ["before", "after"] as const;
const tag = "Reached";

/** Fails at `tag` while there is no such tag. */
const definition = {
  entry: "one",
  nodes: {
    one: { type: "add_note", body: "one", next: "tag" },
    tag: { type: "add_tag", tag, next: "two" },
    two: { type: "add_note", body: "two" },
  },
};

async function done(system: TestedSystem, ...parameters: readonly string[]): Promise<string> {
  // Not `run`, which bounds it by a minute: hundreds of runs take longer on a busy machine.
  const { code, stdout, stderr } = await system.start(...parameters).finished;
  expect([parameters.join(" "), code, stderr]).toEqual([parameters.join(" "), 0, ""]);
  return stdout;
}

/** More than two transactions of each: a retry takes a hundred, and two hundred are forgotten at once. */
const runs = 450;

/** Runs of as many contacts in front of the first node. */
async function givenRuns(system: TestedSystem): Promise<void> {
  await done(system, "tags", "create", tag);
  const file = join(system.place.directory, "flow.json");
  await writeFile(file, JSON.stringify(definition));
  await done(system, "workflows", "create", "Flow", "--file", file, "--publish");
  const csv = join(system.place.directory, "contacts.csv");
  const lines = Array.from({ length: runs }, (_, number) => `Ada,ada${number}@example.com`);
  await writeFile(csv, `first_name,email\n${lines.join("\n")}\n`);
  await done(system, "contacts", "import", csv);
  await done(system, "workflows", "enroll", "1", "--filter", "{}");
}

async function statuses(system: TestedSystem): Promise<Record<string, number>> {
  const rows = await system.rows<{ status: string; count: number }>(
    "select status, cast(count(*) as integer) as count from workflow_runs group by status order by status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function countStarts(system: TestedSystem): Promise<number> {
  return (await system.rows("select id from audit_entries where operation = 'startService'")).length;
}

async function isKilled(system: TestedSystem, point: string, ...parameters: readonly string[]): Promise<boolean> {
  await using process = startKilled(system, point, ...parameters);
  const end = await process.finished.catch(() => undefined);
  return end === undefined || end.signal === "SIGKILL";
}

describe.each(sampleOf("Faults: killed runs", 1, databaseKinds))("on %s", (kind) => {
  /** Where every run is in front of its first node, and where every one failed: tests copy them. */
  let enrolled: TestedSystem;
  let failed: TestedSystem;
  beforeAll(async () => {
    enrolled = await openSystem(kind);
    await givenRuns(enrolled);
    failed = await copySystem(enrolled);
    await done(failed, "tags", "delete", tag, "--yes");
    await done(failed, "worker", "--once");
    expect(await statuses(failed)).toEqual({ failed: runs });
    await done(failed, "tags", "create", tag);
  }, 480_000);
  afterAll(async () => {
    await failed?.[Symbol.asyncDispose]();
    await enrolled?.[Symbol.asyncDispose]();
  });

  test("a retry of failed runs that is killed before or after a commit leaves each failed, or continuing once", async () => {
    await using system = await copySystem(failed);
    const retry = ["workflows", "retry", "--failed-since", "1h", "--workflow", "1"];
    const seen = [];
    for (const [moment, count] of [...moments.map((moment) => [moment, 1]), ["before", 2]]) {
      expect(await isKilled(system, `${moment} ${count} commit`, ...retry)).toBe(true);
      seen.push(await statuses(system));
    }
    expect(seen).toEqual([{ failed: runs }, { active: 100, failed: runs - 100 }, { active: 200, failed: runs - 200 }]);
    await done(system, ...retry);
    await done(system, "worker", "--once");
    expect(await statuses(system)).toEqual({ completed: runs });
    const repeated = await system.rows(
      `select contact_id from notes group by contact_id having count(*) <> 2 or min(body) <> 'one' or max(body) <> 'two'`,
    );
    expect(repeated).toEqual([]);
    expect(await system.rows("select 1 from contact_tags")).toHaveLength(runs);
  });

  test("forgetting old runs that is killed before or after a commit leaves each with its steps, or takes both", async () => {
    await using system = await copySystem(enrolled, { CRM_RUN_RETENTION_DAYS: "30" });
    await done(system, "worker", "--once");
    expect(await statuses(system)).toEqual({ completed: runs });
    const days = 86_400_000;
    await changeRows(system, "update workflow_runs set completed_at = ?", [new Date(Date.now() - 31 * days)]);
    const halves = await system.rows<{ count: number }>(
      "select cast(count(*) as integer) as count from workflow_run_steps",
    );
    const perRun = halves[0]!.count / runs;
    expect(perRun).toBe(3);
    const left = new Set<number>();
    let killed = 0;
    for (let count = 1; count <= 40 && left.size < 4; count += 1) {
      for (const moment of moments) {
        killed += Number(await isKilled(system, `${moment} ${count} commit of workflow_run`, "worker", "--once"));
        const broken = await system.rows(
          `select run_id from workflow_run_steps group by run_id having count(*) <> ${perRun} or run_id not in (select id from workflow_runs)`,
        );
        expect(broken).toEqual([]);
        const [whole] = await system.rows<{ count: number }>(
          "select cast(count(*) as integer) as count from workflow_runs",
        );
        const [steps] = await system.rows<{ count: number }>(
          "select cast(count(*) as integer) as count from workflow_run_steps",
        );
        expect(steps!.count).toBe(whole!.count * perRun);
        left.add(whole!.count);
      }
    }
    expect([killed > 2, [...left]]).toEqual([true, [runs, runs - 200, runs - 400, 0]]);
  });

  test("a retry over HTTP that is killed before or after its commit is made once, and repeating the request says so", async () => {
    await using system = await copySystem(failed);
    const retry = (url: string) =>
      fetch(`${url}/api/v1/workflow-runs/1/retry`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${system.key}`,
          "content-type": "application/json",
          "idempotency-key": "retry of run 1",
        },
        body: JSON.stringify({ location_id: system.location }),
      }).then(
        async (response) => ({ status: response.status, body: await response.json() }),
        () => undefined,
      );
    const seen = [];
    for (const moment of moments) {
      // The first commit is the start's own entry in the audit log.
      const starts = await countStarts(system);
      await using killed = startKilled(system, `${moment} 2 commit`, "serve", "--port", "0", "--no-worker");
      const [, url] = await killed.match(/crm listening on (\S+)/);
      await expect.poll(() => countStarts(system)).toBe(starts + 1);
      expect(await retry(url!), moment).toBeUndefined();
      expect((await killed.finished).signal, moment).toBe("SIGKILL");
      seen.push(await statuses(system));
    }
    expect(seen).toEqual([{ failed: runs }, { active: 1, failed: runs - 1 }]);

    const serving = await system.serve("--no-worker");
    // The response that was never sent is stored with the change.
    expect(await retry(serving.url)).toMatchObject({ status: 200, body: { id: 1, status: "active" } });
    await serving.terminate();
    await done(system, "worker", "--once");
    expect(await statuses(system)).toEqual({ completed: 1, failed: runs - 1 });
    expect(await system.rows("select 1 from workflow_run_steps where outcome = 'retried'")).toHaveLength(1);
    expect(
      await system.rows(
        "select body from notes where contact_id = (select contact_id from workflow_runs where id = 1) order by id",
      ),
    ).toEqual([{ body: "one" }, { body: "two" }]);
  });
});
