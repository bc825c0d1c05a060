/**
 * No tool has access to records of another workspace or location, nor to what its credential's scopes do not cover: the tenancy matrix of the
 * API, over every tool.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toSnakeCase } from "../../src/agents/endpoint-tool.ts";
import { createTools } from "../../src/agents/tools.ts";
import type { AgentTool } from "../../src/agents/agent-tool.ts";
import { endpoints } from "../../src/operations.ts";
import { grants, scopeNames } from "../../src/vocabulary/scopes.ts";
import { aThirdOf, sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { callTool, deep, listTools } from "../support/agents.ts";
import type { ToolAnswer } from "../support/agents.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { inputOf } from "../support/specimens.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

const tools = [...createTools(endpoints).values()];
const scoped = tools.filter(({ may }) => may.scope !== "any");

/** The record that each `id` of a tool names, outermost first. */
function idsOf(tool: AgentTool, records: Records): Record<string, unknown> {
  if (tool.name === "timeline") return { id: records.contact };
  const endpoint = endpoints.find(({ operation }) => tool.name === toSnakeCase(operation.name));
  if (endpoint === undefined) return {};
  const ids = endpoint.parameters.map(([name, noun]) => [toSnakeCase(name), records[noun]]);
  return { ...Object.fromEntries(ids), ...inputOf(endpoint.operation, records) };
}

describe.each(sampleOf("tools", 1, databaseKinds))("tools on %s", (kind) => {
  let world: World;
  let records: Records;
  beforeAll(async () => {
    world = await createWorld(kind);
    records = await makeRecords(world);
  });
  afterAll(() => world?.close());

  const call = (as: Asker, tool: AgentTool, locationId: number): Promise<ToolAnswer> =>
    callTool(world, as, tool.name, { ...idsOf(tool, records), location_id: locationId });

  describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (_name, tool) => {
    test.each([
      ["a location of another workspace", "owner", "foreign"],
      ["a location outside the key's", "northOnly", "south"],
    ] as const)("%s is not found", async (_case, as, location) => {
      const answer = await call(as, tool, world[location]);
      expect([answer.isError, answer.body["error"]]).toEqual([true, "location.not_found"]);
    });

    test.each([tool].filter(({ name }) => Object.keys(idsOf({ ...tool, name }, { contact: 1 })).includes("id")))(
      "a record of another workspace is not found",
      async () => {
        const { result: answer, events } = await world.eventsDuring(() => call("stranger", tool, world.foreign));
        expect([answer.isError, answer.body["error"]]).toEqual([true, expect.stringMatching(/\.not_found$/)]);
        expect(events).toEqual([]);
      },
    );
  });

  test.each(scoped.map((tool) => [tool.name, tool] as const))("%s needs its scope", async (_name, tool) => {
    const answer = await call("noScopes", tool, world.north);
    expect([answer.isError, answer.body["error"], answer.body["required_scope"]]).toEqual([
      true,
      "insufficient_scope",
      tool.may.scope,
    ]);
  });

  test.each(aThirdOf("arguments of many levels", tools).map((tool) => [tool.name, tool] as const))(
    "%s refuses each argument that is nested ten thousand levels deep",
    async (_name, tool) => {
      for (const name of Object.keys(tool.inputSchema["properties"] as object)) {
        const given = { ...idsOf(tool, records), location_id: world.north, [name]: deep };
        const { isError, body } = await callTool(world, "owner", tool.name, given);
        // A bulk refuses each of its records.
        const refusals = isError ? [body] : (body["data"] as { status: number }[]);
        const isRefused =
          refusals.length > 0 && refusals.every(({ status }) => [404, 409, 422].includes(status as number));
        expect([name, isRefused, body]).toEqual([name, true, body]);
      }
    },
  );

  test.each([
    ["noScopes", []],
    ["readonly", scopeNames.filter((scope) => scope.endsWith(".readonly"))],
    ["owner", scopeNames],
  ] as const)("%s is shown exactly the tools that its scopes cover", async (as, scopes) => {
    const covered = tools.filter(
      ({ may: { scope } }) => scope === "any" || (scope !== "none" && grants(scopes, scope)),
    );
    expect((await listTools(world, as)).map(({ name }) => name)).toEqual(covered.map(({ name }) => name));
  });

  test("a credential with access to one location need not name it", async () => {
    const [all, one] = [await listTools(world, "owner"), await listTools(world, "northOnly")];
    const takesLocation = (listed: typeof all) =>
      listed.filter(({ inputSchema }) => "location_id" in inputSchema.properties).map(({ name }) => name);
    expect(takesLocation(one)).toEqual([]);
    expect(takesLocation(all)).toEqual(tools.map(({ name }) => name));
    const { body } = await callTool(world, "northOnly", "describe", {});
    expect(body["locations"]).toMatchObject([{ id: world.north }]);
    const several = await callTool(world, "owner", "describe", {});
    expect(several.body).toMatchObject({ error: "location.not_found", detail: expect.stringContaining("location_id") });
  });
});
