/** The history of runs: which step each node leaves, in one statement per batch, and how long it becomes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setChannelStatus } from "../../src/crm/channels/channel.operations.ts";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { forgetRuns } from "../../src/crm/workflow-runs/run-retention.ts";
import { createStepLog } from "../../src/crm/workflow-runs/run-steps.ts";
import type { RunStepView } from "../../src/crm/workflow-runs/run-step.view.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, made } from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** What a copy of an ended run needs. */
const columns =
  "location_id, workflow_id, version_id, contact_id, status, current_node_id, context, ended_reason, enrolled_at, completed_at";

const note = (next?: string): WorkflowNode => ({ type: "add_note", body: "Noted", next });
const boston = { city: "Boston" };

/** What happens before the steps are read. */
type Happening = "reply" | "event" | "boston" | "pause" | "resume" | { readonly hours: number };

interface Row {
  readonly nodes: (channel: number) => Readonly<Record<string, WorkflowNode>>;
  readonly then?: readonly Happening[];
  /** `node: outcome` with the members of `detail` without times, in order. */
  readonly steps: readonly string[];
}

const rows: Record<string, Row> = {
  "nodes in a row": {
    nodes: () => ({ a: note("b"), b: note() }),
    steps: ["a: done next=b", "b: done ended_reason=finished"],
  },
  "a branch says where it went": {
    nodes: () => ({ a: { type: "branch", when: boston, then: "b", else: "c" }, b: note(), c: { type: "exit" } }),
    steps: ["a: done next=c", "c: ended ended_reason=exited"],
  },
  "a wait, and its end by time": {
    nodes: () => ({ a: { type: "wait", for: "1h", next: "b" }, b: note() }),
    then: [{ hours: 1 }],
    steps: ["a: waits wait_reason=delay", "a: done ended_by=time next=b", "b: done ended_reason=finished"],
  },
  "a message, and a reply": {
    nodes: (channel_id) => ({
      a: { type: "send_message", channel_id, body: "Hello", next: "b" },
      b: { type: "wait", reply: true },
    }),
    then: ["reply"],
    steps: [
      "a: done message_id next=b",
      "b: waits wait_reason=reply event=message.received",
      "b: done ended_by=reply ended_reason=replied",
    ],
  },
  "an event that wakes no run leaves no step, and the timeout one": {
    nodes: () => ({ a: { type: "wait", reply: true, timeout: "2h", on_timeout: "b" }, b: note() }),
    then: ["event", { hours: 2 }],
    steps: [
      "a: waits wait_reason=reply event=message.received",
      "a: done ended_by=timeout next=b",
      "b: done ended_reason=finished",
    ],
  },
  "an event": {
    nodes: () => ({ a: { type: "wait", event: "form.submitted", next: "b" }, b: note() }),
    then: ["event"],
    steps: [
      "a: waits wait_reason=event event=form.submitted",
      "a: done ended_by=event next=b",
      "b: done ended_reason=finished",
    ],
  },
  "a goal": {
    nodes: () => ({
      a: { type: "wait", reply: true, next: "b" },
      b: { type: "goal", when: boston, next: "c" },
      c: note(),
    }),
    then: ["boston"],
    steps: [
      "a: waits wait_reason=reply event=message.received",
      "a: done goal=b next=c",
      "c: done ended_reason=finished",
    ],
  },
  "a message for a time of day, whose channel is paused when it comes": {
    nodes: (channel_id) => ({ a: { type: "send_message", channel_id, body: "Hello", at: "09:00" } }),
    then: ["pause", { hours: 24 }, "resume"],
    steps: [
      "a: waits wait_reason=until",
      "a: waits wait_reason=channel channel_id",
      "a: done message_id ended_by=channel ended_reason=finished",
    ],
  },
  "a node that is refused": {
    nodes: () => ({ a: note("b"), b: { type: "add_note", body: "{{context.nothing}}" } }),
    steps: ["a: done next=b", 'b: failed error=The node "b": The body field is required. ended_reason=error'],
  },
};

describe.each(sampleOf("history of runs", 1, databaseKinds))("the history of runs on %s", (kind) => {
  let world: World;
  let channel: Awaited<ReturnType<typeof givenChannel>>;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
    channel = await givenChannel(world);
  });
  afterAll(() => world?.close());

  const work = () => world.service.worker.runOnce();
  const setStatus = async (status: "active" | "paused") =>
    world.service.carryOut(setChannelStatus, await world.service.inLocation(world.acme, world.north), {
      channel: channel.id,
      input: { status },
    });
  async function historyOf(run: number) {
    const { body } = await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`);
    return body as { error: string | null; attempts: number; wake_at: string | null; steps: RunStepView[] };
  }

  test.each(Object.entries(rows))("%s", async (_name, { nodes, then = [], steps }) => {
    const contact = await givenContact(world, { city: "Paris" });
    const run = await givenRun(world, await givenWorkflow(world, nodes(channel.id)), contact.id);
    await work();
    const base = { location_id: world.north, contact_id: contact.id };
    for (const what of then) {
      world.clock.advance(typeof what === "string" ? { seconds: 1 } : what);
      if (what === "pause" || what === "resume") await setStatus(what === "pause" ? "paused" : "active");
      if (what === "reply")
        await made(
          request(world.url, {
            method: "POST",
            path: new URL(channel.inbound_url).pathname,
            key: undefined,
            body: { from: contact.email, body: "Yes" },
          }),
        );
      if (what === "event")
        await made(world.send("owner", "POST", "/events", { ...base, event: "form.submitted", data: {} }));
      if (what === "boston")
        await made(world.send("owner", "PATCH", `/contacts/${contact.id}`, { ...base, city: "Boston" }));
      await work();
    }
    const { steps: shown } = await historyOf(run);
    const told = shown.map(({ node_id, outcome, detail: { until: _until, message_id, channel_id, next, ...detail } }) =>
      [
        `${node_id}:`,
        outcome,
        ...(message_id === undefined ? [] : ["message_id"]),
        ...Object.entries(detail).map(([name, value]) => `${name}=${value}`),
        ...(channel_id === undefined ? [] : ["channel_id"]),
        ...(next === undefined ? [] : [`next=${next}`]),
      ].join(" "),
    );
    expect(told).toEqual(steps);
    expect(shown.every(({ attempt, at }) => attempt === 1 && !Number.isNaN(Date.parse(at)))).toBe(true);
  });

  test("a post shows its status and its attempts, and the list shows why it is repeated and when", async () => {
    await using receiver = await startReceiver((_arrival, number) => (number < 3 ? 503 : 200));
    const contact = await givenContact(world);
    const workflow = await givenWorkflow(world, { a: { type: "webhook", url: receiver.url, next: "b" }, b: note() });
    const run = await givenRun(world, workflow, contact.id);
    await work();
    const list = await world.send("owner", "GET", `/workflows/${workflow}/runs?location_id=${world.north}`);
    const error = 'The node "a": the address answered 503.';
    const wakeAt = new Date(world.clock.now().getTime() + 60_000).toISOString();
    expect(list.body.data).toMatchObject([{ id: run, status: "waiting", error, attempts: 1, wake_at: wakeAt }]);
    world.clock.advance({ minutes: 1 });
    await work();
    world.clock.advance({ minutes: 5 });
    await work();
    const { steps, ...shown } = await historyOf(run);
    expect(steps.map(({ node_id, outcome, attempt, detail }) => [node_id, outcome, attempt, detail])).toEqual([
      ["a", "retries", 1, { status: 503, error, until: wakeAt }],
      ["a", "retries", 2, { status: 503, error, until: expect.any(String) }],
      ["a", "done", 3, { status: 200, next: "b" }],
      ["b", "done", 1, { ended_reason: "finished" }],
    ]);
    expect(shown).toMatchObject({ error: null, attempts: 0 });
  });

  test("a failed post that is retried has the same id", async () => {
    await using receiver = await startReceiver((_arrival, number) => (number < 4 ? 500 : 200));
    const contact = await givenContact(world);
    const run = await givenRun(
      world,
      await givenWorkflow(world, { a: { type: "webhook", url: receiver.url } }),
      contact.id,
    );
    for (const minutes of [0, 1, 5]) {
      world.clock.advance({ minutes });
      await work();
    }
    expect(await runOf(world, run)).toMatchObject({ status: "failed" });
    await made(world.send("owner", "POST", `/workflow-runs/${run}/retry`, { location_id: world.north }));
    await work();
    expect(await runOf(world, run)).toMatchObject({ status: "completed" });
    expect(receiver.arrivals.map(({ id }) => id)).toEqual(Array(4).fill(`${run}-0`));
  });

  test("a history keeps its last 200 steps, in order, and reads no others", async () => {
    const contact = await givenContact(world);
    const run = await givenRun(world, await givenWorkflow(world, { a: { type: "exit" } }), contact.id);
    const other = await givenRun(world, await givenWorkflow(world, { a: { type: "exit" } }), contact.id);
    const { database } = world.service;
    const step = { type: "exit", at: 0, outcome: "done", detail: {}, attempt: 1 } as const;
    let count = 0;
    for (const size of [150, 51, 450, 199]) {
      const steps = Array.from({ length: size }, (_, place) => ({ ...step, nodeId: `n${count + place}` }));
      await database.transaction(async (transaction) => {
        const log = createStepLog();
        log.add({ id: other, step_count: 0 }, [{ ...step, nodeId: "other" }]);
        count = log.add({ id: run, step_count: count }, steps);
        log.write(transaction);
      });
    }
    const { steps } = await historyOf(run);
    expect(steps.map(({ node_id }) => node_id)).toEqual(
      Array.from({ length: 200 }, (_, place) => `n${count - 200 + place}`),
    );
    expect((await historyOf(other)).steps).toHaveLength(1);
    const [held] = await database.rows<{ count: number }>(
      "select count(*) as count from workflow_run_steps where run_id in (?, ?)",
      [run, other],
    );
    expect(Number(held!.count)).toBe(201);
  });

  test("ended runs are forgotten with their steps after 180 days, active ones never", async () => {
    const start = async (node: WorkflowNode, fields = {}) => {
      const workflow = await givenWorkflow(world, { a: note("b"), b: node });
      return { workflow, run: await givenRun(world, workflow, (await givenContact(world, fields)).id) };
    };
    const { id: channel_id } = await givenChannel(world);
    const finished = await start({ type: "exit" });
    const failed = await start({ type: "send_message", channel_id, body: "{{context.none}}" });
    const canceled = await start({ type: "send_message", channel_id, body: "Hello" }, { dnd: true });
    const waiting = await start({ type: "wait", reply: true });
    await work();
    world.clock.advance({ days: 100 });
    const later = await start({ type: "exit" });
    await work();
    world.clock.advance({ days: 80, minutes: 20 });
    await work();
    const kept = [waiting.run, later.run];
    const all = [finished, failed, canceled, waiting, later];
    const found = async (run: number) =>
      (await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`)).status;
    for (const { run } of all) expect([run, await found(run)]).toEqual([run, kept.includes(run) ? 200 : 404]);
    const stepsOf = await world.service.database.rows<{ run_id: number }>(
      `select distinct run_id from workflow_run_steps where run_id in (${all.map(({ run }) => run).join()}) order by run_id`,
    );
    expect(stepsOf.map(({ run_id }) => run_id)).toEqual(kept);
    const { body } = await world.send(
      "owner",
      "GET",
      `/workflows/${finished.workflow}/runs?location_id=${world.north}`,
    );
    expect(body.data).toEqual([]);
  });

  test("in pieces that are bounded in runs and in steps", async () => {
    const { database } = world.service;
    const { id: contact } = await givenContact(world);
    const run = await givenRun(world, await givenWorkflow(world, { a: { type: "exit" } }), contact);
    await work();
    const before = new Date("2001-01-01T00:00:00Z");
    const write = (text: string, params: readonly (number | Date)[]) =>
      database.transaction(({ rows: send }) => send(text, params));
    await write("update workflow_runs set completed_at = ?, step_count = 200 where id = ?", [new Date(0), run]);
    // 25 runs with a full history, and 250 with one step each.
    for (const [count, steps] of [
      [24, 200],
      [250, 1],
    ]) {
      await write(
        `insert into workflow_runs (${columns}, step_count)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
         select ${columns}, cast(? as bigint) from workflow_runs cross join numbers where id = ?`,
        [count!, steps!, run],
      );
    }
    const pieces: number[] = [];
    for (let count; (count = await forgetRuns(database, before)) > 0;) pieces.push(count);
    expect(pieces).toEqual([10, 10, 200, 55]);
  });
});
