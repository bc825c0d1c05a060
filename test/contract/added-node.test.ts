/** A type of node that the product does not have, passed in through the list: one object is all that schema, checks, engine, dry run, terminal and documents need. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { addNote } from "../../src/crm/notes/note.service.ts";
import { enroll } from "../../src/crm/workflow-runs/enrollment.service.ts";
import { definitionJsonSchema } from "../../src/crm/workflows/definition/json-schema.ts";
import { defineAction } from "../../src/crm/workflows/definition/node-type.ts";
import { createNodeTypes } from "../../src/crm/workflows/definition/node-types.ts";
import { next, nodeId } from "../../src/crm/workflows/definition/parts.schema.ts";
import { readDefinition } from "../../src/crm/workflows/definition/read-definition.ts";
import { workflowNodes } from "../../src/crm/workflows/nodes/all.ts";
import { judgeDraft, prepareDraft, publishWorkflow } from "../../src/crm/workflows/publishing.service.ts";
import { tryDefinition } from "../../src/crm/workflows/dry-run/dry-run.ts";
import { workflowDuties } from "../../src/crm/workflows/workflow.duties.ts";
import { createWorkflow } from "../../src/crm/workflows/workflow.service.ts";
import { createChangeAcross } from "../../src/events/call-as.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { recordId, text } from "../../src/kit/input/fields.ts";
import { createWorkers } from "../../src/storage/installation/workers.ts";
import { drawGraph } from "../../terminal/output/workflows/graph.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made, unique } from "../support/given.ts";
import { nodeTable } from "../../scripts/node-table.ts";
import { runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const briefNode = defineAction({
  type: "brief_colleague",
  scopes: () => ["users.readonly"],
  schema: z.strictObject({
    type: z.literal("brief_colleague"),
    colleague_id: recordId(),
    briefing: text(200),
    script_url: text(200),
    otherwise: nodeId.optional(),
    next,
  }),
  about: "briefs a colleague about the contact",
  fields: ({ colleague_id, briefing, script_url }) => [
    { field: "colleague_id", holds: "user", value: colleague_id },
    { field: "briefing", holds: "template", value: briefing },
    { field: "script_url", holds: "url", value: script_url },
  ],
  summary: ({ briefing }) => `brief a colleague: ${briefing}`,
  async perform(change, { briefing }, { contactId, fill }) {
    await addNote(change, contactId, { body: await fill(briefing) });
    return "done";
  },
});

const types = createNodeTypes([...workflowNodes.all, briefNode]);

const brief = {
  type: "brief_colleague",
  colleague_id: 1,
  briefing: "Call {{contact.first_name}}",
  script_url: "https://example.com/script",
};
const of = (fields: object) => ({ entry: "brief", nodes: { brief: { ...brief, ...fields } } });

const faultsOf = (definition: object, known = types): Record<string, string[]> => {
  try {
    readDefinition(definition, known);
    return {};
  } catch (error) {
    return (error as { errors: Record<string, string[]> }).errors;
  }
};

test("it is read by its schema, and unknown where it is not in the list", () => {
  expect(faultsOf(of({}))).toEqual({});
  expect(faultsOf(of({ breifing: "x", colleague_id: "me" }))).toEqual({
    "nodes.brief.colleague_id": ['The colleague_id field of the node "brief" must be a positive integer.'],
    "nodes.brief.breifing": [
      'The breifing field of the node "brief" is unknown; there are type, colleague_id, briefing, script_url, otherwise, next. Did you mean briefing?',
    ],
  });
  expect(faultsOf(of({ type: "brief_coleague" }))["nodes.brief.type"]?.[0]).toMatch(/Did you mean brief_colleague\?$/);
  expect(faultsOf(of({}), workflowNodes)["nodes.brief.type"]?.[0]).toMatch(/is "brief_colleague"; there are/);
});

test("the JSON Schema and the documentation have it", () => {
  const isDefinition = new Ajv2020({ strict: false, validateFormats: false }).compile(definitionJsonSchema(types));
  expect(isDefinition(of({}))).toBe(true);
  expect(isDefinition(of({ briefing: undefined }))).toBe(false);
  expect(nodeTable(types).at(-1)).toBe(
    "| `brief_colleague` | `colleague_id`, `briefing`, `script_url`, `otherwise?` | briefs a colleague about the contact |",
  );
});

test("the terminal draws it in its words", () => {
  expect(drawGraph(readDefinition(of({}), types), new Map(), types)).toEqual([
    "● brief  brief a colleague: Call {{contact.first_name}}",
    "└─ ends, finished",
  ]);
});

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  let north: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    north = await world.service.inLocation(world.acme, world.north);
  });
  afterAll(() => world?.close());

  const prepare = (draft: object) => prepareDraft(world.service.outside, draft, types);
  const judge = async (fields: object) =>
    judgeDraft(north, await prepare(of({ colleague_id: world.users.nora, ...fields })));

  test.each<[what: string, fields: (world: World) => object, faults: Record<string, string>]>([
    ["all that is right", () => ({}), {}],
    [
      "a user without access",
      ({ users }) => ({ colleague_id: users.otto }),
      { colleague_id: "must name a person who has access to the location." },
    ],
    [
      "a URL inside the network",
      () => ({ script_url: "https://127.0.0.1/script" }),
      { script_url: "must be a public address: what is or resolves to a private, local or reserved one is refused." },
    ],
    [
      "a template in the URL",
      () => ({ script_url: "https://example.com/{{contact.city}}" }),
      { script_url: "must not contain {{: a URL is not filled in, and is sent as it stands." },
    ],
    [
      "a template inside another",
      () => ({ briefing: "{{contact.{{context.field}}}}" }),
      { briefing: "puts one template into another, and only one can be filled." },
    ],
    [
      "a node that there is not, in a field of its own",
      () => ({ otherwise: "call" }),
      { otherwise: 'names "call", and there is no such node.' },
    ],
  ])("publishing tells of %s", async (_what, fields, faults) => {
    expect(await judge(fields(world))).toEqual({
      faults: Object.fromEntries(
        Object.entries(faults).map(([field, predicate]) => [
          `nodes.brief.${field}`,
          [`The ${field} field of the node "brief" ${predicate}`],
        ]),
      ),
      warnings: [],
    });
  });

  test("publishing warns of a template that is always empty", async () => {
    expect(await judge({ briefing: "Call {{contact.phone}}" })).toEqual({
      faults: {},
      warnings: [
        'The briefing field of the node "brief" names {{contact.phone}}, which is always empty. Did you mean {{contact.phone_display}}?',
      ],
    });
  });

  test("a dry run performs it, and leaves nothing", async () => {
    const contact = await givenContact(world);
    const definition = readDefinition(of({}), types);
    const steps = await tryDefinition(north, { definition, types, contactId: contact.id, context: {}, replies: false });
    expect(steps).toMatchObject([{ did: { ...brief, briefing: "Call Ada" } }, { ended: "finished" }]);
    expect(await notesOf(contact.id)).toEqual([]);
  });

  test("a run performs it", async () => {
    const contact = await givenContact(world);
    const draft = of({ colleague_id: world.users.nora });
    const prepared = await prepare(draft);
    const workflowId = await north.change(async (change) => {
      const { id } = await createWorkflow(change, { name: `Briefing ${unique()}`, definition: draft });
      await publishWorkflow(change, id, prepared);
      return id;
    });
    const run = await north.change((change) => enroll(change, { workflowId, contactId: contact.id, context: {} }));
    const { database, tools, callAs, outside, counts, log } = world.service;
    const changeAcross = createChangeAcross({ database, tools });
    const workers = createWorkers(database, tools.clock);
    const duties = workflowDuties({
      database,
      tools,
      callAs,
      changeAcross,
      outside,
      workers,
      counts,
      mailer: null,
      types,
      log,
    });
    const moving = duties.find(({ name }) => name === "move workflow runs")!;
    await moving.run(new AbortController().signal);
    expect(await runOf(world, run.id)).toMatchObject({ status: "completed", ended_reason: "finished" });
    expect(await notesOf(contact.id)).toMatchObject([{ body: "Call Ada" }]);
  });

  async function notesOf(contactId: number): Promise<unknown[]> {
    const shown = await made(world.send("owner", "GET", `/contacts/${contactId}?location_id=${world.north}`));
    return shown.notes as unknown[];
  }
});
