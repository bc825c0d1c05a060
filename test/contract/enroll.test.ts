/** POST /workflows/{id}/enroll */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact } from "../support/given.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import type { World } from "../support/world.ts";

const waiting = { ask: { type: "wait", reply: true } } as const;

/** A contact, and a workflow that it can be enrolled in. */
async function given(world: World, { allowReentry = false } = {}) {
  const contact = await givenContact(world);
  return { contact, workflow: await givenWorkflow(world, waiting, { allowReentry }) };
}

async function givenEnrolled(world: World, options?: { allowReentry?: boolean }) {
  const made = await given(world, options);
  return { ...made, run: await givenRun(world, made.workflow, made.contact.id) };
}

async function givenDraft(world: World) {
  const made = await given(world);
  await world.service.database.transaction(({ rows }) =>
    rows("update workflows set status = 'draft', version_id = null, entry_node_id = null where id = ?", [
      made.workflow,
    ]),
  );
  return made;
}

interface Given {
  readonly workflow: number;
  readonly contact: { readonly id: number };
}

const enrolling =
  (more: object = {}) =>
  (world: World, { workflow, contact }: Given) =>
    ["POST", `/workflows/${workflow}/enroll`, { location_id: world.north, contact_id: contact.id, ...more }] as const;

const started = ["workflow.run_started"];
const refusedContact = (sentence: string) => ({ message: sentence, errors: { contact_id: [sentence] } });

/** Contacts in each state: free, in the workflow already, deleted, of another location, unknown. */
async function givenSeveral(world: World) {
  const { workflow, contact: entered } = await givenEnrolled(world);
  const [free, other, deleted] = [await givenContact(world), await givenContact(world), await givenContact(world)];
  await world.send("owner", "DELETE", `/contacts/${deleted.id}`, { location_id: world.north });
  const foreign = await givenContact(world, { location_id: world.south });
  const ids = [other, entered, free, deleted, foreign].map(({ id }) => id);
  return { workflow, contact: free, ids: [...ids, 999_999] };
}

const enrollingSeveral =
  (idsOf: (ids: readonly number[]) => unknown = (ids) => ids) =>
  (world: World, { workflow, ids }: { readonly workflow: number; readonly ids: readonly number[] }) =>
    [
      "POST",
      `/workflows/${workflow}/enroll`,
      { location_id: world.north, contact_ids: idsOf(ids), context: { plan: "pro" } },
    ] as const;

const inWorkflow = "The contact id field names a contact that has an active run of this workflow already.";
const notOfLocation = "The contact id field must name a contact of the location.";

contract("enroll", [
  row({
    name: "responds with a result for each of several contacts, and treats those of other locations as unknown ones",
    given: givenSeveral,
    send: enrollingSeveral((ids) => [...ids, ids[0]]),
    expect: {
      status: 201,
      events: [...started, ...started],
      body: (world, { workflow, ids: [other, entered, free, ...unknown] }) => {
        const isStarted = (contact_id: number | undefined) => ({
          status: 201,
          contact_id,
          run: {
            workflow_id: workflow,
            contact_id,
            current_node_id: "ask",
            enrolled_at: world.clock.now().toISOString(),
          },
        });
        const isRefused = (contact_id: number | undefined, message: string) => ({
          status: 422,
          contact_id,
          message,
          errors: { contact_id: [message] },
        });
        return {
          data: [
            isStarted(other),
            isRefused(entered, inWorkflow),
            isStarted(free),
            ...unknown.map((id) => isRefused(id, notOfLocation)),
          ],
        };
      },
    },
    async afterwards(world, { workflow, ids }) {
      const runs = await world.service.database.rows(
        "select contact_id, context from workflow_runs where workflow_id = ? and contact_id in (?, ?) order by id",
        [workflow, ids[0]!, ids[2]!],
      );
      expect(runs).toEqual([ids[0], ids[2]].map((contact_id) => ({ contact_id, context: '{"plan":"pro"}' })));
    },
  }),
  row({
    name: "responds 200 if none of several contacts starts",
    given: givenSeveral,
    send: enrollingSeveral((ids) => ids.slice(3)),
    expect: { status: 200, body: () => ({ data: [{ status: 422 }, { status: 422 }, { status: 422 }] }) },
  }),
  row({
    name: "refuses several contacts of a workflow that is not published",
    given: async (world) => ({ ...(await givenDraft(world)), ids: [999_999] }),
    send: enrollingSeveral(),
    expect: { status: 422, body: { errors: { workflow: ["The workflow is not published."] } } },
  }),
  ...(
    [
      ["none", [], "contact_ids", "The contact ids field must have at least 1 item."],
      [
        "more than 200",
        Array.from({ length: 201 }, (_, id) => id + 1),
        "contact_ids",
        "The contact ids field must have at most 200 items.",
      ],
      ["no list", 7, "contact_ids", "The contact ids field must be a list."],
      ["no id", [1, "x"], "contact_ids.1", null],
    ] as const
  ).map(([what, ids, field, sentence]) =>
    row({
      name: `refuses ${what} as contact_ids`,
      given: givenSeveral,
      send: enrollingSeveral(() => ids),
      expect: {
        status: 422,
        body: { errors: { [field]: sentence === null ? [expect.any(String)] : [sentence] } },
      },
    }),
  ),
  row({
    name: "refuses contact_id beside contact_ids",
    given,
    send: enrolling({ contact_ids: [1] }),
    expect: {
      status: 422,
      exactly: {
        message: "The contact id field must not be given with contact_ids.",
        errors: { contact_id: ["The contact id field must not be given with contact_ids."] },
      },
    },
  }),
  row({
    name: "reports a missing contact and an invalid context together",
    given,
    send: enrolling({ contact_id: undefined, contact_ids: null, context: [1] }),
    expect: {
      status: 422,
      exactly: {
        message: "The contact id field is required. (and 1 more error)",
        errors: {
          contact_id: ["The contact id field is required."],
          context: ["The context field must be an object."],
        },
      },
    },
  }),
  row({
    name: "responds 201 with the run, at the entry node of the workflow",
    given,
    send: enrolling({ context: { plan: "pro" } }),
    expect: {
      status: 201,
      events: started,
      body: (world, { workflow, contact }) => ({
        workflow_id: workflow,
        contact_id: contact.id,
        status: "active",
        current_node_id: "ask",
        wait_reason: "none",
        wake_at: null,
        ended_reason: null,
        enrolled_at: world.clock.now().toISOString(),
        completed_at: null,
      }),
    },
    async afterwards(world, { workflow }, body) {
      const fields =
        "id workflow_id contact_id status current_node_id wait_reason wake_at ended_reason enrolled_at completed_at";
      expect(Object.keys(body).join(" ")).toBe(fields);
      const one = await world.send("readonly", "GET", `/workflow-runs/${body.id}?location_id=${world.north}`);
      const waits = { waiting_since: null, awaited_event: null, awaited_channel_id: null };
      const reasons = { ...waits, error: null, attempts: 0 };
      const more = { version: 1, trigger_event: null, context: { plan: "pro" }, steps: [] };
      expect(one.body).toEqual({ ...body, ...reasons, ...more });
      const all = await world.send("readonly", "GET", `/workflows/${workflow}/runs?location_id=${world.north}`);
      expect(all.body).toEqual({ data: [{ ...body, ...reasons }], next_cursor: null });
    },
  }),
  row({
    name: "treats an omitted or null context as empty",
    given,
    send: enrolling({ context: null }),
    expect: { status: 201, events: started },
  }),
  row({
    name: "appears on the contact's timeline, with the name of the workflow",
    given,
    send: enrolling(),
    expect: { status: 201, events: started },
    async afterwards(world, { contact, workflow }) {
      const { body } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      const [named] = await world.service.database.rows<{ name: string }>("select name from workflows where id = ?", [
        workflow,
      ]);
      expect(body.activities[0]).toMatchObject({
        kind: "workflow.run_started",
        data: [{ field: "workflow", old: null, new: named!.name }],
      });
    },
  }),
  row({
    name: "refuses a workflow that is not published, on workflow",
    given: givenDraft,
    send: enrolling(),
    expect: {
      status: 422,
      exactly: {
        message: "The workflow is not published.",
        errors: { workflow: ["The workflow is not published."] },
      },
    },
  }),
  row({
    name: "reports the workflow and the contact together",
    given: async (world) => ({ ...(await givenDraft(world)), contact: { id: 999_999 } }),
    send: enrolling(),
    expect: {
      status: 422,
      body: {
        message: "The workflow is not published. (and 1 more error)",
        errors: { contact_id: ["The contact id field must name a contact of the location."] },
      },
    },
  }),
  row({
    name: "refuses a contact that has an active run, on contact_id",
    given: givenEnrolled,
    send: enrolling(),
    expect: {
      status: 422,
      exactly: refusedContact("The contact id field names a contact that has an active run of this workflow already."),
    },
  }),
  row({
    name: "starts another run where re-entry is allowed",
    given: (world) => givenEnrolled(world, { allowReentry: true }),
    send: enrolling(),
    expect: { status: 201, events: started },
  }),
  row({
    name: "starts another run after the first has ended",
    async given(world) {
      const made = await givenEnrolled(world);
      await world.service.database.transaction(({ rows }) =>
        rows("update workflow_runs set status = 'completed', ended_reason = 'finished', due_at = null where id = ?", [
          made.run,
        ]),
      );
      return made;
    },
    send: enrolling(),
    expect: { status: 201, events: started },
  }),
  row({
    name: "refuses runs over the limit per contact, counted over all workflows",
    async given(world) {
      const made = await given(world, { allowReentry: true });
      for (let count = 0; count < limits.workflowRun.ofContact; count++) {
        await givenRun(world, made.workflow, made.contact.id);
      }
      return made;
    },
    send: enrolling(),
    expect: {
      status: 422,
      exactly: refusedContact(
        "The contact id field names a contact that has 100 active runs, the most that one can have.",
      ),
    },
  }),
  row({
    name: "refuses a deleted contact",
    async given(world) {
      const made = await given(world);
      await world.send("owner", "DELETE", `/contacts/${made.contact.id}`, { location_id: world.north });
      return made;
    },
    send: enrolling(),
    expect: { status: 422, exactly: refusedContact("The contact id field must name a contact of the location.") },
  }),
  ...[
    ["is no object", [1], "must be an object."],
    ["is larger than 64 KiB", { text: "x".repeat(65_536) }, "must not be larger than 65536 bytes."],
    ["carries NUL", { text: "a\0b" }, "must not contain NUL bytes."],
    ["carries half a character", { text: "\ud800" }, "must be valid Unicode text."],
    [
      "carries a number that would be rounded",
      { amount: 2 ** 60 },
      "must not contain numbers that cannot be kept exactly: send them as text.",
    ],
    [
      "is nested too deeply",
      JSON.parse(`${'{"a":'.repeat(17)}1${"}".repeat(17)}`),
      "must be nested at most 16 levels deep.",
    ],
  ].map(([what, context, predicate]) =>
    row({
      name: `refuses a context that ${what}`,
      given,
      send: enrolling({ context }),
      expect: { status: 422, body: { errors: { context: [`The context field ${predicate}`] } } },
    }),
  ),
  row({
    name: "accepts a context of 64 KiB and maximum depth",
    given,
    send: enrolling({
      context: { text: "é".repeat((65_536 - 120) / 2), deep: JSON.parse(`${'{"a":'.repeat(15)}1${"}".repeat(15)}`) },
    }),
    expect: { status: 201, events: started },
  }),
  row({
    name: "responds 404 to a workflow of another location before checking the contact",
    given,
    send: (world, { workflow }) => [
      "POST",
      `/workflows/${workflow}/enroll`,
      { location_id: world.south, contact_id: 999_999 },
    ],
    expect: { status: 404, exactly: { error: "workflow.not_found" } },
  }),
]);
