/** Workflow runs from enrolling to their end: what each node does, what runs wait for, what starts and what ends them. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { claimPosts, giveBack, reclaimDeadPosts, takeOut } from "../../src/crm/workflows/posting/claim.ts";
import type { ClaimedPost } from "../../src/crm/workflows/posting/claim.ts";
import { workflowDuties } from "../../src/crm/workflows/workflow.duties.ts";
import { createChangeAcross } from "../../src/events/call-as.ts";
import { readOwnMark } from "../../src/kit/process-mark.ts";
import { createWorkers } from "../../src/storage/installation/workers.ts";
import { request } from "../support/client.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  givenChannel,
  givenContact,
  givenOpportunity,
  givenTag,
  givenTaggedContact,
  made,
  pipelineOf,
  stagesOf,
} from "../support/given.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { RecordedEvent, World } from "../support/world.ts";

describe.each(sampleOf("workflow runs", 1, databaseKinds))("workflow runs on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());

  const work = () => world.service.worker.runOnce();

  async function report(contactId: number, event = "form.submitted", data: Record<string, unknown> = {}) {
    world.clock.advance({ seconds: 1 });
    return made(
      world.send("owner", "POST", "/events", { location_id: world.north, contact_id: contactId, event, data }),
    );
  }

  async function reply(channel: { inbound_url: string }, from: string) {
    world.clock.advance({ seconds: 1 });
    const { pathname } = new URL(channel.inbound_url);
    return made(request(world.url, { method: "POST", path: pathname, key: undefined, body: { from, body: "Yes!" } }));
  }

  /** What is triggered is not to start in the tests that follow. */
  const silence = () =>
    world.service.database.transaction(({ rows }) => rows("update workflows set trigger_event = null"));

  async function runsOf(workflow: number): Promise<{ id: number; contact_id: number; context: string }[]> {
    return world.service.database.rows(
      "select id, contact_id, context, depth from workflow_runs where workflow_id = ? order by id",
      [workflow],
    );
  }

  const told = (events: readonly RecordedEvent[]) => events.map(({ event }) => event);

  it("go through their nodes, wait as long as they are told to, and finish", async () => {
    const contact = await givenContact(world);
    const tag = await givenTag(world);
    const workflow = await givenWorkflow(world, {
      mark: { type: "add_tag", tag: tag.name, next: "rest" },
      rest: { type: "wait", for: "1h", next: "note" },
      note: { type: "add_note", body: "Hello {{contact.first_name}}, {{context.who}}{{nobody}}" },
    });
    const { result: run, events } = await world.eventsDuring(async () => {
      const id = await givenRun(world, workflow, contact.id, { who: "you" });
      await work();
      return id;
    });
    expect(told(events)).toEqual(["workflow.run_started", "contact.tag_added"]);
    const wakeAt = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    expect(await runOf(world, run)).toMatchObject({
      status: "waiting",
      current_node_id: "rest",
      wait_reason: "delay",
      wake_at: wakeAt,
    });

    world.clock.advance({ minutes: 59 });
    await work();
    expect(await runOf(world, run)).toMatchObject({ status: "waiting", wake_at: wakeAt });

    world.clock.advance({ minutes: 1 });
    const after = await world.eventsDuring(work);
    expect(after.events.map(({ event, data }) => [event, data.body ?? data.ended_reason])).toEqual([
      ["note.added", "Hello Ada, you"],
      ["workflow.run_finished", "finished"],
    ]);
    expect(await runOf(world, run)).toMatchObject({
      status: "completed",
      current_node_id: "note",
      ended_reason: "finished",
      wait_reason: "none",
      wake_at: null,
      completed_at: wakeAt,
    });
  });

  describe("each node does what it says, as the workflow", () => {
    interface Row {
      readonly node: (given: {
        tag: string;
        channel: number;
        pipeline: number;
        stages: Record<string, { id: number }>;
      }) => WorkflowNode;
      readonly events: readonly string[];
      readonly data: object;
    }
    test.each<[string, Row]>([
      [
        "add_tag",
        { node: ({ tag }) => ({ type: "add_tag", tag: tag.toUpperCase() }), events: ["contact.tag_added"], data: {} },
      ],
      ["add_tag, on it already", { node: () => ({ type: "add_tag", tag: "carried" }), events: [], data: {} }],
      [
        "remove_tag",
        { node: () => ({ type: "remove_tag", tag: "carried" }), events: ["contact.tag_removed"], data: { tags: [] } },
      ],
      ["remove_tag, not on it", { node: ({ tag }) => ({ type: "remove_tag", tag }), events: [], data: {} }],
      [
        "add_note",
        {
          node: () => ({ type: "add_note", body: "For {{contact.email}}" }),
          events: ["note.added"],
          data: { body: expect.stringMatching(/^For ada\.\d+@/) },
        },
      ],
      [
        "create_task",
        {
          node: () => ({ type: "create_task", title: "Call {{contact.first_name}}", due_in: "2d" }),
          events: ["task.created"],
          data: { title: "Call Ada", overdue: false },
        },
      ],
      [
        "update_contact",
        {
          node: () => ({ type: "update_contact", set: { city: "{{context.city}}", dnd: true } }),
          events: ["contact.updated"],
          data: { city: "Paris", dnd: true },
        },
      ],
      [
        "update_contact, its keys",
        {
          node: () => ({ type: "update_contact", set: { email: "{{context.city}}@example.com" } }),
          events: ["contact.updated"],
          data: { email: expect.stringMatching(/^Paris@/i) },
        },
      ],
      [
        "update_contact, nothing new",
        { node: () => ({ type: "update_contact", set: { first_name: "Ada" } }), events: [], data: {} },
      ],
      [
        "move_stage",
        {
          node: ({ pipeline, stages }) => ({ type: "move_stage", pipeline_id: pipeline, stage_id: stages["Lost"]!.id }),
          events: ["opportunity.stage_changed"],
          data: { status: "lost", lost_reason: expect.stringMatching(/^Moved by the workflow /) },
        },
      ],
      [
        "send_message",
        {
          node: ({ channel }) => ({ type: "send_message", channel_id: channel, body: "Hello {{contact.first_name}}" }),
          events: ["conversation.created", "message.sent"],
          data: { body: "Hello Ada" },
        },
      ],
    ])("%s", async (_name, { node, events, data }) => {
      const { contact, tag: carried } = await givenTaggedContact(world);
      const tag = await givenTag(world);
      const channel = await givenChannel(world);
      const pipeline = await pipelineOf(world);
      const stages = await stagesOf(world);
      await givenOpportunity(world, { contact_id: contact.id });
      const made = node({ tag: tag.name, channel: channel.id, pipeline: pipeline.id, stages });
      const meant = "tag" in made && made.tag === "carried" ? { ...made, tag: carried.id } : made;
      const workflow = await givenWorkflow(world, { only: meant });
      const run = await givenRun(world, workflow, contact.id, { city: "Paris" });
      const during = await world.eventsDuring(work);
      expect(told(during.events)).toEqual([...events, "workflow.run_finished"]);
      expect(during.events.at(events.length - 1)?.data ?? {}).toMatchObject(events.length === 0 ? {} : data);
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished" });
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      for (const activity of body.activities.slice(0, events.length + 1))
        expect(activity.actor).toMatchObject({ type: "workflow", id: workflow });
    });
  });

  it("a contact that is not to be disturbed is sent nothing, and its run ends", async () => {
    const channel = await givenChannel(world);
    const contact = await givenContact(world, { dnd: true });
    const workflow = await givenWorkflow(world, {
      greet: { type: "send_message", channel_id: channel.id, body: "Hello" },
    });
    const run = await givenRun(world, workflow, contact.id);
    const { events } = await world.eventsDuring(work);
    expect(told(events)).toEqual(["workflow.run_finished"]);
    expect(await runOf(world, run)).toMatchObject({
      status: "canceled",
      ended_reason: "dnd",
      current_node_id: "greet",
    });
  });

  it("a reply ends a wait for one, also one that came first; what came before the send does not", async () => {
    const channel = await givenChannel(world);
    const [quick, slow] = [await givenContact(world), await givenContact(world)];
    const workflow = await givenWorkflow(world, {
      greet: { type: "send_message", channel_id: channel.id, body: "Will you come?", next: "rest" },
      rest: { type: "wait", for: "1h", next: "answer" },
      answer: { type: "wait", reply: true, timeout: "1d", on_timeout: "late" },
      late: { type: "add_note", body: "Never answered" },
    });
    for (const contact of [quick, slow]) await reply(channel, contact.email);
    world.clock.advance({ seconds: 1 });
    const runs = [await givenRun(world, workflow, quick.id), await givenRun(world, workflow, slow.id)];
    await work();
    await reply(channel, quick.email);
    world.clock.advance({ hours: 1 });
    await work();
    const states = async () => Promise.all(runs.map(async (id) => (await runOf(world, id)).ended_reason));
    expect(await states()).toEqual(["replied", null]);
    expect(await runOf(world, runs[1]!)).toMatchObject({ wait_reason: "reply", wake_at: expect.any(String) });
    await reply(channel, slow.email);
    await work();
    expect(await states()).toEqual(["replied", "replied"]);
  });

  it("an event ends a wait for it, or the timeout does; an event from before does not", async () => {
    const [heard, unheard] = [await givenContact(world), await givenContact(world)];
    const workflow = await givenWorkflow(world, {
      wait: { type: "wait", event: "invoice.paid", timeout: "1d", on_timeout: "late", next: "thank" },
      thank: { type: "add_note", body: "Paid" },
      late: { type: "add_note", body: "Unpaid" },
    });
    for (const contact of [heard, unheard]) await report(contact.id, "invoice.paid");
    world.clock.advance({ seconds: 1 });
    for (const contact of [heard, unheard]) await givenRun(world, workflow, contact.id);
    await work();
    await report(heard.id, "form.submitted");
    await work();
    await report(heard.id, "invoice.paid");
    const first = await world.eventsDuring(work);
    expect(first.events.map(({ data }) => data.body ?? data.ended_reason)).toEqual(["Paid", "finished"]);
    world.clock.advance({ days: 1 });
    const second = await world.eventsDuring(work);
    expect(second.events.map(({ data }) => data.body ?? data.ended_reason)).toEqual(["Unpaid", "finished"]);
  });

  it.each([
    ["an event that precedes the timeout wins", "invoice.paid", 0, "Paid"],
    ["another event does not", "form.submitted", 0, "Unpaid"],
    ["a later event does not", "invoice.paid", 1, "Unpaid"],
  ])("while the follower of the log is behind, %s", async (_what, event, isLate, body) => {
    const contact = await givenContact(world);
    const workflow = await givenWorkflow(world, {
      wait: { type: "wait", event: "invoice.paid", timeout: "1d", on_timeout: "late", next: "thank" },
      thank: { type: "add_note", body: "Paid" },
      late: { type: "add_note", body: "Unpaid" },
    });
    await givenRun(world, workflow, contact.id);
    await work();
    const happen = [() => report(contact.id, event), async () => world.clock.advance({ days: 1 })];
    const { events } = await world.eventsDuring(async () => {
      await happen[isLate]!();
      // The follower has not read the event when the engine finds the run due.
      if (isLate === 1) await work();
      await happen[1 - isLate]!();
      await work();
    });
    expect(events.flatMap(({ data }) => data.body ?? [])).toEqual([body]);
  });

  it("an event starts what it triggers, with its data as context, for whom the filter lets in", async () => {
    const [boston, paris] = [
      await givenContact(world, { city: "Boston" }),
      await givenContact(world, { city: "Paris" }),
    ];
    const workflow = await givenWorkflow(
      world,
      { note: { type: "add_note", body: "{{context.form}}: {{context.fields.size}}" } },
      {
        trigger: {
          event: "quiz.submitted",
          filter: [
            { field: "city", op: "eq", value: "boston" },
            {
              any: [
                { field: "context.form", op: "starts_with", value: "off" },
                { field: "first_name", op: "eq", value: "Eve" },
              ],
            },
          ],
        },
      },
    );
    const { events } = await world.eventsDuring(async () => {
      await report(boston.id, "quiz.submitted", { form: "Offer", fields: { size: 3 } });
      await report(boston.id, "quiz.submitted", { form: "Other" });
      await report(paris.id, "quiz.submitted", { form: "Offer" });
      await report(boston.id, "survey.submitted", { form: "Offer" });
      await work();
    });
    expect(events.flatMap(({ event, data }) => (event === "note.added" ? [data.body] : []))).toEqual(["Offer: 3"]);
    expect(await runsOf(workflow)).toMatchObject([{ contact_id: boston.id, depth: 0 }]);
    await silence();
  });

  it("what a run does neither wakes it nor starts its own workflow, and a chain of workflows ends", async () => {
    const contact = await givenContact(world);
    const alone = await givenWorkflow(
      world,
      {
        note: { type: "add_note", body: "once", next: "wait" },
        wait: { type: "wait", event: "note.added", timeout: "1h", next: "exit" },
        exit: { type: "exit" },
      },
      { trigger: { event: "note.added" }, allowReentry: true },
    );
    const run = await givenRun(world, alone, contact.id);
    await work();
    expect(await runOf(world, run)).toMatchObject({ status: "waiting", wait_reason: "event" });
    expect(await runsOf(alone)).toHaveLength(1);
    world.clock.advance({ hours: 1 });
    await work();
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "exited" });

    const [ping, pong] = await Promise.all(
      [0, 1].map(() =>
        givenWorkflow(
          world,
          { task: { type: "create_task", title: "again" } },
          { trigger: { event: "task.created" }, allowReentry: true },
        ),
      ),
    );
    await givenRun(world, ping!, contact.id);
    await work();
    expect((await runsOf(pong!)).length).toBe(3);
    expect((await runsOf(ping!)).length).toBe(3);
    const tell = await Promise.all(
      [0, 1].map(() =>
        givenWorkflow(
          world,
          { exit: { type: "exit" } },
          { trigger: { event: "workflow.run_started" }, allowReentry: true },
        ),
      ),
    );
    await givenRun(world, ping!, contact.id);
    await work();
    for (const id of tell) expect((await runsOf(id)).length).toBeLessThan(60);
    await silence();
  });

  it("a goal is jumped to from a wait as soon as it holds", async () => {
    const contact = await givenContact(world, { city: "Paris" });
    const workflow = await givenWorkflow(world, {
      rest: { type: "wait", for: "9d", next: "note" },
      note: { type: "add_note", body: "never", next: "goal" },
      goal: { type: "goal", when: { city: "Boston" } },
    });
    const run = await givenRun(world, workflow, contact.id);
    await work();
    const waiting = await runOf(world, run);
    const patch = (city: string) =>
      made(world.send("owner", "PATCH", `/contacts/${contact.id}`, { location_id: world.north, city }));
    world.clock.advance({ hours: 1 });
    await patch("London");
    await work();
    expect(await runOf(world, run)).toEqual(waiting);
    await patch("Boston");
    await work();
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "goal_met", current_node_id: "goal" });
  });

  it("a node whose tag, channel or stage is gone fails its run with a sentence, and no other", async () => {
    const contacts = await Promise.all([0, 1, 2, 3].map(() => givenContact(world)));
    const channel = await givenChannel(world);
    const nodes: Record<string, WorkflowNode>[] = [
      { gone: { type: "add_tag", tag: "no such tag" } },
      { gone: { type: "send_message", channel_id: 999_999, body: "Hello" } },
      { fine: { type: "add_note", body: "Hello" } },
      { gone: { type: "send_message", channel_id: channel.id, body: "{{context.nothing}}" } },
    ];
    const runs: number[] = [];
    for (const [place, definition] of nodes.entries())
      runs.push(await givenRun(world, await givenWorkflow(world, definition), contacts[place]!.id));
    const { events } = await world.eventsDuring(work);
    const finished = events.filter(({ event }) => event === "workflow.run_finished");
    expect(Object.fromEntries(finished.map(({ data }) => [data.id, data.error]))).toEqual({
      [runs[0]!]: 'The node "gone": There is no such tag in this workspace.',
      [runs[1]!]: 'The node "gone": The channel id field must name a channel of the location.',
      [runs[2]!]: null,
      [runs[3]!]: 'The node "gone": The body field is required.',
    });
    expect(await runOf(world, runs[0]!)).toMatchObject({
      status: "failed",
      ended_reason: "error",
      current_node_id: "gone",
    });
  });

  it("a node that always throws is tried three times, then its run fails; nobody waits for it meanwhile", async () => {
    const workflow = await givenWorkflow(world, { poison: { type: "add_note", body: "x" } });
    // As no definition that is published could be: the engine must live with a fault of its own.
    await world.service.database.transaction(({ rows }) =>
      rows("update workflow_versions set definition = ? where workflow_id = ?", [
        JSON.stringify({ entry: "poison", nodes: { poison: { type: "add_note" } } }),
        workflow,
      ]),
    );
    const fine = await givenWorkflow(world, { note: { type: "add_note", body: "fine" } });
    const run = await givenRun(world, workflow, (await givenContact(world)).id);
    const others = [await givenRun(world, fine, (await givenContact(world)).id)];
    await work();
    for (const other of others) expect(await runOf(world, other)).toMatchObject({ ended_reason: "finished" });
    for (const minutes of [1, 5]) {
      expect(await runOf(world, run)).toMatchObject({
        status: "waiting",
        wait_reason: "delay",
        wake_at: new Date(world.clock.now().getTime() + minutes * 60_000).toISOString(),
      });
      world.clock.advance({ minutes });
      await work();
    }
    expect(await runOf(world, run)).toMatchObject({
      status: "failed",
      ended_reason: "error",
      current_node_id: "poison",
    });
    const [row] = await world.service.database.rows("select error from workflow_runs where id = ?", [run]);
    expect(row).toEqual({ error: 'The node "poison": It could not be carried out; the log of the service says why.' });
  });

  it("a day is 24 hours, also where clocks are put forward in it", async () => {
    const until = new Date("2026-03-07T17:00:00.000Z").getTime() - world.clock.now().getTime();
    world.clock.advance({ milliseconds: Math.max(until, 0) });
    const begun = world.clock.now().getTime();
    const contact = await givenContact(world);
    const workflow = await givenWorkflow(world, {
      rest: { type: "wait", for: "1d", next: "task" },
      task: { type: "create_task", title: "Call", due_in: "2d" },
    });
    const run = await givenRun(world, workflow, contact.id);
    await work();
    for (const hours of [23, 1]) {
      expect(await runOf(world, run)).toMatchObject({ wake_at: new Date(begun + 86_400_000).toISOString() });
      world.clock.advance({ hours });
      await work();
    }
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished" });
    const { body } = await world.send("owner", "GET", `/tasks?location_id=${world.north}&contact_id=${contact.id}`);
    expect(body.data[0].due_at).toBe(new Date(begun + 3 * 86_400_000).toISOString());
  });

  it("a context of the largest size fills what fits, and a text that becomes too long fails its run", async () => {
    const contact = await givenContact(world);
    const context = { large: "x".repeat(60_000) };
    const fits = await givenWorkflow(world, { note: { type: "add_note", body: "{{context.large}}" } });
    const bursts = await givenWorkflow(world, { note: { type: "add_note", body: "{{context.large}}".repeat(100) } });
    const runs = [await givenRun(world, fits, contact.id, context), await givenRun(world, bursts, contact.id, context)];
    await work();
    expect(await runOf(world, runs[0]!)).toMatchObject({ ended_reason: "finished" });
    expect(await runOf(world, runs[1]!)).toMatchObject({ ended_reason: "error" });
  });

  it("a contact that is deleted takes its runs with it", async () => {
    const contact = await givenContact(world);
    const workflow = await givenWorkflow(world, {
      rest: { type: "wait", for: "1h", next: "note" },
      note: { type: "add_note", body: "x" },
    });
    const run = await givenRun(world, workflow, contact.id);
    await work();
    await world.send("owner", "DELETE", `/contacts/${contact.id}?location_id=${world.north}`);
    world.clock.advance({ hours: 2 });
    const { events } = await world.eventsDuring(work);
    expect(told(events)).toEqual([]);
    expect(await runOf(world, run)).toMatchObject({ status: "canceled", ended_reason: "contact_deleted" });
  });

  describe("webhook", () => {
    const posts = (url: string, onError = false): Record<string, WorkflowNode> => ({
      post: { type: "webhook", url, next: "done", ...(onError ? { on_error: "sorry" } : {}) },
      done: { type: "add_note", body: "posted" },
      ...(onError ? { sorry: { type: "add_note", body: "not posted" } as const } : {}),
    });

    it("posts the contact and the context, and goes on", async () => {
      await using receiver = await startReceiver();
      const contact = await givenContact(world);
      const workflow = await givenWorkflow(world, posts(receiver.url));
      const run = await givenRun(world, workflow, contact.id, { size: 3 });
      await work();
      expect(JSON.parse(receiver.arrivals[0]!.body)).toMatchObject({
        id: `${run}-0`,
        workflow_id: workflow,
        run_id: run,
        contact: { id: contact.id, email: contact.email, tags: [] },
        context: { size: 3 },
      });
      expect(receiver.arrivals).toHaveLength(1);
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished", current_node_id: "done" });
    });

    test.each([
      ["fails", false, 'The node "post": the address answered 500.'],
      ["goes where on_error says", true, null],
    ])("is tried three times under one id, then %s", async (_name, onError, error) => {
      await using receiver = await startReceiver(() => 500);
      const contact = await givenContact(world);
      const run = await givenRun(world, await givenWorkflow(world, posts(receiver.url, onError)), contact.id);
      await work();
      expect(await runOf(world, run)).toMatchObject({
        status: "waiting",
        wait_reason: "delay",
        wake_at: new Date(world.clock.now().getTime() + 60_000).toISOString(),
      });
      world.clock.advance({ seconds: 59 });
      await work();
      expect(receiver.arrivals).toHaveLength(1);
      world.clock.advance({ seconds: 1 });
      await work();
      expect(receiver.arrivals).toHaveLength(2);
      world.clock.advance({ minutes: 5 });
      const { events } = await world.eventsDuring(work);
      expect(receiver.arrivals.map(({ id }) => id)).toEqual([`${run}-0`, `${run}-0`, `${run}-0`]);
      expect(events.at(-1)!.data.error).toBe(error);
      expect(await runOf(world, run)).toMatchObject({ current_node_id: onError ? "sorry" : "post" });
    });

    it("an address that nothing may be posted to is a failed attempt", async () => {
      const contact = await givenContact(world);
      const run = await givenRun(world, await givenWorkflow(world, posts("http://169.254.169.254/latest")), contact.id);
      for (const minutes of [0, 1, 5]) {
        world.clock.advance({ minutes });
        await work();
      }
      const [row] = await world.service.database.rows("select error from workflow_runs where id = ?", [run]);
      expect(row).toEqual({ error: 'The node "post": the address is not allowed as a target.' });
    });

    it("an answer that comes when the run is over moves nothing", async () => {
      const contact = await givenContact(world);
      await using receiver = await startReceiver(() => async (response) => {
        await world.send("owner", "DELETE", `/contacts/${contact.id}?location_id=${world.north}`);
        response.writeHead(200).end();
      });
      const run = await givenRun(world, await givenWorkflow(world, posts(receiver.url)), contact.id);
      await work();
      expect(receiver.arrivals).toHaveLength(1);
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "contact_deleted", current_node_id: "post" });
      expect(await queued(run)).toEqual([]);
    });

    const queued = (run: number) =>
      world.service.database.rows("select attempt, fence from workflow_posts where run_id = ?", [run]);

    /** A run at its webhook node, whose post is leased to a worker. */
    async function givenClaimed(url: string, worker: number | null = null) {
      const workflow = await givenWorkflow(world, posts(url));
      const run = await givenRun(world, workflow, (await givenContact(world)).id);
      const { database, tools, callAs, outside, counts, log } = world.service;
      const changeAcross = createChangeAcross({ database, tools });
      const workers = createWorkers(database, tools.clock);
      const deps = { database, tools, callAs, changeAcross, outside, workers, counts, mailer: null, log };
      const duties = workflowDuties(deps);
      await duties.find(({ name }) => name === "move workflow runs")!.run(new AbortController().signal);
      return { workflow, run, claim: await claim(workflow, worker) };
    }

    async function claim(workflow_id: number, worker: number | null): Promise<ClaimedPost> {
      const shares = [{ due: { workflow_id }, take: 9 }];
      const now = world.clock.now();
      const claims = await claimPosts(world.service.database, { shares, now, leaseMilliseconds: 20_000, worker });
      expect(claims).toHaveLength(1);
      return claims[0]!;
    }

    it("a lease that expires is an attempt, and after the third the run fails", async () => {
      await using receiver = await startReceiver();
      const { workflow, run } = await givenClaimed(receiver.url);
      for (const attempt of [2, 3]) {
        await work();
        expect(await queued(run), "the lease holds").toMatchObject([{ attempt: attempt - 1 }]);
        world.clock.advance({ seconds: 21 });
        const dead = { now: world.clock.now(), gone: [], flying: [] };
        expect(await reclaimDeadPosts(world.service.database, dead)).toBe(1);
        expect(await claim(workflow, null)).toMatchObject({ attempt });
      }
      world.clock.advance({ seconds: 21 });
      await work();
      expect(receiver.arrivals).toEqual([]);
      expect(await runOf(world, run)).toMatchObject({ status: "failed", current_node_id: "post" });
      expect(await queued(run)).toEqual([]);
    });

    it("a worker whose lease expired settles nothing once another has claimed the post", async () => {
      const { database } = world.service;
      const { workflow, run, claim: first } = await givenClaimed("http://127.0.0.1:1");
      world.clock.advance({ seconds: 21 });
      await reclaimDeadPosts(database, { now: world.clock.now(), gone: [], flying: [] });
      const second = await claim(workflow, null);
      await database.transaction((writer) => giveBack(writer, first, world.clock.now()));
      expect(await database.transaction((writer) => takeOut(writer, first))).toBe(false);
      expect(await queued(run)).toEqual([{ attempt: 2, fence: 2 }]);
      expect(await database.transaction((writer) => takeOut(writer, second))).toBe(true);
    });

    it.runIf(process.platform === "linux")(
      "the posts of a worker whose process is gone are posted at once, and those of one that runs are not",
      async () => {
        await using receiver = await startReceiver();
        const { database } = world.service;
        const running = readOwnMark()!;
        const runs = [];
        for (const mark of [running, { ...running, startedAt: running.startedAt - 1 }]) {
          const worker = await createWorkers(database, world.clock, mark).own();
          runs.push((await givenClaimed(receiver.url, worker)).run);
        }
        await work();
        const [alive, gone] = await Promise.all(runs.map((run) => runOf(world, run)));
        expect([alive, gone]).toMatchObject([{ status: "active" }, { ended_reason: "finished" }]);
        expect(receiver.arrivals.map(({ id }) => id)).toEqual([`${runs[1]}-0`]);
      },
    );
  });
});
