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
import { chanceOf, repetitions, sampleOf } from "../support/chance.ts";
import { startKilled } from "./start-killed.ts";
import { openSystem } from "./tested-system.ts";
import type { TestedSystem } from "./tested-system.ts";
import { until } from "./until.ts";

const kinds = sampleOf("Faults: workflows", 1, databaseKinds);

/** Nodes that share a transaction, one that needs its own (the keys of an e-mail address), waits of each kind, and a goal. */
const definitionOf = (url: string, waits: object) => ({
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
    ...waits,
  },
});

/** `waits`: in the place of those of the definition. */
async function givenWorkflow(system: TestedSystem, { url }: TestReceiver, waits: object = {}): Promise<number> {
  const file = join(system.place.directory, "flow.json");
  await writeFile(file, JSON.stringify(definitionOf(url, waits)));
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

describe.each(kinds)("workflow runs on %s", (kind) => {
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
    for (let round = 0; round < repetitions(6, 12); round += 1) {
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

/** What a run and its post are at between two commits. */
async function placeOf(system: TestedSystem, contact: number): Promise<string> {
  const [run] = await system.rows<Record<"node" | "wait", string> & { attempt: number | null; leased: number | null }>(
    `select current_node_id as node, wait_reason as wait, workflow_posts.attempt, workflow_posts.leased_until as leased
     from workflow_runs left join workflow_posts on workflow_posts.run_id = workflow_runs.id where contact_id = ?`,
    [contact],
  );
  const { node, wait, attempt, leased } = run!;
  return attempt === null ? `${node} ${wait}` : `${node} ${attempt} ${leased === null ? "queued" : "claimed"}`;
}

/**
 * Where each kill leaves a run, on both databases: the commits of an undisturbed one, up to its first wait. Before one and after the one before it
 * only differ by what a worker does in between: it posts.
 */
const kills = [
  ["before 1", "one none"],
  ["before 2", "post 0 queued"],
  ["after 2", "post 1 claimed"],
  ["before 3", "post 1 claimed"],
  ["before 4", "task none"],
  ["before 5", "address none"],
  ["before 6", "rest none"],
  ["after 6", "rest event"],
] as const;

/** The same from there on. One commit finds the event, and the next moves the run. */
const laterKills = [
  ["before 1", "rest event"],
  ["after 1", "rest event"],
  ["before 1", "rest event"],
  ["after 1", "form delay"],
  ["before 1", "form delay"],
  ["after 1", "four none"],
] as const;

/** A kill before a commit leaves the run where it was. */
const changesNothing = ([point]: (typeof laterKills)[number]): boolean => point.startsWith("before");

test.each(kinds)(
  "a worker that is killed before or after each commit of a run on %s repeats nothing and skips nothing",
  async (kind) => {
    await using receiver = await startReceiver();
    await using system = await openSystem(kind, toLoopback);
    const workflow = await givenWorkflow(system, receiver, {
      rest: { type: "wait", event: "form.submitted", timeout: "1h", next: "two" },
      form: { type: "wait", for: "1s", next: "goal" },
    });
    const serving = await system.serve("--no-worker");
    const send = api(system, serving.url);
    const goOn = (contact: number) =>
      send("POST", "/events", { contact_id: contact, event: "form.submitted", data: {} }, 201);
    /** Whether the worker came to that commit. */
    async function kill(point: string): Promise<boolean> {
      await using worker = startKilled(system, `${point} commit of workflow_`, "worker", "--once");
      const { code, signal } = await worker.finished;
      expect([code, signal]).toEqual(signal === null ? [0, null] : [null, "SIGKILL"]);
      return signal !== null;
    }

    const contacts: number[] = [];
    const seen = [];
    const drawn = sampleOf("Faults: kills of a run", 4, kills);
    for (const [point] of drawn) {
      const contact = await enrollOne(send, workflow);
      contacts.push(contact);
      expect(await kill(point), point).toBe(true);
      seen.push([point, await placeOf(system, contact)]);
      // Brings it to its wait, so that the commits of the next one are alone.
      expect(await system.run("worker", "--once")).toMatchObject({ code: 0, stderr: "" });
      expect(await placeOf(system, contact)).toBe("rest event");
    }
    expect(seen).toEqual(drawn);

    const [first, ...others] = contacts;
    await goOn(first!);
    const seenLater = [];
    const idle = sampleOf("Faults: later kills of a run", 1, laterKills.filter(changesNothing));
    const drawnLater = laterKills.filter((one) => !changesNothing(one) || idle.includes(one));
    for (const [point] of drawnLater) {
      await until("its wait is over", () => kill(point), 60_000);
      seenLater.push([point, await placeOf(system, first!)]);
    }
    expect(seenLater).toEqual(drawnLater);

    for (const contact of others) await goOn(contact);
    system.start("worker");
    await untilOver(system);
    await expectEachOnce(system, new Set());
    await expectPosted(system, receiver, new Set());
  },
);
