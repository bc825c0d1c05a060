/** POST /opportunities */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenOpportunity, pipelineOf, stagesOf } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** A contact, and a body that names it, the pipeline and one of its stages. */
async function givenBody(world: World, stage: string, fields: Record<string, unknown> = {}) {
  const [contact, pipeline, stages] = [await givenContact(world), await pipelineOf(world), await stagesOf(world)];
  const body = {
    location_id: world.north,
    contact_id: contact.id,
    pipeline_id: pipeline.id,
    stage_id: stages[stage]!.id,
    ...fields,
  };
  return { contact, pipeline, stage: stages[stage]!, body };
}

const noReason = { lost_reason: ["The lost reason field is required when the stage is a lost one."] };

contract("createOpportunity", [
  row({
    name: "returns exactly the opportunity",
    given: (world) =>
      givenBody(world, "Proposal", { name: " Engine ", value_cents: 125_000, owner_user_id: world.users.nora }),
    send: (_world, { body }) => ["POST", "/opportunities", body],
    expect: { status: 201, events: ["opportunity.created"] },
    async afterwards(world, { contact, pipeline, stage }, body) {
      const now = world.clock.now().toISOString();
      const { id: _id, ...shown } = body;
      expect(shown).toEqual({
        contact: { id: contact.id, name: contact.name },
        pipeline: { id: pipeline.id, name: "Sales" },
        stage,
        name: "Engine",
        value_cents: 125_000,
        owner: { id: world.users.nora, name: "Nora" },
        status: "open",
        lost_reason: null,
        stage_entered_at: now,
        closed_at: null,
        created_at: now,
        updated_at: now,
      });
      const path = `/opportunities/${body.id}?location_id=${world.north}`;
      expect((await world.send("readonly", "GET", path)).body).toEqual(body);
    },
  }),
  row({
    name: "does not require name, value or owner; ids may be strings of digits",
    given: (world) => givenBody(world, "Won"),
    send: (_world, { body }) => [
      "POST",
      "/opportunities",
      {
        ...body,
        contact_id: String(body.contact_id),
        stage_id: ` ${body.stage_id} `,
        lost_reason: "ignored",
        name: "",
      },
    ],
    expect: {
      status: 201,
      body: (world) => ({
        name: null,
        value_cents: 0,
        owner: null,
        status: "won",
        lost_reason: null,
        closed_at: world.clock.now().toISOString(),
      }),
      events: ["opportunity.created"],
    },
  }),
  row({
    name: "updates its contact: stage, value, opportunities and activities",
    given: (world) => givenBody(world, "Negotiation", { name: "Engine", value_cents: 7 }),
    send(world, { body }) {
      world.clock.advance({ minutes: 5 });
      return ["POST", "/opportunities", body];
    },
    expect: { status: 201, events: ["opportunity.created"] },
    async afterwards(world, { contact, stage }, body) {
      const { body: shown } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      expect(shown).toMatchObject({ stage, value_cents: 7, opportunities: [body], updated_at: contact.updated_at });
      expect(shown.last_activity_at).toBe(world.clock.now().toISOString());
      expect(shown.activities[0]).toMatchObject({
        kind: "opportunity.created",
        data: [
          { field: "opportunity", old: null, new: "Engine" },
          { field: "stage", old: null, new: "Negotiation" },
        ],
      });
    },
  }),
  row({
    name: "a lost stage requires a reason",
    given: (world) => givenBody(world, "Lost"),
    send: (_world, { body }) => ["POST", "/opportunities", { ...body, lost_reason: " " }],
    expect: { status: 422, body: { errors: noReason } },
  }),
  row({
    name: "a lost stage stores the reason",
    given: (world) => givenBody(world, "Lost"),
    send: (_world, { body }) => ["POST", "/opportunities", { ...body, lost_reason: "Too expensive" }],
    expect: {
      status: 201,
      body: { status: "lost", lost_reason: "Too expensive" },
      events: ["opportunity.created"],
    },
  }),
  row({
    name: "a stage of another pipeline of the location is refused",
    async given(world) {
      const north = await world.service.inLocation(world.acme, world.north);
      const { createPipeline } = await import("../../src/crm/pipelines/pipeline.service.ts");
      const stages = [{ name: "One", kind: "open" as const }];
      const other = await north.change((change) => createPipeline(change, { name: "Other", stages }));
      return { ...(await givenBody(world, "Proposal")).body, pipeline_id: other.id };
    },
    send: (_world, body) => ["POST", "/opportunities", body],
    expect: { status: 422, body: { errors: { stage_id: ["The stage id field must name a stage of the pipeline."] } } },
  }),
  row({
    name: "records of another location and a missing reason are reported together",
    async given(world) {
      const stages = await stagesOf(world);
      const other = await pipelineOf(world, world.south);
      const contact_id = (await givenContact(world, { location_id: world.south })).id;
      return { contact_id, pipeline_id: other.id, stage_id: stages["Lost"]!.id, owner_user_id: world.users.otto };
    },
    send: (world, body) => ["POST", "/opportunities", { location_id: world.north, ...body }],
    expect: {
      status: 422,
      body: {
        errors: {
          contact_id: ["The contact id field must name a contact of the location."],
          pipeline_id: ["The pipeline id field must name a pipeline of the location."],
          owner_user_id: ["The owner user id field must name a person who has access to the location."],
          ...noReason,
        },
      },
    },
  }),
  row({
    name: "reports every missing or invalid field",
    send: (world) => [
      "POST",
      "/opportunities",
      { location_id: world.north, stage_id: 0, name: "x".repeat(256), value_cents: -1, lost_reason: "x".repeat(256) },
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          contact_id: ["The contact id field is required."],
          pipeline_id: ["The pipeline id field is required."],
          stage_id: ["The stage id field must be a positive integer."],
          name: ["The name field must not be longer than 255 characters."],
          value_cents: ["The value cents field must be a whole number from 0 to 9007199254740991."],
          lost_reason: ["The lost reason field must not be longer than 255 characters."],
        },
      },
    },
  }),
  row({
    name: "a deleted contact is refused",
    async given(world) {
      const { contact, body } = await givenBody(world, "Proposal");
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      return body;
    },
    send: (_world, body) => ["POST", "/opportunities", body],
    expect: {
      status: 422,
      body: { errors: { contact_id: ["The contact id field must name a contact of the location."] } },
    },
  }),
  row({
    name: "the largest value is stored exactly",
    given: (world) => givenOpportunity(world, { value_cents: Number.MAX_SAFE_INTEGER }),
    send: (world, { id }) => ["GET", `/opportunities/${id}?location_id=${world.north}`],
    expect: { status: 200, body: { value_cents: Number.MAX_SAFE_INTEGER } },
  }),
]);
