/** Nodes that act on other workflows and on people, and messages of a run that fail or wait for a time of day. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WorkflowNode } from "../../src/crm/workflows/nodes/all.ts";
import { rotatePostSecret } from "../../src/crm/workflows/posting/post-secret.ts";
import { judgeDraft, prepareDraft } from "../../src/crm/workflows/publishing.service.ts";
import * as operations from "../../src/crm/workflows/workflow.operations.ts";
import { findSignatureFault } from "../../src/webhooks/signature.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenTask, made } from "../support/given.ts";
import { givenPerson } from "../support/given-people.ts";
import { untilOneWaits } from "../support/meet.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import { setSecret } from "../../src/crm/workflows/posting/workflow-secrets.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const exit: WorkflowNode = { type: "exit" };
const rest: WorkflowNode = { type: "wait", for: "1d" };

describe.each(sampleOf("nodes of workflows", 1, databaseKinds))("nodes on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback, quiet: true });
  });
  afterAll(() => world?.close());

  const work = () => world.service.worker.runOnce();
  const runsOf = (workflow: number) =>
    world.service.database.rows<{ id: number; depth: number; context: string; ended_reason: string | null }>(
      "select id, depth, context, ended_reason from workflow_runs where workflow_id = ? order by id",
      [workflow],
    );

  test("start_workflow enrolls with the context of its run, and not a contact that is in the workflow already", async () => {
    const contact = await givenContact(world);
    const target = await givenWorkflow(world, { rest });
    const starter = await givenWorkflow(world, {
      first: { type: "start_workflow", workflow_id: target, next: "second" },
      second: { type: "start_workflow", workflow_id: target, next: "end" },
      end: exit,
    });
    const run = await givenRun(world, starter, contact.id, { form: "Offer" });
    await work();
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "exited" });
    expect(await runsOf(target)).toMatchObject([{ depth: 1, context: '{"form":"Offer"}', ended_reason: null }]);
  });

  test("a chain of workflows that start each other ends with a sentence", async () => {
    const contact = await givenContact(world);
    // Such a cycle is made by publishing both before each other; publishing refuses what it can see.
    const one = await givenWorkflow(world, { end: exit }, { allowReentry: true });
    const other = await givenWorkflow(
      world,
      { go: { type: "start_workflow", workflow_id: one } },
      { allowReentry: true },
    );
    await world.service.database.transaction(({ rows }) =>
      rows("update workflow_versions set definition = ? where workflow_id = ?", [
        JSON.stringify({ entry: "end", nodes: { end: { type: "start_workflow", workflow_id: other } } }),
        one,
      ]),
    );
    await givenRun(world, one, contact.id);
    await work();
    const all = [...(await runsOf(one)), ...(await runsOf(other))];
    expect(all.map(({ depth }) => depth).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(all.filter(({ ended_reason }) => ended_reason === "error")).toMatchObject([{ depth: 5 }]);
  });

  test("an event that another run of the contact raises, in the same transaction, ends a wait that begins in it", async () => {
    const contact = await givenContact(world);
    const listening = await givenWorkflow(world, {
      listen: { type: "wait", event: "contact.updated", timeout: "1h", on_timeout: "silent", next: "heard" },
      silent: { type: "add_note", body: "silent" },
      heard: { type: "add_note", body: "heard" },
    });
    // As many events as are inserted together (src/events/record.ts): all of them before the wait is written.
    const update = (place: number): [string, WorkflowNode] => [
      `n${place}`,
      { type: "update_contact", set: { city: `City ${place}` }, ...(place < 16 && { next: `n${place + 1}` }) },
    ];
    const changing = await givenWorkflow(
      world,
      Object.fromEntries(Array.from({ length: 16 }, (_, place) => update(place + 1))),
    );
    const run = await givenRun(world, listening, contact.id);
    await givenRun(world, changing, contact.id);
    await world.service.worker.runOnce();
    expect(await runOf(world, run)).toMatchObject({ status: "completed", current_node_id: "heard" });
  });

  test("runs that move together read together, and each goes by its own contact", async () => {
    const cities = ["London", "Paris", null];
    const abroad = [
      { field: "city", op: "neq", value: "London" },
      { field: "tag", op: "eq", value: "First" },
    ];
    const contacts: number[] = [];
    for (let place = 0; place < 24; place += 1)
      contacts.push((await givenContact(world, { first_name: `Ada ${place}`, city: cities[place % 3] })).id);
    for (const name of ["First", "Abroad"]) await made(world.send("owner", "POST", "/tags", { name }));
    const workflow = await givenWorkflow(world, {
      greet: { type: "add_note", body: "Hello {{contact.first_name}}", next: "first" },
      first: { type: "add_tag", tag: "first", next: "again" },
      again: { type: "add_tag", tag: "First", next: "where" },
      where: { type: "branch", when: abroad, then: "abroad", else: "end" },
      abroad: { type: "add_tag", tag: "Abroad", next: "end" },
      end: exit,
    });
    for (const contact of contacts) await givenRun(world, workflow, contact);
    await work();
    const found = await world.service.database.rows(
      `select contacts.first_name, contacts.city, notes.body, count(tags.id) as tags, max(case when tags.name = 'Abroad' then 1 else 0 end) as is_abroad,
         (select count(*) from events where events.contact_id = contacts.id and event = 'contact.tag_added') as told
       from contacts join notes on notes.contact_id = contacts.id
         join contact_tags on contact_tags.contact_id = contacts.id join tags on tags.id = contact_tags.tag_id
       where contacts.id >= ? group by contacts.id, contacts.first_name, contacts.city, notes.body order by contacts.id`,
      [contacts[0]!],
    );
    expect(found).toEqual(
      contacts.map((_contact, place) => {
        const isAbroad = place % 3 === 0 ? 0 : 1;
        return {
          first_name: `Ada ${place}`,
          city: cities[place % 3],
          body: `Hello Ada ${place}`,
          tags: 1 + isAbroad,
          is_abroad: isAbroad,
          told: 1 + isAbroad,
        };
      }),
    );
  });

  test("add_tag fails a run whose contact has the most tags that one can have", async () => {
    const contact = await givenContact(world);
    await made(world.send("owner", "POST", "/tags", { name: "Over" }));
    await world.service.database.transaction(async ({ rows }) => {
      for (let place = 0; place < limits.contactTags; place += 1) {
        const [tag] = await rows<{ id: number }>(
          "insert into tags (workspace_id, name, name_key, created_at) values (1, ?, ?, ?) returning id",
          [`filler ${place}`, `filler ${place}`, world.clock.now()],
        );
        await rows("insert into contact_tags (contact_id, tag_id, created_at) values (?, ?, ?)", [
          contact.id,
          tag!.id,
          world.clock.now(),
        ]);
      }
    });
    const run = await givenRun(
      world,
      await givenWorkflow(world, { over: { type: "add_tag", tag: "Over" } }),
      contact.id,
    );
    await work();
    const ended = await world.service.database.rows("select ended_reason, error from workflow_runs where id = ?", [
      run,
    ]);
    const error = `The node "over": The contact has ${limits.contactTags} tags, the most that it can have.`;
    expect(ended).toEqual([{ ended_reason: "error", error }]);
  });

  test("stop_workflow ends the other runs of the contact, and not its own", async () => {
    const [contact, other] = [await givenContact(world), await givenContact(world)];
    const target = await givenWorkflow(world, { rest }, { allowReentry: true });
    const runs = [];
    for (const id of [contact.id, contact.id, other.id]) runs.push(await givenRun(world, target, id));
    await work();
    const stopper = await givenWorkflow(world, {
      stop: { type: "stop_workflow", workflow_id: target, next: "end" },
      end: exit,
    });
    const run = await givenRun(world, stopper, contact.id);
    await work();
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "exited" });
    expect((await runsOf(target)).map((one) => one.ended_reason)).toEqual(["removed", "removed", null]);
  });

  test("stop_workflow ends a run that is due in the same moment, and would have gone on", async () => {
    const contact = await givenContact(world);
    const hour: WorkflowNode = { type: "wait", for: "1h", next: "then" };
    const target = await givenWorkflow(world, {
      hour,
      then: { type: "add_note", body: "Not stopped", next: "rest" },
      rest,
    });
    const stopper = await givenWorkflow(world, { hour, then: { type: "stop_workflow", workflow_id: target } });
    await givenRun(world, stopper, contact.id);
    const stopped = await givenRun(world, target, contact.id);
    await work();

    world.clock.advance({ hours: 1 });
    await work();
    expect(await runOf(world, stopped)).toMatchObject({ status: "canceled", ended_reason: "removed" });
    expect(await world.service.database.rows("select body from notes where contact_id = ?", [contact.id])).toEqual([]);
  });

  test("a workflow that starts itself through others is refused by their names", async () => {
    const start = (id: number): WorkflowNode => ({ type: "start_workflow", workflow_id: id });
    const first = await givenWorkflow(world, { go: exit });
    const second = await givenWorkflow(world, { go: start(first) });
    const third = await givenWorkflow(world, { go: start(second) });
    const caller = await world.service.inLocation(world.acme, world.north);
    const names = await world.service.database.rows<{ name: string }>(
      "select name from workflows where id in (?, ?) order by id desc",
      [second, third],
    );
    const field = 'The workflow_id field of the node "go"';
    for (const [id, sentence] of [
      [first, `${field} must not name the workflow itself.`],
      [third, `${field} starts this workflow again, through "${names[0]!.name}" → "${names[1]!.name}".`],
      [987_654, `${field} must name a workflow of the location.`],
    ] as const) {
      const draft = { entry: "go", nodes: { go: start(id) } };
      const prepared = await prepareDraft({ targets: { judge: async () => undefined } as never }, draft);
      const { faults } = await judgeDraft(caller, prepared, first);
      expect(faults).toEqual({ "nodes.go.workflow_id": [sentence] });
    }
  });

  test("a stored draft that starts itself again has the same fault when it is saved, judged and published", async () => {
    const first = await givenWorkflow(world, { go: exit });
    const second = await givenWorkflow(world, { go: { type: "start_workflow", workflow_id: first } });
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = { entry: "go", nodes: { go: { type: "start_workflow", workflow_id: second } } };
    const records = { workflow: first };
    const saved = await world.service.carryOut(operations.updateWorkflow, caller, {
      ...records,
      input: { definition },
    });
    const fault = { "nodes.go.workflow_id": [expect.stringContaining("starts this workflow again")] };
    expect(saved.faults).toEqual(fault);
    expect((await world.service.carryOut(operations.judgeDraft, caller, records)).faults).toEqual(fault);
    await expect(world.service.carryOut(operations.publishWorkflow, caller, records)).rejects.toMatchObject({
      errors: { definition: Object.values(fault).flat() },
    });
  });

  test("assign_owner takes turns, also with two workers, and skips people without access", async () => {
    const people = [];
    for (let count = 0; count < 3; count += 1) people.push((await givenPerson(world, "member", null)).id);
    const node: WorkflowNode = { type: "assign_owner", user_ids: [...people.slice(0, 2), 987_654, people[2]!] };
    const workflow = await givenWorkflow(world, { assign: node });
    const contacts = [];
    for (let count = 0; count < 9; count += 1) contacts.push((await givenContact(world)).id);
    for (const id of contacts) await givenRun(world, workflow, id);
    await Promise.all([work(), work()]);
    await work();
    const owners = await world.service.database.rows<{ owner_id: number }>(
      "select owner_id from contacts where id >= ? order by id",
      [contacts[0]],
    );
    expect(
      Map.groupBy(owners, ({ owner_id }) => owner_id)
        .values()
        .map(({ length }) => length)
        .toArray(),
    ).toEqual([3, 3, 3]);
    expect(new Set(owners.map(({ owner_id }) => owner_id))).toEqual(new Set(people));
  });

  test("send_message with at waits for its time of day in the location, and sends once", async () => {
    const channel = await givenChannel(world);
    const contact = await givenContact(world);
    const workflow = await givenWorkflow(world, {
      greet: { type: "send_message", channel_id: channel.id, body: "Good morning!", at: "09:00", next: "end" },
      end: exit,
    });
    const run = await givenRun(world, workflow, contact.id);
    await work();
    const { wake_at: wakeAt, ...waiting } = await runOf(world, run);
    expect(waiting).toMatchObject({ status: "waiting", current_node_id: "greet", wait_reason: "until" });
    const shown = new Intl.DateTimeFormat("en", { timeZone: "America/New_York", timeStyle: "short" });
    expect(shown.format(new Date(wakeAt!))).toMatch(/^9:00\sAM$/);
    world.clock.advance({ milliseconds: Date.parse(wakeAt!) - world.clock.now().getTime() });
    const { events } = await world.eventsDuring(work);
    expect(events.filter(({ event }) => event === "message.sent")).toHaveLength(1);
    expect(await runOf(world, run)).toMatchObject({ ended_reason: "exited" });
  });

  test("posts carry an Idempotency-Key, and are signed once their workflow has a secret, for a while by the old one too", async () => {
    await using receiver = await startReceiver();
    const workflow = await givenWorkflow(
      world,
      { post: { type: "webhook", url: receiver.url } },
      { allowReentry: true },
    );
    const contact = await givenContact(world);
    const caller = await world.service.inLocation(world.acme, world.north);
    const rotate = (graceMilliseconds: number) =>
      caller.change((change) => rotatePostSecret(change, workflow, { graceMilliseconds }));
    const post = async () => {
      await givenRun(world, workflow, contact.id);
      await work();
      const { headers, body, id } = receiver.arrivals.at(-1)!;
      expect(headers["idempotency-key"]).toBe(id);
      const header = headers["x-service-signature"]?.toString();
      const now = world.clock.now().getTime();
      return (secret: string) =>
        findSignatureFault({ header, body: Buffer.from(body), secret, now, toleranceSeconds: 300 }) === undefined;
    };
    expect((await post())("whsec_any")).toBe(false);
    const first = await rotate(3_600_000);
    expect(first.old_secret_until).toBeNull();
    expect((await post())(first.secret)).toBe(true);
    const second = await rotate(3_600_000);
    const isSignedBy = await post();
    expect([first, second].map(({ secret }) => isSignedBy(secret))).toEqual([true, true]);
    world.clock.advance({ hours: 2 });
    const isSignedLater = await post();
    expect([first, second].map(({ secret }) => isSignedLater(secret))).toEqual([false, true]);
    const stored = await world.service.database.rows("select post_secret from workflows where id = ?", [workflow]);
    expect(JSON.stringify(stored)).not.toContain(second.secret);
  });

  test("posts carry the headers of their node, with secrets of the workflow, and fail where one is gone", async () => {
    await using receiver = await startReceiver();
    const headers = { "X-Source": "crm", "X-Api-Key": "Key {{secret.gateway}}" };
    const contact = await givenContact(world);
    const caller = await world.service.inLocation(world.acme, world.north);
    const secret = { key: "gateway", value: "s3cret of the gateway", origin: new URL(receiver.url).origin };
    const nodes = { post: { type: "webhook" as const, url: receiver.url, headers } };
    const workflow = await givenWorkflow(world, nodes, { allowReentry: true });
    await caller.change((change) => setSecret(change, workflow, secret));
    await givenRun(world, workflow, contact.id);
    await work();
    expect(receiver.arrivals.at(-1)!.headers).toMatchObject({ "x-source": "crm", "x-api-key": `Key ${secret.value}` });
    // What was published before stays so; the origin of the secret is judged at each post as well.
    for (const other of [
      { ...secret, origin: "https://elsewhere.example" },
      { key: "gateway", value: null },
    ]) {
      await caller.change((change) => setSecret(change, workflow, other));
      const run = await givenRun(world, workflow, contact.id);
      for (let attempt = 0; attempt < 3; attempt++) {
        await work();
        world.clock.advance({ hours: 1 });
      }
      const { body } = await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`);
      expect(body).toMatchObject({
        ended_reason: "error",
        error: 'The node "post": a secret of its headers is missing, or is for another address.',
      });
    }
    expect(receiver.arrivals).toHaveLength(1);
  });

  describe("a message that fails", () => {
    const note: WorkflowNode = { type: "add_note", body: "Call instead" };
    const send = (channel: number, more: object): WorkflowNode => ({
      type: "send_message",
      channel_id: channel,
      body: "Hello",
      ...more,
    });
    const refused = 'The node "greet": The message failed: The gateway answered 400.';

    test.each<[what: string, fields: object, nodes: Record<string, WorkflowNode>, end: object, notes: number]>([
      [
        "moves its run to on_error",
        { on_error: "call", next: "rest" },
        { rest, call: note },
        { ended_reason: "finished" },
        1,
      ],
      [
        "fails its run without on_error",
        { next: "rest" },
        { rest },
        { ended_reason: "error", current_node_id: "greet", error: refused },
        0,
      ],
      [
        "is left to a wait for message.failed",
        { next: "wait" },
        { wait: { type: "wait", event: "message.failed", next: "call" }, call: note },
        { ended_reason: "finished" },
        1,
      ],
    ])("%s", async (_what, fields, nodes, end, notes) => {
      await using gateway = await startReceiver(() => 400);
      const channel = await givenChannel(world, { transport: "http", transport_url: gateway.url });
      const contact = await givenContact(world);
      const run = await givenRun(
        world,
        await givenWorkflow(world, { greet: send(channel.id, fields), ...nodes }),
        contact.id,
      );
      await work();
      await work();
      const { body } = await world.send("owner", "GET", `/workflow-runs/${run}?location_id=${world.north}`);
      expect(body).toMatchObject(end);
      expect(gateway.arrivals).toHaveLength(1);
      const found = await world.service.database.rows("select id from notes where contact_id = ?", [contact.id]);
      expect(found).toHaveLength(notes);
    });

    test.each([
      ["after one of a lower id, for which a run starts", 1, 0],
      ["before one of a higher id, for which a run starts", 0, 1],
    ])("locks its contact %s", async (_what, failsAt, startsAt) => {
      await using gateway = await startReceiver(() => 503);
      const channel = await givenChannel(world, { transport: "http", transport_url: gateway.url });
      const contacts = [await givenContact(world), await givenContact(world)] as const;
      const trigger = { event: "task.created" } as const;
      const started = await givenWorkflow(world, { rest }, { trigger });
      const failing = await givenWorkflow(world, {
        greet: send(channel.id, { on_error: "call", next: "rest" }),
        rest,
        call: note,
      });
      const run = await givenRun(world, failing, contacts[failsAt]!.id);
      await work();
      const [message] = await world.service.database.rows<{ id: number; conversation_id: number }>(
        "select id, conversation_id from messages where channel_id = ?",
        [channel.id],
      );
      const path = `/conversations/${message!.conversation_id}/messages/${message!.id}/cancel`;
      await made(world.send("owner", "POST", path, { location_id: world.north }));
      await givenTask(world, { contact_id: contacts[startsAt]!.id });
      const { database } = world.service;
      let working: Promise<void> | undefined;
      await database.transaction(async ({ rows }) => {
        await rows("update contacts set dnd = dnd where id = ?", [contacts[0].id]);
        working = work();
        if (kind === "sqlite") return;
        await untilOneWaits(database);
        await database.transaction((other) =>
          other.rows("select id from contacts where id = ? for update nowait", [contacts[1].id]),
        );
      });
      await working;
      expect(await runsOf(started)).toHaveLength(1);
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished", current_node_id: "call" });
    });

    test("again, after a person retried it, leaves its run where on_error has led it", async () => {
      await using gateway = await startReceiver(() => 400);
      const channel = await givenChannel(world, { transport: "http", transport_url: gateway.url });
      const contact = await givenContact(world);
      const nodes = {
        greet: send(channel.id, { on_error: "call", next: "rest" }),
        rest,
        call: { ...note, next: "rest" } as WorkflowNode,
      };
      const run = await givenRun(world, await givenWorkflow(world, nodes), contact.id);
      await work();
      const sentText = "select id, conversation_id from messages where channel_id = ?";
      const [sent] = await world.service.database.rows<{ id: number; conversation_id: number }>(sentText, [channel.id]);
      const path = `/conversations/${sent!.conversation_id}/messages/${sent!.id}/retry`;
      await made(world.send("owner", "POST", path, { location_id: world.north }));
      await work();
      expect(gateway.arrivals).toHaveLength(2);
      expect(await runOf(world, run)).toMatchObject({ status: "waiting", current_node_id: "rest" });
      const notes = await world.service.database.rows("select id from notes where contact_id = ?", [contact.id]);
      expect(notes).toHaveLength(1);
    });

    test("that is refused at once moves its run to on_error, too", async () => {
      const channel = await givenChannel(world);
      const contact = await givenContact(world);
      const greet = send(channel.id, { body: "{{context.nothing}}", on_error: "call" });
      const run = await givenRun(world, await givenWorkflow(world, { greet, call: note }), contact.id);
      await work();
      expect(await runOf(world, run)).toMatchObject({ ended_reason: "finished", current_node_id: "call" });
    });
  });
});
