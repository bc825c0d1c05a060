/** The OpenAPI 3.1 document, generated from the endpoints and their operations. */
import { limits } from "../../vocabulary/limits.ts";
import { scopes } from "../../vocabulary/scopes.ts";
import { apiPrefix, successesOf } from "../endpoint.ts";
import type { Endpoint } from "../endpoint.ts";
import type { JsonSchema } from "../json-schema.ts";
import { headers, ofEveryAnswer, referHeaders } from "./answer-headers.ts";
import { nameInput, nameOutput, queryParameters } from "./component-schemas.ts";
import type { Beside, Schemas } from "./component-schemas.ts";
import { failureResponses, failureSchemas, failuresOf } from "./failure-responses.ts";
import { exampleOf } from "./schema-example.ts";

const description = `
A multi-location CRM as JSON over HTTP.

- Send \`Authorization: Bearer <API key or access token>\` on each call.
- \`location_id\` goes into the query of a GET and into the JSON body of a POST or PATCH; a DELETE takes it from either. Ids are
  taken as plain digits in strings too.
- A list comes in pages of ${limits.pageSize}: send \`next_cursor\` as \`cursor\` for the next one, until it is null.
- A POST with an \`Idempotency-Key\` can be sent again without being carried out twice.
- Unknown fields and parameters are ignored, or refused with \`Prefer: handling=strict\`.
- Every answer carries \`X-Request-Id\`.
`.trim();

/** The document of these endpoints, served at `serverUrl`. */
export function toOpenApi(
  endpoints: readonly Endpoint[],
  { version, serverUrl }: { version: string; serverUrl: string },
): JsonSchema {
  const schemas: Schemas = { ...failureSchemas };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, schemas);
  }
  return {
    openapi: "3.1.0",
    info: { title: "crm", version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(endpoints.map(({ operation }) => operation.noun))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      parameters,
      headers,
      responses: failureResponses,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A workspace API key or an OAuth access token." },
      },
    },
  };
}

const locationId: JsonSchema = { type: "integer", format: "int64", minimum: 1, examples: [1] };
const whichLocation = "The location of the request.";

/** Headers shared by operations. */
const parameters = {
  Prefer: {
    name: "Prefer",
    in: "header",
    description: "`handling=strict` names unknown fields and parameters in a 422 instead of ignoring them (RFC 7240).",
    schema: { type: "string", examples: ["handling=strict"] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Repeating the same key and body within 24 hours returns the same response without repeating the work.",
    schema: { type: "string", maxLength: limits.idempotencyKey, examples: ["order-4711"] },
  },
};

function toOperation(endpoint: Endpoint, schemas: Schemas): JsonSchema {
  const { method, operation } = endpoint;
  const { scope } = operation.may;
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.noun],
    ...(scope === "any" || scope === "none" ? {} : { description: `Needs the scope \`${scope}\`: ${scopes[scope]}` }),
    parameters: [
      ...pathParameters(endpoint),
      ...queryOf(endpoint),
      { $ref: "#/components/parameters/Prefer" },
      ...(endpoint.keepsAnswer ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ],
    ...(method === "GET" ? {} : { requestBody: toRequestBody(endpoint, schemas) }),
    responses: { ...toAnswers(endpoint, schemas), ...failuresOf(endpoint) },
  };
}

/** Path parameters are typed as strings (specification, "Endpoints"). */
function pathParameters({ parameters }: Endpoint): JsonSchema[] {
  return parameters.map(([name, noun]) => ({
    name,
    in: "path",
    required: true,
    description: `The ID of the ${noun.replaceAll("_", " ")}.`,
    schema: { type: "string", examples: ["1"] },
  }));
}

function queryOf({ method, operation: { within, query } }: Endpoint): JsonSchema[] {
  const location = { name: "location_id", in: "query", schema: locationId };
  if (method === "DELETE") return [{ ...location, required: false, description: `${whichLocation} The body's wins.` }];
  if (method !== "GET") return [];
  return [
    { ...location, required: within === "location", description: whichLocation },
    ...(query === undefined ? [] : queryParameters(query)).map(({ name, required, schema }) => {
      const { description: told, ...rest } = schema;
      return { name, in: "query", required, ...(told === undefined ? {} : { description: told }), schema: rest };
    }),
  ];
}

function toRequestBody(
  { method, operation: { name: operationId, within, input } }: Endpoint,
  schemas: Schemas,
): JsonSchema {
  // A DELETE accepts location_id in the query as well.
  const required = within === "location" && method !== "DELETE";
  const schema = required ? locationId : { ...locationId, type: ["integer", "null"] };
  const beside: Beside = {
    properties: { location_id: { ...schema, description: whichLocation } },
    required: required ? ["location_id"] : [],
    example: within === "location" ? { location_id: 1 } : {},
  };
  const schemaName = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Input`;
  const body = nameInput(schemaName, input, beside, schemas);
  return {
    required: method !== "DELETE" && (within === "location" || input !== undefined),
    content: { "application/json": { schema: body, ...toExample(body, schemas) } },
  };
}

/** Success responses with their descriptions. */
function toAnswers(endpoint: Endpoint, schemas: Schemas): JsonSchema {
  const { method, keepsAnswer, operation } = endpoint;
  const body = operation.gives;
  const replayed = keepsAnswer ? (["Idempotency-Replayed"] as const) : [];
  const answers = successesOf(endpoint).map((status): [number, JsonSchema] => {
    const sent = { headers: referHeaders([...ofEveryAnswer, ...replayed]) };
    if (body === null) {
      const done = method === "DELETE" ? "Deleted" : "Done";
      return [status, { description: `${done}; there is no body.`, ...sent }];
    }
    const schema = nameOutput(body, schemas);
    const told = body.meta()?.description ?? "";
    const sentence = status === 201 ? `Created: ${told.charAt(0).toLowerCase()}${told.slice(1)}` : told;
    const content = { "application/json": { schema, ...toExample(schema, schemas) } };
    return [status, { description: sentence, ...sent, content }];
  });
  return Object.fromEntries(answers);
}

function toExample(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const example = exampleOf(schema, schemas);
  return example === undefined ? {} : { example };
}
