/** GET /opportunities, and GET /opportunities/{id} */
import { expect } from "vitest";
import { createOpportunity } from "../../src/crm/opportunities/opportunity.service.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenOpportunity, pipelineOf, stagesOf } from "../support/given.ts";
import type { World } from "../support/world.ts";

/** Three opportunities of one contact, the oldest first: open and Nora's, won, lost. */
async function givenThree(world: World) {
  const [contact, stages] = [await givenContact(world), await stagesOf(world)];
  const given = (stage: string, fields: object = {}) =>
    givenOpportunity(world, { contact_id: contact.id, stage_id: stages[stage]!.id, ...fields });
  const open = await given("Proposal", { owner_user_id: world.users.nora });
  const won = await given("Won");
  const lost = await given("Lost", { lost_reason: "Price" });
  return { contact, open, won, lost, query: `/opportunities?location_id=${world.north}&contact_id=${contact.id}` };
}

type Three = Awaited<ReturnType<typeof givenThree>>;

/** What a filter leaves of the three. */
function narrowed(
  name: string,
  filter: (world: World, three: Three) => string,
  left: readonly ("open" | "won" | "lost")[],
) {
  return row({
    name,
    given: givenThree,
    send: (world, three) => ["GET", `${three.query}&${filter(world, three)}`],
    expect: { status: 200 },
    async afterwards(_world, three, body) {
      expect(body).toEqual({ data: left.map((which) => three[which]), next_cursor: null });
    },
  });
}

contract("listOpportunities", [
  narrowed("newest first, each as it was answered", () => "cursor=", ["lost", "won", "open"]),
  narrowed("by status", () => "status=won", ["won"]),
  narrowed("by stage", (_world, { lost }) => `stage_id=${lost.stage.id}`, ["lost"]),
  narrowed("by pipeline", (_world, { open }) => `pipeline_id=${open.pipeline!.id}`, ["lost", "won", "open"]),
  narrowed("by owner", (world) => `owner_user_id=${world.users.nora}`, ["open"]),
  narrowed("by several, which must all hold", (world) => `owner_user_id=${world.users.nora}&status=lost`, []),
  narrowed("by what is not there: nothing", () => "stage_id=424242", []),
  row({
    name: "refuses invalid filters, by name",
    send: (world) => [
      "GET",
      `/opportunities?location_id=${world.north}&status=pending&contact_id=&stage_id=x&owner_user_id=0`,
    ],
    expect: {
      status: 422,
      body: {
        errors: {
          status: ["The status field must be one of open, won, lost."],
          contact_id: ["The contact id field must be a positive integer."],
          stage_id: ["The stage id field must be a positive integer."],
          owner_user_id: ["The owner user id field must be a positive integer."],
        },
      },
    },
  }),
  row({
    name: "has 200 per page, each exactly once; a cursor is bound to its filters",
    async given(world) {
      const contact = await givenContact(world, { location_id: world.south });
      const pipeline = await pipelineOf(world, world.south);
      const input = { contact_id: contact.id, pipeline_id: pipeline.id, stage_id: pipeline.stages[0]!.id };
      const south = await world.service.inLocation(world.acme, world.south);
      const ids: number[] = [];
      await south.change(async (change) => {
        for (let number = 0; number < 201; number++) ids.unshift((await createOpportunity(change, input)).id);
      });
      return ids;
    },
    send: (world) => ["GET", `/opportunities?location_id=${world.south}`],
    expect: { status: 200 },
    async afterwards(world, ids, body) {
      const rest = `/opportunities?location_id=${world.south}&cursor=${encodeURIComponent(body.next_cursor)}`;
      const { body: second } = await world.send("owner", "GET", rest);
      expect([body.data.length, second.next_cursor]).toEqual([200, null]);
      expect([...body.data, ...second.data].map(({ id }: { id: number }) => id)).toEqual(ids);
      const { body: other } = await world.send("owner", "GET", `${rest}&status=open`);
      expect(other.errors).toEqual({ cursor: ["The cursor is not one that this list gave out."] });
    },
  }),
  row({
    name: "shows null for a deleted contact",
    async given(world) {
      const three = await givenThree(world);
      await world.send("owner", "DELETE", `/contacts/${three.contact.id}`, { location_id: world.north });
      return three;
    },
    send: (_world, { query }) => ["GET", `${query}&status=won`],
    expect: { status: 200, body: (_world, { won }) => ({ data: [{ ...won, contact: null }] }) },
  }),
]);

contract("getOpportunity", [
  row({
    name: "a missing opportunity is not found",
    send: (world) => ["GET", `/opportunities/424242?location_id=${world.north}`],
    expect: { status: 404, exactly: { error: "opportunity.not_found" } },
  }),
]);
