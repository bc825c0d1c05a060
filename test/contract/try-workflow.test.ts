/** A dry run: its report, its errors, and that it leaves nothing behind. */
import { stampAll } from "../support/events.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { tryDefinition } from "../../src/crm/workflows/dry-run/dry-run.ts";
import { databaseKinds } from "../support/databases.ts";
import { tryDefinition as tryOperation } from "../../src/crm/workflows/workflow.operations.ts";
import { givenChannel, givenContact, givenTag, made } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Nodes = Record<string, object>;

describe.each([...databaseKinds])("a dry run on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  async function steps(contactId: number, nodes: Nodes, { context = {}, replies = false } = {}) {
    const caller = await world.service.inLocation(world.acme, world.north);
    const definition = readDefinition({ entry: Object.keys(nodes)[0], nodes });
    const taken = await tryDefinition(caller, { definition, contactId, context, replies });
    return taken.map(({ at, ...step }) => ({ ...step, hours: hoursUntil(at) }));
  }

  const hoursUntil = (at: string) => (Date.parse(at) - world.clock.now().getTime()) / 3_600_000;
  const after = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString();

  test("reports each step with its time, sees the effects of earlier steps, and leaves nothing behind", async () => {
    const contact = await givenContact(world);
    const channel = await givenChannel(world);
    const tag = await givenTag(world);
    const nodes = {
      mark: { type: "add_tag", tag: tag.name, next: "who" },
      who: { type: "branch", when: { tag: tag.name }, then: "write", else: "end" },
      write: {
        type: "send_message",
        channel_id: channel.id,
        body: "Hello {{contact.first_name}}: {{context.form}}",
        next: "ask",
      },
      ask: { type: "wait", reply: true, timeout: "2d", on_timeout: "post" },
      post: { type: "webhook", url: "https://example.com/hook", next: "rename" },
      rename: { type: "update_contact", set: { email: "{{context.form}}@example.com", dnd: true }, next: "again" },
      again: { type: "send_message", channel_id: channel.id, body: "Still there?" },
      end: { type: "exit" },
    };
    const show = async () =>
      (await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`)).body;
    const before = await show();
    const { result, events } = await world.eventsDuring(() => steps(contact.id, nodes, { context: { form: "offer" } }));
    expect(result).toEqual([
      { hours: 0, node: "mark", did: { type: "add_tag", tag: tag.name, next: "who" } },
      { hours: 0, node: "who", took: "then" },
      { hours: 0, node: "write", did: { ...nodes.write, body: "Hello Ada: offer" } },
      { hours: 0, node: "ask", waits: "reply", until: after(48), event: "message.received" },
      { hours: 48, node: "post", did: nodes.post },
      { hours: 48, node: "rename", did: { ...nodes.rename, set: { email: "offer@example.com", dnd: true } } },
      { hours: 48, node: "again", ended: "dnd" },
    ]);
    expect(events).toEqual([]);
    expect(await show()).toEqual(before);
  });

  test.each<[what: string, nodes: Nodes, options: { replies?: boolean }, expected: object[]]>([
    [
      "a contact that answers",
      { ask: { type: "wait", reply: true, timeout: "1d" } },
      { replies: true },
      [{ hours: 0, node: "ask", ended: "replied" }],
    ],
    [
      "a wait that nothing ends",
      { hear: { type: "wait", event: "form.submitted" } },
      {},
      [{ hours: 0, node: "hear", waits: "event", until: null, event: "form.submitted" }],
    ],
    [
      "a node that is refused",
      { set: { type: "update_contact", set: { email: "{{contact.first_name}}" } } },
      {},
      [{ hours: 0, node: "set", ended: "error", error: "The email field must be a valid email address." }],
    ],
  ])("tells of %s", async (_what, nodes, options, expected) => {
    expect(await steps((await givenContact(world)).id, nodes, options)).toEqual(expected);
  });

  test("ends in a workflow with a loop, whatever its output", async () => {
    const { id } = await givenContact(world);
    const round = {
      rest: { type: "wait", for: "1h", next: "note" },
      note: { type: "add_note", body: "x", next: "rest" },
    };
    const taken = await steps(id, round);
    expect(taken.length).toBeLessThan(300);
    expect(taken.at(-1)).toMatchObject({ goes_on: true });
    const silent = { ask: { type: "wait", reply: true, next: "ask" } };
    expect(await steps(id, silent, { replies: true })).toEqual([{ hours: 0, node: "ask", goes_on: true }]);
  });

  test("continues at on_error of a node that is refused", async () => {
    const contact = await givenContact(world, { dnd: false });
    const channel = await givenChannel(world);
    const nodes = {
      write: { type: "send_message", channel_id: channel.id, body: "{{context.offer}}", on_error: "note" },
      note: { type: "add_note", body: "Call" },
    };
    expect(await steps(contact.id, nodes)).toMatchObject([
      { node: "write", failed: expect.stringMatching(/body/), took: "note" },
      { node: "note", did: nodes.note },
      { node: "note", ended: "finished" },
    ]);
  });

  describe("for an event", () => {
    const trigger = {
      event: "form.submitted",
      filter: [
        { field: "context.form", op: "eq", value: "Offer" },
        {
          any: [
            { field: "city", op: "in", value: ["Boston", "Salem"] },
            { field: "tag", op: "eq", value: "vip" },
          ],
        },
      ],
    } as const;
    const nodes = { note: { type: "add_note", body: "Hello" } } as const;

    async function attempt(input: object) {
      const caller = await world.service.inLocation(world.acme, world.north);
      return world.service.carryOut(tryOperation, caller, { input });
    }

    const report = async (contactId: number | null, form: string) =>
      (await made(
        world.send("owner", "POST", "/events", {
          location_id: world.north,
          event: "form.submitted",
          contact_id: contactId,
          data: { form },
        }),
      )) as { id: number };

    test("judges each condition of the filter, with both values", async () => {
      const contact = await givenContact(world, { city: "Concord" });
      const definition = { entry: "note", trigger, nodes };
      const event = { event: "form.submitted", contact_id: contact.id, data: { form: "Other" } };
      const { trigger: judged, steps: none } = await attempt({ definition, event });
      expect(judged).toEqual({
        event: "form.submitted",
        contact_id: contact.id,
        starts: false,
        reasons: ["The filter does not match."],
        filter: [
          { holds: false, any: [{ field: "context.form", op: "eq", value: "Offer", given: "Other", holds: false }] },
          {
            holds: false,
            any: [
              { field: "city", op: "in", value: ["Boston", "Salem"], given: "Concord", holds: false },
              { field: "tag", op: "eq", value: "vip", given: [], holds: false },
            ],
          },
        ],
      });
      expect(none).toEqual([]);
    });

    test("performs the dry run with the data of the event if it starts", async () => {
      const contact = await givenContact(world, { city: "boston" });
      const shown = { entry: "note", trigger, nodes: { note: { type: "add_note", body: "{{context.form}}" } } };
      const event = { event: "form.submitted", data: { form: "offer" } };
      const tried = await attempt({ definition: shown, event, contact_id: contact.id });
      expect(tried.trigger).toMatchObject({ starts: true, reasons: [], filter: [{ holds: true }, { holds: true }] });
      expect(tried.steps[0]).toMatchObject({ did: { body: "offer" } });
    });

    // Prepares what stands in the way of the event of a contact; resolves to the event, or to the one prepared.
    type Prepare = (run: { workflow: number; contact: number; event: number }) => Promise<unknown>;
    const raisedBy = async (event: number, run: number) =>
      world.service.database.transaction(({ rows }) => rows("update events set run_id = ? where id = ?", [run, event]));

    test.each<[what: string, prepare: Prepare, reasons: string[]]>([
      ["nothing in the way", async () => undefined, []],
      [
        "an active run of the contact",
        ({ workflow, contact }) => givenRun(world, workflow, contact),
        ["The contact id field names a contact that has an active run of this workflow already."],
      ],
      [
        "a workflow that is not published",
        ({ workflow }) =>
          world.service.database.transaction(({ rows }) =>
            rows("update workflows set version_id = null where id = ?", [workflow]),
          ),
        ["The workflow is not published."],
      ],
      [
        "a trigger that took effect later",
        async ({ workflow }) => {
          const { database } = world.service;
          await stampAll(database);
          await database.transaction(({ rows }) =>
            rows("update workflows set after_position = 1000000 where id = ?", [workflow]),
          );
        },
        ["The event happened before the trigger took effect."],
      ],
      [
        "an event of its own run",
        async ({ workflow, event }) => raisedBy(event, await givenRun(world, workflow, (await givenContact(world)).id)),
        ["The event was raised by a run of this workflow."],
      ],
      [
        "a long chain",
        async ({ contact, event }) => {
          const run = await givenRun(world, await givenWorkflow(world, nodes), contact);
          await world.service.database.transaction(({ rows }) =>
            rows("update workflow_runs set depth = 5 where id = ?", [run]),
          );
          await raisedBy(event, run);
        },
        ["The event was raised by a chain of more than 5 runs that started each other."],
      ],
      [
        "an event of an import",
        ({ event }) =>
          world.service.database.transaction(({ rows }) =>
            rows("update events set cause = 'import' where id = ?", [event]),
          ),
        ['An import raised the event, and the trigger lacks "imports": true.'],
      ],
    ])("of the log and a workflow: %s", async (_what, prepare, reasons) => {
      const contact = await givenContact(world, { city: "Salem" });
      const workflow = await givenWorkflow(world, nodes, { trigger: trigger as never });
      const { id: event } = await report(contact.id, "Offer");
      await prepare({ workflow, contact: contact.id, event });
      const tried = await attempt({ workflow_id: workflow, event_id: event });
      expect(tried.trigger).toMatchObject({ contact_id: contact.id, starts: reasons.length === 0, reasons });
      expect(tried.steps.length > 0).toBe(reasons.length === 0);
    });

    test("of the log without a contact says so, unless a contact is named", async () => {
      const contact = await givenContact(world, { city: "Salem" });
      const workflow = await givenWorkflow(world, nodes, { trigger: trigger as never });
      const { id: event_id } = await report(null, "Offer");
      const tried = await attempt({ workflow_id: workflow, event_id });
      const reasons = [expect.stringMatching(/^The event has no contact/)];
      expect(tried).toEqual({
        trigger: { event: "form.submitted", contact_id: null, starts: false, reasons, filter: [] },
        steps: [],
      });
      const named = await attempt({ workflow_id: workflow, event_id, contact_id: contact.id });
      expect(named.trigger).toMatchObject({ contact_id: contact.id, starts: true });
    });

    test.each<[what: string, definition: object, event: object, reason: RegExp]>([
      ["no trigger", { entry: "note", nodes }, { event: "form.submitted", data: {} }, /no trigger/],
      ["another event", { entry: "note", trigger, nodes }, { event: "contact.updated", data: {} }, /form.submitted/],
      [
        "an automatic message",
        { entry: "note", trigger: { event: "message.received" }, nodes },
        { event: "message.received", data: { automatic: true } },
        /automatic/,
      ],
    ])("tells of %s", async (_what, definition, event, reason) => {
      const { id: contact_id } = await givenContact(world);
      const { trigger: judged } = await attempt({ definition, event, contact_id });
      expect(judged).toMatchObject({ starts: false, reasons: [expect.stringMatching(reason)] });
    });

    test.each<[what: string, input: (workflow: number) => object, field: string]>([
      ["neither definition nor workflow", () => ({ contact_id: 1 }), "definition"],
      ["an unknown workflow", () => ({ workflow_id: 999_999, contact_id: 1 }), "workflow_id"],
      ["an unknown event", (workflow_id) => ({ workflow_id, event_id: 999_999 }), "event_id"],
      ["no contact", (workflow_id) => ({ workflow_id, event: { event: "form.submitted", data: {} } }), "contact_id"],
      [
        "a context beside an event",
        (workflow_id) => ({ workflow_id, event: { event: "form.submitted", data: {} }, context: {} }),
        "context",
      ],
    ])("refuses %s", async (_what, input, field) => {
      const workflow = await givenWorkflow(world, nodes);
      await expect(attempt(input(workflow))).rejects.toMatchObject({ errors: { [field]: expect.anything() } });
    });
  });
});
