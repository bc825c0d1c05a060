/** GET /pipelines, and the pipelines that a terminal makes. */
import { expect } from "vitest";
import { createPipeline } from "../../src/crm/pipelines/pipeline.service.ts";
import type { PipelineInput } from "../../src/crm/pipelines/pipeline.schema.ts";
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

contract("listPipelines", [
  row({
    name: "a new location has the default pipeline, to the letter",
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
    name: "200 a page, the oldest first, as they were made",
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
