/** No input makes an operation respond with 5xx, and every response conforms to the OpenAPI document. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { runsOf, sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { bodyFieldsOf, fetchOpenApi, queryParametersOf } from "../support/openapi.ts";
import type { OpenApi } from "../support/openapi.ts";
import { makeRecords } from "../support/records.ts";
import type { Records } from "../support/records.ts";
import { pathOf as pathOfRecord, jsonEndpoints } from "../support/specimens.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const awkwardText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "😀",
    "'",
    '"',
    "%",
    "_",
    "\\",
    "--",
    "$1",
    "?",
    "NaN",
    "1e999",
    "x".repeat(3000),
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const awkwardNumber = fc.oneof(
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 1e300, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const awkward = fc.oneof(
  { weight: 4, arbitrary: awkwardText },
  { weight: 2, arbitrary: awkwardNumber },
  fc.boolean(),
  fc.constant(null),
  fc.array(awkwardText, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("id", "email", "__proto__", "constructor", "field"), awkwardText, { maxKeys: 2 }),
);

/** Values that are valid, valid for other parameters, almost valid, and always invalid. */
const awkwardParameter = fc.oneof(
  fc.constantFrom("open", "closed", "email", "true", "ada", "2026-03-01", "2026-03-01T12:00:00Z", "message.received"),
  awkwardNumber.map(String),
  awkwardText,
);

const filterField = fc.constantFrom(
  "id",
  "name",
  "email",
  "phone",
  "city",
  "tag",
  "dnd",
  "created_at",
  "owner_user_id",
  "stage_id",
  "has_open_task",
  "value_cents",
  "zzz",
  "__proto__",
);
const filterOp = fc.constantFrom(
  "eq",
  "neq",
  "in",
  "nin",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "starts_with",
  "is_null",
  "zzz",
);
const condition = fc.record(
  { field: filterField, op: filterOp, value: fc.oneof(awkward, fc.array(awkward, { maxLength: 4 })) },
  { requiredKeys: ["field"] },
);
const filters = fc
  .oneof(
    fc.array(fc.oneof(condition, fc.record({ any: fc.array(condition, { maxLength: 3 }) })), { maxLength: 4 }),
    condition,
    awkward,
  )
  .map((value) => JSON.stringify(value));

function fieldsOf(document: OpenApi, endpoint: Endpoint): string[] {
  return Object.keys(bodyFieldsOf(document, endpoint)).filter((field) => field !== "location_id");
}

const runs = runsOf("hostile input", 20, 60);

describe.each(sampleOf("hostile input by database", 1, databaseKinds))("hostile input on %s", (kind) => {
  let world: World;
  let document: OpenApi;
  let records: Records;
  beforeAll(async () => {
    world = await createWorld(kind);
    document = await fetchOpenApi(world.url);
    records = await makeRecords(world);
  });
  afterAll(() => world?.close());

  const pathOf = (endpoint: Endpoint) =>
    endpoint.method === "DELETE"
      ? // Deletions must not remove the record, which later runs need.
        endpoint.path.replaceAll(/\{\w+\}/g, "987654")
      : pathOfRecord(endpoint, records);

  test.each(jsonEndpoints.map((endpoint) => [endpoint.operation.name, endpoint] as const))(
    "%s",
    async (_operationId, endpoint) => {
      const fields = fieldsOf(document, endpoint);
      const parameters = [...queryParametersOf(document, endpoint), "__proto__"];
      const input = fc.record({
        body:
          fields.length === 0
            ? awkward
            : fc.oneof(
                { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...fields), awkward) },
                { weight: 1, arbitrary: awkward },
              ),
        query: fc.dictionary(fc.constantFrom(...parameters), awkwardParameter, { maxKeys: 3 }),
        filters: parameters.includes("filters") ? fc.option(filters, { nil: undefined }) : fc.constant(undefined),
        key: fc.option(
          fc.string({ maxLength: 10 }).map((text) => text.replaceAll(/[^\x21-\x7e]/g, "k")),
          { nil: undefined },
        ),
      });
      await fc.assert(
        fc.asyncProperty(input, async ({ body, query, filters: filter, key }) => {
          const isGet = endpoint.method === "GET";
          const search = new URLSearchParams({
            location_id: String(world.north),
            ...query,
            ...(filter === undefined ? {} : { filters: filter }),
          });
          const sent =
            typeof body === "object" && body !== null && !Array.isArray(body)
              ? { ...body, location_id: world.north }
              : JSON.stringify(body);
          const path = isGet ? `${pathOf(endpoint)}?${search}` : pathOf(endpoint);
          const headers: Record<string, string> =
            !isGet && key !== undefined && key !== "" ? { "idempotency-key": key } : {};
          const answer = await world.send("owner", endpoint.method, path, isGet ? undefined : sent, headers);
          expect(answer.status, answer.text).toBeLessThan(500);
        }),
        runs,
      );
    },
  );
});
