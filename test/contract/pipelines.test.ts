/** /pipelines */
import { expect } from "vitest";
import { createPipeline } from "../../src/crm/pipelines/pipeline.service.ts";
import type { PipelineInput } from "../../src/crm/pipelines/pipeline.schema.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenOpportunity, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

async function givenPipelines(world: World, count: number) {
  const south = await world.service.inLocation(world.acme, world.south);
  const input = (number: number): PipelineInput => ({
    name: `Pipeline ${number}`,
    stages: [
      { name: "Only", kind: "open", color: "#112233" },
      { name: "Gone", kind: "lost" },
    ],
  });
  return south.change(async (change) => {
    const made = [];
    for (let number = 0; number < count; number++) made.push(await createPipeline(change, input(number)));
    return made;
  });
}

async function workspaceOf({ service }: World, location: number): Promise<number> {
  const [found] = await service.database.rows<{ id: number }>("select workspace_id as id from locations where id = ?", [
    location,
  ]);
  return found!.id;
}

contract("listPipelines", [
  row({
    name: "a new location has exactly the default pipeline",
    send: (world) => ["GET", `/pipelines?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(_world, _given, body) {
      const stage = (name: string, kind: string) => ({ id: expect.any(Number), name, kind, color: null });
      expect(body).toEqual({
        data: [
          {
            id: expect.any(Number),
            name: "Sales",
            stages: [
              stage("Qualification", "open"),
              stage("Proposal", "open"),
              stage("Negotiation", "open"),
              stage("Won", "won"),
              stage("Lost", "lost"),
            ],
          },
        ],
        next_cursor: null,
      });
    },
  }),
  row({
    name: "ends a page before the names of its stages exceed 256 KiB, and the next continues there",
    as: "stranger",
    async given(world) {
      const caller = await world.service.inLocation(await workspaceOf(world, world.foreign), world.foreign);
      const stages = Array.from({ length: limits.pipelineStages }, (_, place) => {
        const number = String(place);
        return { name: number + "😀".repeat(limits.name - number.length), kind: "open" as const };
      });
      return caller.change(async (change) => {
        const made = [];
        for (let number = 0; number < 12; number++) made.push(await createPipeline(change, { name: "Wide", stages }));
        return made;
      });
    },
    send: (world) => ["GET", `/pipelines?location_id=${world.foreign}`],
    expect: { status: 200 },
    async afterwards(world, given, first) {
      const seen = [];
      for (let page = first; ;) {
        expect(page.data.length).toBeLessThanOrEqual(6);
        seen.push(...page.data);
        if (page.next_cursor === null) break;
        const cursor = encodeURIComponent(page.next_cursor);
        page = (await world.send("stranger", "GET", `/pipelines?location_id=${world.foreign}&cursor=${cursor}`)).body;
      }
      expect(seen.slice(1)).toEqual(given);
    },
  }),
  row({
    name: "has 200 per page, oldest first, in the shape of the response to creating one",
    given: (world) => givenPipelines(world, 201),
    send: (world) => ["GET", `/pipelines?location_id=${world.south}`],
    expect: { status: 200 },
    async afterwards(world, given, body) {
      const cursor = encodeURIComponent(body.next_cursor);
      const rest = await world.send("readonly", "GET", `/pipelines?location_id=${world.south}&cursor=${cursor}`);
      expect(body.data).toHaveLength(200);
      expect([...body.data, ...rest.body.data].slice(1)).toEqual(given);
      expect(rest.body.next_cursor).toBeNull();
      const elsewhere = await world.send("owner", "GET", `/pipelines?location_id=${world.north}&cursor=${cursor}`);
      expect(elsewhere.body.errors).toEqual({ cursor: ["The cursor is not one that this list gave out."] });
    },
  }),
]);

const renewals = [
  { name: "Due", kind: "open" },
  { name: "Talks", kind: "open", color: "#112233" },
  { name: "Renewed", kind: "won" },
  { name: "Left", kind: "lost" },
] as const;

/** A pipeline of four stages, of which the first has one opportunity of a contact unless it is to be empty. */
async function givenPipeline(world: World, { isEmpty = false } = {}) {
  const body = { location_id: world.north, name: "Renewals", stages: renewals };
  const pipeline = await made(world.send("owner", "POST", "/pipelines", body));
  const [due, talks, renewed, left] = pipeline.stages;
  const contact = await givenContact(world);
  const fields = { contact_id: contact.id, pipeline_id: pipeline.id, stage_id: due.id };
  const opportunity = isEmpty ? undefined : await givenOpportunity(world, fields);
  return { pipeline, path: `/pipelines/${pipeline.id}`, due, talks, renewed, left, contact, opportunity };
}

type Given = Awaited<ReturnType<typeof givenPipeline>>;

const patch = (given: (given: Given) => object) => (world: World, at: Given) =>
  ["PATCH", at.path, { location_id: world.north, ...given(at) }] as const;

contract("createPipeline", [
  row({
    name: "creates it with its stages, in order",
    send: (world) => ["POST", "/pipelines", { location_id: world.north, name: "Renewals", stages: renewals }],
    expect: { status: 201, body: { name: "Renewals", stages: renewals.map((stage) => ({ color: null, ...stage })) } },
  }),
  row({
    name: "refuses two stages of one name",
    send: (world) => [
      "POST",
      "/pipelines",
      { location_id: world.north, name: "Renewals", stages: [renewals[0], { name: "DUE", kind: "won" }] },
    ],
    expect: { status: 422, body: { errors: { stages: [expect.any(String)] } } },
  }),
]);

contract("updatePipeline", [
  row({
    name: "renames it and leaves the stages",
    given: (world) => givenPipeline(world),
    send: patch(() => ({ name: "Contracts" })),
    expect: { status: 200, body: (_world, { pipeline }) => ({ ...pipeline, name: "Contracts" }) },
  }),
  row({
    name: "renames, orders, adds and removes stages; a color that is not given stays",
    given: (world) => givenPipeline(world),
    send: patch(({ due, talks, renewed }) => ({
      stages: [
        { ...renewed, name: "Signed" },
        { id: talks.id, name: "Talks", kind: "open" },
        { name: "Fresh", kind: "open" },
        due,
      ],
    })),
    expect: {
      status: 200,
      body: (_world, { due, talks, renewed }) => ({
        stages: [{ ...renewed, name: "Signed" }, talks, { name: "Fresh", kind: "open", color: null }, due],
      }),
    },
  }),
  row({
    name: "refuses to remove a stage with opportunities, and changes nothing",
    given: (world) => givenPipeline(world),
    send: patch(({ talks }) => ({ name: "Lost", stages: [talks] })),
    expect: {
      status: 422,
      body: { errors: { move_to: ["The stage Due has opportunities: name the stage that receives them."] } },
    },
    async afterwards(world, { pipeline }) {
      const { data } = (await world.send("owner", "GET", `/pipelines?location_id=${world.north}`)).body;
      expect(data).toContainEqual(pipeline);
    },
  }),
  row({
    name: "moves them to the stage that receives them; contact, closing and reason follow",
    given: (world) => givenPipeline(world),
    send: patch(({ talks, left }) => ({ stages: [talks, left], move_to: left.id })),
    expect: { status: 200, events: ["opportunity.stage_changed"] },
    async afterwards(world, { opportunity, left, contact }) {
      const query = `?location_id=${world.north}`;
      const { body } = await world.send("owner", "GET", `/opportunities/${opportunity!.id}${query}`);
      expect(body).toMatchObject({ stage: left, status: "lost", lost_reason: "The stage Due was removed." });
      expect((await world.send("owner", "GET", `/contacts/${contact.id}${query}`)).body.stage).toEqual(left);
    },
  }),
  row({
    name: "keeps the reason of an opportunity that was lost before",
    async given(world) {
      const given = await givenPipeline(world);
      const lost = { location_id: world.north, stage_id: given.left.id, lost_reason: "Too expensive" };
      await made(world.send("owner", "PATCH", `/opportunities/${given.opportunity!.id}`, lost));
      const stages = [...given.pipeline.stages, { name: "No answer", kind: "lost" }];
      const { body } = await world.send("owner", "PATCH", given.path, { location_id: world.north, stages });
      return { ...given, left: body.stages.at(-1) };
    },
    send: patch(({ due, left }) => ({ stages: [due, left], move_to: left.id })),
    expect: { status: 200, events: ["opportunity.stage_changed"] },
    async afterwards(world, { opportunity, left }) {
      const path = `/opportunities/${opportunity!.id}?location_id=${world.north}`;
      expect((await world.send("owner", "GET", path)).body).toMatchObject({
        stage: left,
        lost_reason: "Too expensive",
      });
    },
  }),
  row({
    name: "gives a reason no longer than a client may, whatever the name of the stage",
    async given(world) {
      const given = await givenPipeline(world);
      const stages = [{ ...given.due, name: "😀".repeat(limits.name) }, given.left];
      await made(world.send("owner", "PATCH", given.path, { location_id: world.north, stages }));
      return given;
    },
    send: patch(({ left }) => ({ stages: [left], move_to: left.id })),
    expect: { status: 200, events: ["opportunity.stage_changed"] },
    async afterwards(world, { opportunity }) {
      const path = `/opportunities/${opportunity!.id}`;
      const { lost_reason } = (await world.send("owner", "GET", `${path}?location_id=${world.north}`)).body;
      const again = { location_id: world.north, lost_reason };
      expect(await world.send("owner", "PATCH", path, again)).toMatchObject({ status: 200, body: { lost_reason } });
    },
  }),
  row({
    name: "moves more than fit into one transaction",
    async given(world) {
      const given = await givenPipeline(world);
      const fields = { contact_id: given.contact.id, pipeline_id: given.pipeline.id, stage_id: given.due.id };
      for (let count = 0; count < 100; count++) await givenOpportunity(world, fields);
      return given;
    },
    send: patch(({ talks }) => ({ stages: [talks], move_to: talks.id })),
    expect: { status: 200, events: Array.from({ length: 101 }, () => "opportunity.stage_changed") },
  }),
  row({
    name: "refuses foreign and repeated stages, another kind, and a receiving stage that goes itself",
    given: (world) => givenPipeline(world),
    send: patch(({ due, talks }) => ({
      stages: [talks, { ...talks, name: "Again" }, { ...due, kind: "won" }, { id: 1, name: "Other", kind: "open" }],
      move_to: 1,
    })),
    expect: { status: 422 },
    async afterwards(_world, _given, { errors }) {
      expect(Object.keys(errors)).toEqual(["stages.1.id", "stages.2.kind", "stages.3.id", "move_to"]);
    },
  }),
  row({
    name: "refuses a receiving stage without the stages that remain",
    given: (world) => givenPipeline(world),
    send: patch(({ talks }) => ({ name: "New business", move_to: talks.id })),
    expect: {
      status: 422,
      body: {
        errors: {
          move_to: ["The move to field takes the opportunities of removed stages: give the stages that remain, too."],
        },
      },
    },
  }),
  row({
    name: "does not find that of another workspace",
    given: (world) => givenPipeline(world),
    as: "stranger",
    send: (world, { path }) => ["PATCH", path, { location_id: world.foreign, name: "Mine" }],
    expect: { status: 404, exactly: { error: "pipeline.not_found" } },
  }),
]);

contract("deletePipeline", [
  row({
    name: "deletes an empty one with its stages",
    given: (world) => givenPipeline(world, { isEmpty: true }),
    send: (world, { path }) => ["DELETE", path, { location_id: world.north }],
    expect: { status: 204 },
    async afterwards(world, { pipeline }) {
      const { data } = (await world.send("owner", "GET", `/pipelines?location_id=${world.north}`)).body;
      expect(data.map(({ id }: { id: number }) => id)).not.toContain(pipeline.id);
    },
  }),
  row({
    name: "refuses one with opportunities",
    given: (world) => givenPipeline(world),
    send: (world, { path }) => ["DELETE", path, { location_id: world.north }],
    expect: {
      status: 422,
      body: { errors: { id: ["The pipeline has opportunities (Due): move or delete them first."] } },
    },
  }),
  row({
    name: "refuses the last one of a location",
    given: async (world) =>
      (await made(world.send("stranger", "GET", `/pipelines?location_id=${world.foreign}`))).data[0].id,
    as: "stranger",
    send: (world, id) => ["DELETE", `/pipelines/${id}`, { location_id: world.foreign }],
    expect: { status: 422, body: { errors: { id: ["The last pipeline of a location cannot be deleted."] } } },
  }),
]);
