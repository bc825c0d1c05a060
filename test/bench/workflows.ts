/** How fast workflow runs move: beside as many raw commits, woken on time among many that wait, and beside requests that must not feel it. */
import { setTimeout as sleep } from "node:timers/promises";
import { findNextDue } from "../../src/crm/workflows/engine/run-rows.ts";
import type { Setting } from "./against-raw.ts";
import { connectTo } from "./connection.ts";
import type { Filled } from "./filled.ts";
import { interleave } from "./interleave.ts";
import { readEvery } from "./neighbours.ts";
import { startService } from "./servers.ts";
import { enroll, moveAll, nodes, openField } from "./workflow-field.ts";
import type { Field } from "./workflow-field.ts";

const waiting = 100_000;
/** Wake-ups a second, and for how long. */
const pace = 100;
const paceSeconds = 8;
/** Looks at whether anything is due, at a time. */
const looks = 300;
/** What a person notices, in milliseconds. */
const mostNoticed = 50;
/** The longest that the runs that wake together may take, in milliseconds. */
const patience = 120_000;

export async function measureWorkflows(setting: Setting): Promise<void> {
  const { ground, plan, tell } = setting;
  const { kind } = ground;
  const field = await openField(ground, "workflows", plan.contacts);
  const { service, filled } = field;
  const together = plan.contacts / 10;
  try {
    await moveAll(field, together / 100);
    const commits = await openCommits(filled.url, kind === "sqlite");
    const runs = plan.contacts / 100;
    tell({
      what: `runs through ${nodes} nodes, a second, with their events' places, beside as many raw commits as nodes`,
      target: { least: kind === "sqlite" ? 0.7 : 0.6 },
      kind,
      value: await interleave(
        plan.rounds,
        () => moveAll(field, runs),
        () => commits.rateOf(runs),
      ),
    });
    await commits.close();

    const never = Date.now() + 365 * 86_400_000;
    const wait = (count: number) =>
      enroll(field, field.workflows.rest, { count, status: "waiting", dueAt: () => never });
    await wait(waiting / 100);
    const few = await lookTime(field);
    await wait(waiting - waiting / 100);
    const many = await lookTime(field);
    tell({
      what: `a look at whether a run is due: ${(waiting / 100).toLocaleString("en")} → ${waiting.toLocaleString("en")} that wait`,
      target: { most: 1.3 },
      kind,
      value: { median: many / few, low: many / few, high: many / few },
    });
    tell({
      what: `a run wakes late, ${pace} a second among ${waiting.toLocaleString("en")} that wait, p99`,
      target: { most: 1000, unit: " ms" },
      kind,
      value: await lateness(field),
    });
    await enroll(field, field.workflows.ten, { count: together, status: "active", dueAt: () => Date.now() + 5000 });
  } finally {
    await service.close();
  }
  tell({
    what: `a small read while ${together.toLocaleString("en")} runs that woke together go through ${nodes} nodes, p99`,
    target: { most: mostNoticed, unit: " ms" },
    kind,
    value: await readBeside(setting, filled),
  });
}

/** Commits of one small row each, as durable as those of the service. */
async function openCommits(url: string, isSqlite: boolean) {
  const raw = await connectTo(url);
  if (isSqlite) await raw.run("pragma synchronous = full");
  await raw.run("create table if not exists raw_commits (n bigint)");
  return {
    /** Of so many runs, a commit for each of their nodes. */
    async rateOf(runs: number): Promise<number> {
      const begun = performance.now();
      for (let commit = 0; commit < runs * nodes; commit += 1) await raw.run("insert into raw_commits values (1)");
      return (runs / (performance.now() - begun)) * 1000;
    },
    close: raw.close,
  };
}

/** Milliseconds of so many looks that find nothing; the least of some tries, since the machine has other work as well. */
async function lookTime({ service }: Field): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const begun = performance.now();
    for (let look = 0; look < looks; look += 1) await findNextDue(service.database);
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}

/** Milliseconds from when a run was due to when it was over. */
async function lateness(field: Field): Promise<number> {
  const { service, workflows } = field;
  const base = Date.now() + 3000;
  const count = pace * paceSeconds;
  const dueAt = (place: number): number => base + (place * 1000) / pace;
  const first = await enroll(field, workflows.rest, { count, status: "waiting", dueAt });
  await service.worker.start();
  await sleep(dueAt(count) - Date.now() + 3000);
  await service.worker.stop();
  const ended = await service.database.rows<{ id: number; completed_at: number | null }>(
    "select id, completed_at from workflow_runs where id >= ? order by id",
    [first],
  );
  const late = ended.map(({ completed_at }, place) => (completed_at ?? Number.POSITIVE_INFINITY) - dueAt(place));
  return late.toSorted((a, b) => a - b)[Math.floor(count * 0.99)]!;
}

/** The 99th of a hundred small reads of a service, in milliseconds, from when its runs wake until they are all over. */
async function readBeside({ ground }: Setting, filled: Filled): Promise<number> {
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  const connection = await connectTo(filled.url);
  const over = async (): Promise<void> => {
    for (const deadline = Date.now() + patience; Date.now() < deadline;) {
      await sleep(200);
      const left = await connection.rows("select id from workflow_runs where status = 'active' limit 1");
      if (left.length === 0) return;
    }
    throw new Error("the runs that woke together are not over");
  };
  // What is read is compiled by then, and nothing is due yet.
  await readEvery(service.port, filled, sleep(500));
  const taken = (await readEvery(service.port, filled, over())).toSorted((a, b) => a - b);
  await connection.close();
  return taken[Math.floor(taken.length * 0.99)]!;
}
