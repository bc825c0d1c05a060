/**
 * Concurrent workers that are killed at any step, while contacts are deleted, time out and reach goals: no run is lost, none repeats a node,
 * and there are no deadlocks.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { databaseKinds } from "../support/databases.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { chanceOf } from "../support/chance.ts";
import { startKilled } from "./start-killed.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { until } from "./until.ts";

/** Nodes that share a transaction, one that needs its own (the keys of an e-mail address), waits of each kind, and a goal. */
const definitionOf = (url: string) => ({
  entry: "one",
  nodes: {
    one: { type: "add_note", body: "one", next: "post" },
    // Three workers that are killed during one post are three attempts.
    post: { type: "webhook", url, on_error: "task", next: "task" },
    task: { type: "create_task", title: "task", next: "address" },
    address: { type: "update_contact", set: { email: "of.{{contact.id}}@example.com" }, next: "rest" },
    rest: { type: "wait", for: "1s", next: "two" },
    two: { type: "add_note", body: "two", next: "stage" },
    stage: { type: "branch", when: { city: "Nowhere" }, then: "goal", else: "form" },
    form: { type: "wait", event: "form.submitted", timeout: "2s", next: "goal" },
    goal: { type: "goal", when: { city: "Boston" }, next: "three" },
    three: { type: "add_note", body: "three", next: "four" },
    four: { type: "create_task", title: "last" },
  },
});

async function givenWorkflow(system: TestedSystem, { url }: TestReceiver): Promise<number> {
  const file = join(system.place.directory, "flow.json");
  await writeFile(file, JSON.stringify(definitionOf(url)));
  const made = await system.run("workflows", "create", "Flow", "--file", file, "--publish", "--json");
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const [row] = await system.rows<{ id: number }>("select max(id) as id from workflows");
  return row!.id;
}

function api(system: TestedSystem, url: string) {
  return async (method: string, path: string, body: object, expected: number) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${system.key}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: system.location, ...body }),
    });
    expect([path, answer.status]).toEqual([path, expected]);
    return answer.status === 204 ? undefined : ((await answer.json()) as { id: number });
  };
}

type Send = ReturnType<typeof api>;

async function enrollOne(send: Send, workflow: number): Promise<number> {
  const contact = await send("POST", "/contacts", { first_name: "Ada", last_name: "Flow" }, 201);
  await send("POST", `/workflows/${workflow}/enroll`, { contact_id: contact!.id }, 201);
  return contact!.id;
}

interface Told {
  readonly contact_id: number;
  readonly what: string;
  readonly count: number;
}

/** Runs that have not ended, and nodes that ran more than once. */
async function expectEachOnce(system: TestedSystem, deleted: ReadonlySet<number>): Promise<void> {
  const runs = await system.rows<{ contact_id: number; ended_reason: string; status: string }>(
    "select contact_id, status, ended_reason from workflow_runs order by id",
  );
  for (const { contact_id, ended_reason } of runs)
    expect([contact_id, ended_reason]).toEqual([contact_id, deleted.has(contact_id) ? expect.any(String) : "finished"]);
  const told = await system.rows<Told>(
    `select contact_id, event || ' ' || coalesce(changes, '') as what, count(*) as count from events
     where contact_id is not null and event not in ('contact.created', 'contact.updated', 'form.submitted', 'contact.deleted')
     group by contact_id, event, changes`,
  );
  expect(told.filter(({ count }) => Number(count) !== 1)).toEqual([]);
  const rows = await system.rows<{ contact_id: number; notes: string }>(
    "select contact_id, body as notes from notes order by contact_id, id",
  );
  const notes = Map.groupBy(rows, (row) => row.contact_id);
  for (const { contact_id } of runs) {
    if (deleted.has(contact_id)) continue;
    const bodies = (notes.get(contact_id) ?? []).map((row) => row.notes);
    // A goal that is reached during the wait skips the second.
    expect(bodies.filter((body) => body !== "two")).toEqual(["one", "three"]);
  }
  const [events] = await system.rows<{ finished: number; started: number }>(
    `select count(case when event = 'workflow.run_finished' then 1 end) as finished,
       count(case when event = 'workflow.run_started' then 1 end) as started from events`,
  );
  expect([Number(events!.started), Number(events!.finished)]).toEqual([runs.length, runs.length]);
}

/**
 * Each run posts at least once, under one id, and no post stays in the queue. Three workers that were killed before they posted are the
 * allowed attempts of a run, which goes on without: the history of the run says so.
 */
async function expectPosted(
  system: TestedSystem,
  { arrivals }: TestReceiver,
  deleted: ReadonlySet<number>,
): Promise<void> {
  const runs = await system.rows<{ id: number; contact_id: number }>("select id, contact_id from workflow_runs");
  const posted = new Set(arrivals.map(({ id }) => String(id)));
  const expected = new Set(runs.map(({ id }) => `${id}-1`));
  expect([...posted].filter((id) => !expected.has(id))).toEqual([]);
  const givenUp = await system.rows<{ run_id: number }>(
    "select run_id from workflow_run_steps where node_id = 'post' and attempt > 3 and outcome <> 'retries'",
  );
  const excused = new Set(givenUp.map(({ run_id }) => run_id));
  const missing = runs.filter(
    ({ id, contact_id }) => !deleted.has(contact_id) && !excused.has(id) && !posted.has(`${id}-1`),
  );
  expect(missing).toEqual([]);
  expect(await system.rows("select * from workflow_posts")).toEqual([]);
}

async function untilOver(system: TestedSystem): Promise<void> {
  const isOver = async () =>
    (await system.rows("select id from workflow_runs where status in ('active', 'waiting') limit 1")).length === 0;
  await until("every run is over", isOver, 90_000);
}

describe.each([...databaseKinds])("workflow runs on %s", (kind) => {
  test("three workers that are killed repeatedly, with concurrent deletions, events and goals", async () => {
    const chance = chanceOf(`kill -9 of three workers on ${kind}`);
    await using receiver = await startReceiver();
    await using system = await openSystem(kind, toLoopback);
    const workflow = await givenWorkflow(system, receiver);
    const serving = await system.serve("--no-worker");
    const send = api(system, serving.url);
    const contacts: number[] = [];
    for (let number = 0; number < 60; number += 1) contacts.push(await enrollOne(send, workflow));
    const deleted = new Set<number>();

    const startWorker = () => system.start("worker");
    const workers = [startWorker(), startWorker(), startWorker()];
    for (let round = 0; round < 12; round += 1) {
      const contact = contacts[Math.floor(chance() * contacts.length)]!;
      if (!deleted.has(contact)) {
        const kindOfEvent = Math.floor(chance() * 3);
        if (kindOfEvent === 0) {
          deleted.add(contact);
          await send("DELETE", `/contacts/${contact}`, {}, 204);
        } else if (kindOfEvent === 1) await send("PATCH", `/contacts/${contact}`, { city: "Boston" }, 200);
        else await send("POST", "/events", { contact_id: contact, event: "form.submitted", data: {} }, 201);
      }
      await sleep(chance() * 400);
      const place = round % workers.length;
      workers[place]!.signal("SIGKILL");
      await workers[place]!.finished.catch(() => {});
      workers[place] = startWorker();
    }
    await untilOver(system);
    await expectEachOnce(system, deleted);
    await expectPosted(system, receiver, deleted);
  });
});

test.each(databaseKinds)(
  "a worker that is killed before or after each commit on %s repeats nothing and skips nothing",
  async (kind) => {
    await using receiver = await startReceiver();
    await using system = await openSystem(kind, toLoopback);
    const workflow = await givenWorkflow(system, receiver);
    const serving = await system.serve("--no-worker");
    const send = api(system, serving.url);
    let killed = 0;
    for (const moment of ["before", "after"]) {
      for (const count of [1, 2, 3, 5, 8]) {
        await enrollOne(send, workflow);
        await using worker = startKilled(system, `${moment} ${count} commit`, "worker");
        const end = await worker.finished.catch(() => undefined);
        if (end === undefined || end.signal === "SIGKILL") killed += 1;
      }
    }
    expect(killed).toBeGreaterThan(7);
    system.start("worker");
    await untilOver(system);
    await expectEachOnce(system, new Set());
    await expectPosted(system, receiver, new Set());
  },
);
