/**
 * No operation has access to records of another workspace or location. The rows are generated from the endpoints, so
 * an operation is covered the day it is written; one whose path names a record that records.ts does not make fails here.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { databaseKinds } from "../support/databases.ts";
import { bodyFieldsOf, fetchOpenApi } from "../support/openapi.ts";
import type { OpenApi } from "../support/openapi.ts";
import { foreignIds, makeRecords, toldOtherwise } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { inputOf, pathOf, jsonEndpoints } from "../support/specimens.ts";
import { createWorld } from "../support/world.ts";
import type { Asker, World } from "../support/world.ts";

function send(
  world: World,
  as: Asker,
  endpoint: Endpoint,
  path: string,
  locationId: number | undefined,
  body: object = {},
) {
  const query = endpoint.method === "GET" && locationId !== undefined ? `?location_id=${locationId}` : "";
  const sent =
    endpoint.method === "GET"
      ? undefined
      : { ...body, ...(locationId === undefined ? {} : { location_id: locationId }) };
  return world.send(as, endpoint.method, path + query, sent);
}

/** Nouns of the workspace, which lie in no location. What a key of some locations reaches of the last two is in locations.test.ts and users.test.ts. */
const ofWorkspace: ReadonlySet<string> = new Set(["tag", "custom_field", "location", "user"]);

describe.each([...databaseKinds])("tenancy on %s", (kind) => {
  let world: World;
  let records: Records;
  let document: OpenApi;
  beforeAll(async () => {
    world = await createWorld(kind);
    records = await makeRecords(world);
    document = await fetchOpenApi(world.url);
  });
  afterAll(() => world?.close());

  describe.each(jsonEndpoints.map((endpoint) => [endpoint.operation.name, endpoint] as const))(
    "%s",
    (_operationId, endpoint) => {
      test("needs a credential", async () => {
        const answer = await send(world, "nobody", endpoint, pathOf(endpoint, records), world.north);
        expect([answer.status, answer.body]).toEqual([401, { error: "invalid_api_key" }]);
      });

      test("a location of another workspace is not found", async () => {
        const answer = await send(world, "owner", endpoint, pathOf(endpoint, records), world.foreign);
        expect([answer.status, answer.body]).toEqual([404, { error: "location.not_found" }]);
      });

      test("a location outside the key's is not found", async () => {
        const answer = await send(world, "northOnly", endpoint, pathOf(endpoint, records), world.south);
        expect([answer.status, answer.body]).toEqual([404, { error: "location.not_found" }]);
      });

      test("needs its scope", async () => {
        const answer = await send(world, "noScopes", endpoint, pathOf(endpoint, records), world.north);
        const { scope } = endpoint.operation.may;
        // What is asked may still be missing.
        if (scope === "any") expect([401, 403, 404]).not.toContain(answer.status);
        else expect([answer.status, answer.body.required_scope]).toEqual([403, scope]);
      });

      const finds = endpoint.operation.find.map(({ noun }) => noun);
      test.each(finds.slice(0, 1))("a %s of another workspace is not found", async (name) => {
        const { result: answer, events } = await world.eventsDuring(() =>
          send(world, "stranger", endpoint, pathOf(endpoint, records), world.foreign),
        );
        expect([answer.status, answer.body]).toEqual([404, { error: `${name}.not_found` }]);
        expect(events).toEqual([]);
      });

      test.each(finds.slice(0, 1).filter((noun) => !ofWorkspace.has(noun)))(
        "a %s of another location is not found",
        async (name) => {
          const answer = await send(world, "owner", endpoint, pathOf(endpoint, records), world.south);
          expect([answer.status, answer.body]).toEqual([404, { error: `${name}.not_found` }]);
        },
      );

      test.each([endpoint.method].filter((method) => method !== "GET"))(
        "an id of another workspace in the body of the %s is refused",
        async () => {
          const shapes = bodyFieldsOf(document, endpoint);
          for (const [field, foreignId] of Object.entries(foreignIds)) {
            if (!(field in shapes)) continue;
            const body = { ...inputOf(endpoint.operation, records), [field]: await foreignId(world) };
            const answer = await send(world, "owner", endpoint, pathOf(endpoint, records), world.north, body);
            expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
          }
          // A field that names a record must be listed in records.ts, or it would not be tried.
          const named = Object.keys(shapes).filter((field) => field.endsWith("_id") && !toldOtherwise.has(field));
          expect(named.filter((field) => !(field in foreignIds))).toEqual([]);
        },
      );
    },
  );
});
