/** GET /pipelines, and pipelines created at the terminal. */
import { expect } from "vitest";
import { createPipeline } from "../../src/crm/pipelines/pipeline.service.ts";
import type { PipelineInput } from "../../src/crm/pipelines/pipeline.schema.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
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
