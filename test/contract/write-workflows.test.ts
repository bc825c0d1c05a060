/** Writing, publishing, trying and deleting workflows by API (extension): within the scopes of the key. */
import { expect } from "vitest";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { request } from "../support/client.ts";
import { contract, row } from "../support/contract.ts";
import { givenChannel, givenContact, made, unique } from "../support/given.ts";
import type { World } from "../support/world.ts";

const only = (node: object, more: object = {}) => ({ entry: "a", nodes: { a: node }, ...more });
const note = only({ type: "add_note", body: "Hello {{contact.first_name}}" });
const waiting = only({ type: "wait", reply: true });
const create = (world: World, fields: object = {}) =>
  made(
    world.send("owner", "POST", "/workflows", {
      location_id: world.north,
      name: `Workflow ${unique()}`,
      definition: note,
      ...fields,
    }),
  );

/** What a key with these scopes is told of the definition. */
async function write(world: World, scopes: readonly ScopeName[], definition: object) {
  const { key } = await world.service
    .inWorkspace(world.acme)
    .change((change) => createApiKey(change, { name: "few", scopes: ["workflow_definitions.write", ...scopes] }));
  const body = { location_id: world.north, name: "Few", definition };
  const answer = await request(world.url, { method: "POST", path: "/api/v1/workflows", key, body });
  return answer.body.required_scope === undefined ? answer.status : answer.body.message;
}

/** A definition, and the scopes that it needs beside contacts.readonly. */
const needs: readonly [needed: ScopeName, definition: (world: World) => Promise<object> | object][] = [
  ["contacts.write", () => note],
  ["contacts.write", () => only({ type: "update_contact", set: { company: "Acme" } })],
  ["tasks.write", () => only({ type: "create_task", title: "Call" })],
  [
    "conversations.write",
    async (world) => only({ type: "send_message", channel_id: (await givenChannel(world)).id, body: "Hi" }),
  ],
  ["conversations.readonly", () => waiting],
  ["events.readonly", () => only({ type: "wait", event: "form.submitted" })],
  ["events.readonly", () => only({ type: "exit" }, { trigger: { event: "form.submitted" } })],
  ["tasks.readonly", () => only({ type: "branch", when: { has_open_task: true }, then: "b", else: "b" }, {})],
  ["opportunities.readonly", () => only({ type: "webhook", url: "https://192.0.3.1/hook" })],
];

contract("createWorkflow", [
  row({
    name: "returns a draft",
    send: ({ north }) => ["POST", "/workflows", { location_id: north, name: "Draft", definition: { nonsense: true } }],
    expect: {
      status: 201,
      body: { name: "Draft", status: "draft", version: null, faults: { entry: ["The entry field is required."] } },
    },
  }),
  row({
    name: "publishes it in the same request",
    send: ({ north }) => [
      "POST",
      "/workflows",
      { location_id: north, name: "Notes", definition: note, allow_reentry: null, publish: true },
    ],
    expect: { status: 201, body: { status: "published", version: 1, allow_reentry: false } },
  }),
  row({
    name: "all or nothing",
    send: ({ north }) => [
      "POST",
      "/workflows",
      { location_id: north, name: "Unreachable", definition: { ...note, entry: "b" }, publish: true },
    ],
    expect: { status: 422, body: { errors: { definition: [expect.stringContaining('"b"')] } } },
    async afterwards(world) {
      const listed = await world.send("owner", "GET", `/workflows?location_id=${world.north}`);
      expect(listed.text).not.toContain("Unreachable");
    },
  }),
  ...needs.map(([needed, definitionOf], place) =>
    row({
      name: `needs ${needed} for definition ${place + 1}`,
      send: ["GET", "/me"],
      expect: { status: 200 },
      async afterwards(world) {
        const definition = await definitionOf(world);
        const rest: ScopeName[] = ["contacts.readonly", "opportunities.readonly", "tasks.readonly"];
        const without = rest.filter((scope) => scope !== needed);
        expect(await write(world, without, definition)).toMatch(new RegExp(`needs the scope ${needed}\\.$`));
        expect(await write(world, [...without, needed], definition)).toBe(201);
      },
    }),
  ),
  row({
    name: "workflows.write alone writes nothing",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const { key } = await world.service
        .inWorkspace(world.acme)
        .change((change) => createApiKey(change, { name: "runs", scopes: ["workflows.write", "contacts.write"] }));
      const { id } = await create(world);
      const asked = [
        ["POST", "/workflows"],
        ["PATCH", `/workflows/${id}`],
        ["POST", `/workflows/${id}/publish`],
        ["POST", `/workflows/${id}/try`],
        ["DELETE", `/workflows/${id}`],
      ] as const;
      for (const [method, path] of asked) {
        const body = { location_id: world.north, name: "Mine", definition: note };
        const { status, body: told } = await request(world.url, { method, path: `/api/v1${path}`, key, body });
        expect([method, path, status, told.required_scope]).toEqual([method, path, 403, "workflow_definitions.write"]);
      }
    },
  }),
]);

contract("updateWorkflow", [
  row({
    name: "changes the draft; new runs use it once it is published",
    given: (world) => create(world, { publish: true }),
    send: ({ north }, { id }) => [
      "PATCH",
      `/workflows/${id}`,
      { location_id: north, name: "New", definition: waiting },
    ],
    expect: { status: 200, body: { name: "New", status: "published", version: 1, faults: {} } },
    async afterwards(world, { id }) {
      const shown = await made(world.send("owner", "GET", `/workflows/${id}?location_id=${world.north}`));
      expect([shown.draft, shown.definition]).toEqual([waiting, note]);
    },
  }),
  row({
    name: "a workflow of another location is not found",
    given: (world) => create(world),
    send: ({ south }, { id }) => ["PATCH", `/workflows/${id}`, { location_id: south, name: "New" }],
    expect: { status: 404, exactly: { error: "workflow.not_found" } },
  }),
]);

contract("publishWorkflow", [
  row({
    name: "puts the draft in force",
    given: (world) => create(world),
    send: ({ north }, { id }) => ["POST", `/workflows/${id}/publish`, { location_id: north }],
    expect: { status: 200, body: { status: "published", version: 1, warnings: [] } },
  }),
  row({
    name: "names each fault with its node",
    given: (world) => create(world, { definition: only({ type: "add_tag", tag: "Nowhere" }) }),
    send: ({ north }, { id }) => ["POST", `/workflows/${id}/publish`, { location_id: north }],
    expect: {
      status: 422,
      body: { errors: { definition: ['The tag field of the node "a" must name a tag of the workspace.'] } },
    },
  }),
  row({
    name: "a draft of another author needs the publisher's scopes",
    given: async (world) => ({
      ...(await create(world, { definition: only({ type: "create_task", title: "Call" }) })),
      scopes: ["workflow_definitions.write", "contacts.write"] as ScopeName[],
    }),
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world, { id, scopes }) {
      const { key } = await world.service
        .inWorkspace(world.acme)
        .change((change) => createApiKey(change, { name: "few", scopes }));
      for (const [method, path, more] of [
        ["POST", "/publish", {}],
        ["PATCH", "", { publish: true }],
        ["POST", "/try", { contact_id: (await givenContact(world)).id }],
      ] as const) {
        const body = { location_id: world.north, ...more };
        const answer = await request(world.url, { method, path: `/api/v1/workflows/${id}${path}`, key, body });
        expect([path, answer.status, answer.body.required_scope]).toEqual([path, 403, "tasks.write"]);
      }
    },
  }),
]);

contract("tryWorkflow", [
  row({
    name: "tells the steps, and keeps nothing",
    given: async (world) => ({ ...(await create(world)), contact: await givenContact(world, { first_name: "Ada" }) }),
    send: ({ north }, { id, contact }) => [
      "POST",
      `/workflows/${id}/try`,
      { location_id: north, contact_id: contact.id },
    ],
    expect: {
      status: 200,
      body: {
        steps: [
          { node: "a", did: { type: "add_note", body: "Hello Ada" } },
          { node: "a", ended: "finished" },
        ],
      },
    },
  }),
]);

contract("deleteWorkflow", [
  row({
    name: "ends its runs first, and takes them along",
    async given(world) {
      const { id } = await create(world, { definition: waiting, publish: true });
      const { id: contact } = await givenContact(world);
      const body = { location_id: world.north, contact_id: contact };
      const run = await made(world.send("owner", "POST", `/workflows/${id}/enroll`, body));
      return { id, run };
    },
    send: ({ north }, { id }) => ["DELETE", `/workflows/${id}?location_id=${north}`],
    expect: { status: 204, events: ["workflow.run_finished"] },
    async afterwards(world, { id, run }) {
      const statusOf = async (path: string) =>
        (await world.send("owner", "GET", `${path}?location_id=${world.north}`)).status;
      expect([await statusOf(`/workflows/${id}`), await statusOf(`/workflow-runs/${run.id}`)]).toEqual([404, 404]);
    },
  }),
  row({
    name: "a draft goes without an event",
    given: (world) => create(world),
    send: ({ north }, { id }) => ["DELETE", `/workflows/${id}`, { location_id: north }],
    expect: { status: 204 },
  }),
]);
