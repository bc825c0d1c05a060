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

contract("enroll", [
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
      expect(one.body).toEqual({ ...body, version: 1, trigger_event: null, context: { plan: "pro" }, error: null });
      const all = await world.send("readonly", "GET", `/workflows/${workflow}/runs?location_id=${world.north}`);
      expect(all.body).toEqual({ data: [body], next_cursor: null });
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
    ["is nested too deeply", JSON.parse(`${'{"a":'.repeat(17)}1${"}".repeat(17)}`), "must not be nested so deeply."],
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
