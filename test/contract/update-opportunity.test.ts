/** PATCH /opportunities/{id} */
import { expect } from "vitest";
import { createPipeline } from "../../src/crm/pipelines/pipeline.service.ts";
import { contract, row } from "../support/contract.ts";
import { givenOpportunity, stagesOf } from "../support/given.ts";
import type { World } from "../support/world.ts";
import { payloadOf } from "../support/events.ts";

/** An opportunity that entered a stage a minute ago, and the stages by name. */
async function givenIn(world: World, stage: string, fields: Record<string, unknown> = {}) {
  const stages = await stagesOf(world);
  const opportunity = await givenOpportunity(world, { stage_id: stages[stage]!.id, lost_reason: "Price", ...fields });
  const before = world.clock.now().toISOString();
  world.clock.advance({ minutes: 1 });
  return { opportunity, stages, before, path: `/opportunities/${opportunity.id}` };
}

/** Moves between stages: the other fields sent, and the resulting opportunity. */
function move(
  name: string,
  [from, to]: readonly [string, string],
  sent: object,
  becomes: (times: { before: string; now: string }) => object,
) {
  return row({
    name,
    given: (world) => givenIn(world, from),
    send: (world, { path, stages }) => ["PATCH", path, { location_id: world.north, stage_id: stages[to]!.id, ...sent }],
    expect: {
      status: 200,
      events: ["opportunity.stage_changed"],
      body: (world, { before }) => becomes({ before, now: world.clock.now().toISOString() }),
    },
  });
}

/** Refused updates, which change nothing. */
function refused(name: string, stage: string, sent: (world: World) => object, errors: Record<string, string[]>) {
  return row({
    name,
    given: (world) => givenIn(world, stage),
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, ...sent(world) }],
    expect: { status: 422, body: { errors } },
    async afterwards(world, { opportunity, path }) {
      const { body } = await world.send("owner", "GET", `${path}?location_id=${world.north}`);
      expect(body).toEqual(opportunity);
    },
  });
}

const noReason = { lost_reason: ["The lost reason field is required when the stage is a lost one."] };

contract("updateOpportunity", [
  row({
    name: "a move raises an event with all changes",
    given: (world) => givenIn(world, "Proposal"),
    send: (world, { path, stages }) => [
      "PATCH",
      path,
      { location_id: world.north, stage_id: stages["Won"]!.id, value_cents: 9, owner_user_id: world.users.olga },
    ],
    expect: { status: 200, body: { status: "won", value_cents: 9 }, events: ["opportunity.stage_changed"] },
    async afterwards(world, { opportunity, stages }, body) {
      const [event] = await world.service.database.rows<{ data: string }>(
        "select data from events where event = 'opportunity.stage_changed' order by id desc limit 1",
      );
      const { changes, location_id, ...data } = payloadOf(event!.data);
      expect({ data, location_id }).toEqual({ data: body, location_id: world.north });
      expect(changes).toEqual([
        { field: "stage_id", old: stages["Proposal"]!.id, new: stages["Won"]!.id },
        { field: "status", old: "open", new: "won" },
        { field: "value_cents", old: 0, new: 9 },
        { field: "owner_user_id", old: null, new: world.users.olga },
      ]);
      const contact = await world.send(
        "owner",
        "GET",
        `/contacts/${opportunity.contact!.id}?location_id=${world.north}`,
      );
      expect(contact.body).toMatchObject({ stage: stages["Won"], value_cents: 9, opportunities: [body] });
      expect(contact.body.last_activity_at).toBe(world.clock.now().toISOString());
      expect(contact.body.activities[0].data).toEqual([{ field: "stage", old: "Proposal", new: "Won" }]);
    },
  }),
  move("won closes it", ["Proposal", "Won"], {}, ({ now }) => ({
    status: "won",
    closed_at: now,
    stage_entered_at: now,
    updated_at: now,
    lost_reason: null,
  })),
  move("lost closes it with its reason", ["Proposal", "Lost"], { lost_reason: "Too late" }, ({ now }) => ({
    status: "lost",
    closed_at: now,
    lost_reason: "Too late",
  })),
  move("an open stage opens it again and forgets why it was lost", ["Lost", "Proposal"], {}, ({ now }) => ({
    status: "open",
    closed_at: null,
    lost_reason: null,
    stage_entered_at: now,
  })),
  move("what was won is lost, now", ["Won", "Lost"], { lost_reason: "Sent back" }, ({ now }) => ({
    status: "lost",
    closed_at: now,
    lost_reason: "Sent back",
  })),
  move("a reason is ignored where nothing is lost", ["Proposal", "Negotiation"], { lost_reason: "x" }, () => ({
    status: "open",
    lost_reason: null,
  })),
  row({
    name: "a stage of another pipeline also changes the pipeline",
    async given(world) {
      const north = await world.service.inLocation(world.acme, world.north);
      const stages = [
        { name: "Dead", kind: "lost" as const },
        { name: "Asleep", kind: "lost" as const },
      ];
      const other = await north.change((change) => createPipeline(change, { name: "Graveyard", stages }));
      return { ...(await givenIn(world, "Lost")), other };
    },
    send: (world, { path, other }) => [
      "PATCH",
      path,
      { location_id: world.north, stage_id: other.stages[0]!.id, lost_reason: "Gone" },
    ],
    expect: {
      status: 200,
      // It was lost before, so closed_at does not change.
      body: (_world, { other, before }) => ({
        pipeline: { id: other.id, name: "Graveyard" },
        lost_reason: "Gone",
        closed_at: before,
      }),
      events: ["opportunity.stage_changed"],
    },
  }),
  row({
    name: "an update without a move raises no event, and updates the contact's value",
    given: (world) => givenIn(world, "Proposal", { name: "Engine", owner_user_id: world.users.nora }),
    send: (world, { path, opportunity }) => [
      "PATCH",
      path,
      { location_id: world.north, stage_id: opportunity.stage.id, value_cents: 5, name: null, owner_user_id: null },
    ],
    expect: {
      status: 200,
      body: (world, { before }) => ({
        name: null,
        owner: null,
        value_cents: 5,
        stage_entered_at: before,
        updated_at: world.clock.now().toISOString(),
      }),
    },
    async afterwards(world, { opportunity, before }) {
      const path = `/contacts/${opportunity.contact!.id}?location_id=${world.north}`;
      expect((await world.send("owner", "GET", path)).body).toMatchObject({ value_cents: 5, last_activity_at: before });
    },
  }),
  row({
    name: "an update without changes writes nothing",
    given: (world) => givenIn(world, "Lost"),
    send: (world, { path, stages }) => ["PATCH", path, { location_id: world.north, stage_id: stages["Lost"]!.id }],
    expect: { status: 200, body: (_world, { opportunity }) => opportunity },
  }),
  row({
    name: "the reason of a lost opportunity can be changed",
    given: (world) => givenIn(world, "Lost"),
    send: (world, { path }) => ["PATCH", path, { location_id: world.north, lost_reason: "Other" }],
    expect: { status: 200, body: (_world, { before }) => ({ lost_reason: "Other", closed_at: before }) },
  }),
  refused("and not none", "Lost", () => ({ lost_reason: null }), noReason),
  refused(
    "an unknown stage and a foreign owner are told at once",
    "Won",
    (world) => ({ stage_id: 424_242, owner_user_id: world.users.otto }),
    {
      stage_id: ["The stage id field must name a stage of the location."],
      owner_user_id: ["The owner user id field must name a person who has access to the location."],
    },
  ),
  refused("a stage and a value cannot be cleared", "Won", () => ({ stage_id: null, value_cents: null }), {
    stage_id: ["The stage id field is required."],
    value_cents: ["The value cents field must be a whole number from 0 to 9007199254740991."],
  }),
  row({
    name: "losing it requires a reason",
    given: (world) => givenIn(world, "Won"),
    send: (world, { path, stages }) => ["PATCH", path, { location_id: world.north, stage_id: stages["Lost"]!.id }],
    expect: { status: 422, body: { errors: noReason } },
  }),
  row({
    name: "can be moved after its contact was deleted, without a timeline entry",
    async given(world) {
      const given = await givenIn(world, "Proposal");
      await world.send("owner", "DELETE", `/contacts/${given.opportunity.contact!.id}`, { location_id: world.north });
      return given;
    },
    send: (world, { path, stages }) => ["PATCH", path, { location_id: world.north, stage_id: stages["Won"]!.id }],
    expect: { status: 200, body: { contact: null, status: "won" }, events: ["opportunity.stage_changed"] },
    async afterwards(world) {
      const [event] = await world.service.database.rows(
        "select contact_id from events where event = 'opportunity.stage_changed' order by id desc limit 1",
      );
      expect(event).toEqual({ contact_id: null });
    },
  }),
]);
