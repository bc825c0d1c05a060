/** The OpenAPI 3.1 document, generated from the endpoints and their operations. */
import { answersRecord } from "../../operation/shown-record.ts";
import { limits } from "../../vocabulary/limits.ts";
import { scopes } from "../../vocabulary/scopes.ts";
import { z } from "zod";
import { apiPrefix, successesOf, takesPreconditions } from "../endpoint.ts";
import type { Endpoint } from "../endpoint.ts";
import type { JsonSchema } from "../json-schema.ts";
import { headers, ofEveryAnswer, referHeaders } from "./answer-headers.ts";
import { inputName, nameInput, nameOutput, queryParameters } from "./component-schemas.ts";
import type { Beside, Schemas } from "./component-schemas.ts";
import { failureResponses, failureSchemas, failuresOf } from "./failure-responses.ts";
import { toRouteOperation } from "./route-document.ts";
import type { RouteDocument } from "./route-document.ts";
import { uploadParameters } from "../upload-parameters.ts";
import { exampleOf } from "./schema-example.ts";
import { securityOf, securitySchemes } from "./security-schemes.ts";
import { toWebhooks } from "./webhooks.ts";
import type { DocumentedEvent } from "./webhooks.ts";

const description = `
A multi-location CRM as JSON over HTTP.

- Send \`Authorization: Bearer <API key or access token>\` on each call below \`${apiPrefix}\`.
- \`location_id\` goes into the query of a GET and into the JSON body of a POST or PATCH; a DELETE takes it from either. Ids are
  taken as plain digits in strings too.
- A list comes in pages of ${limits.pageSize}: send \`next_cursor\` as \`cursor\` for the next one, until it is null.
- A POST with an \`Idempotency-Key\` can be sent again without being carried out twice.
- Unknown fields and parameters are ignored, or refused with \`Prefer: handling=strict\`.
- Every answer carries \`X-Request-Id\`.
`.trim();

/** What the document describes. */
interface DocumentContents {
  readonly endpoints: readonly Endpoint[];
  readonly routes: readonly RouteDocument[];
  readonly events: readonly DocumentedEvent[];
}

/** The document of a service at `serverUrl`. */
export function toOpenApi(
  { endpoints, routes, events }: DocumentContents,
  { version, serverUrl }: { version: string; serverUrl: string },
): JsonSchema {
  const schemas: Schemas = { ...failureSchemas };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, schemas);
  }
  for (const route of routes) paths[route.path] = { [route.method.toLowerCase()]: toRouteOperation(route, schemas) };
  const webhooks = toWebhooks(events, schemas);
  const nouns = new Set([...endpoints.map(({ operation }) => operation.noun), ...routes.map(({ noun }) => noun)]);
  return {
    openapi: "3.1.0",
    info: { title: "crm", version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: serverUrl }],
    tags: [...nouns].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas,
      parameters,
      headers,
      responses: failureResponses,
      securitySchemes: securitySchemes((path) => serverUrl.replace(/\/$/, "") + path),
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
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "The `ETag` that you read: the request is carried out only if the record still has it, else 412.",
    schema: { type: "string", examples: ['"x1yZ4n0qJ8mB2vKcT6wLrE"'] },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of what you have: the response is 304, without a body, if it is still the same.",
    schema: { type: "string", examples: ['"x1yZ4n0qJ8mB2vKcT6wLrE"'] },
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
    ...(endpoint.deprecation === undefined ? {} : { deprecated: true }),
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(endpoint),
      ...queryOf(endpoint),
      { $ref: "#/components/parameters/Prefer" },
      ...(endpoint.keepsAnswer ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
      ...(takesPreconditions(endpoint)
        ? [{ $ref: `#/components/parameters/${method === "GET" ? "IfNoneMatch" : "IfMatch"}` }]
        : []),
    ],
    ...(method === "GET" ? {} : { requestBody: toRequestBody(endpoint, schemas) }),
    responses: { ...toAnswers(endpoint, schemas), ...failuresOf(endpoint) },
  };
}

/** Specification, "Endpoints". */
const idInPath: JsonSchema = { type: "string", pattern: "^[0-9]+$", examples: ["1"] };

function pathParameters({ parameters }: Endpoint): JsonSchema[] {
  return parameters.map(([name, noun]) => ({
    name,
    in: "path",
    required: true,
    description: `The ID of the ${noun.replaceAll("_", " ")}.`,
    schema: idInPath,
  }));
}

function queryOf({ method, fileBytes, operation }: Endpoint): JsonSchema[] {
  const { within } = operation;
  const location = { name: "location_id", in: "query", schema: locationId };
  if (method !== "GET" && method !== "DELETE" && fileBytes === undefined) return [];
  const query = fileBytes === undefined ? operation.query : uploadParameters(operation);
  return [
    method === "DELETE"
      ? { ...location, required: false, description: `${whichLocation} The body's wins.` }
      : { ...location, required: within === "location", description: whichLocation },
    ...(query === undefined ? [] : queryParameters(query)).map(({ name, required, schema }) => {
      const { description, ...rest } = schema;
      return {
        name,
        in: "query",
        // A form may name the file instead.
        required: required && fileBytes === undefined,
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    }),
  ];
}

const fileBody = z.string().meta({ id: "File", description: "The bytes of a file." });

const fileForm = z.object({ file: fileBody }).meta({ id: "FileForm", description: "A form of one file." });

function toRequestBody(
  { method, fileBytes, operation: { name: operationId, within, input } }: Endpoint,
  schemas: Schemas,
): JsonSchema {
  if (fileBytes !== undefined)
    return {
      required: true,
      description: `The file, of at most ${fileBytes} bytes, with its Content-Type; or a form whose only part it is.`,
      content: {
        "application/octet-stream": { schema: nameOutput(fileBody, schemas), example: "%PDF-1.7" },
        "multipart/form-data": { schema: nameOutput(fileForm, schemas), example: { file: "%PDF-1.7" } },
      },
    };
  // A DELETE accepts location_id in the query as well.
  const required = within === "location" && method !== "DELETE";
  const schema = required ? locationId : { ...locationId, type: ["integer", "null"] };
  const beside: Beside = {
    properties: { location_id: { ...schema, description: whichLocation } },
    required: required ? ["location_id"] : [],
    example: within === "location" ? { location_id: 1 } : {},
  };
  const body = nameInput(inputName(operationId), input, beside, schemas);
  return {
    required: method !== "DELETE" && (within === "location" || input !== undefined),
    content: { "application/json": { schema: body, ...toExample(body, schemas) } },
  };
}

/** Success responses with their descriptions. */
function toAnswers(endpoint: Endpoint, schemas: Schemas): JsonSchema {
  const { method, keepsAnswer, operation } = endpoint;
  // An operation that answers nothing in one case does so with 204.
  const body = operation.gives instanceof z.ZodNullable ? (operation.gives.unwrap() as z.ZodType) : operation.gives;
  const replayed = keepsAnswer ? (["Idempotency-Replayed"] as const) : [];
  const tagged = answersRecord(operation) ? (["ETag"] as const) : [];
  const sentHeaders = referHeaders([...ofEveryAnswer, "X-Unknown-Fields", ...replayed, ...tagged]);
  const answers = successesOf(endpoint).map((status): [number, JsonSchema] => {
    const sent = { headers: sentHeaders };
    if (body === null || status === 204) {
      const done = method === "DELETE" ? "Deleted" : "Done";
      return [status, { description: `${done}; there is no body.`, ...sent }];
    }
    const { download } = endpoint;
    if (download !== undefined) {
      const content = {
        [download.contentType]: { schema: { type: "string", contentMediaType: download.contentType } },
      };
      return [status, { description: download.description, ...sent, content }];
    }
    const schema = nameOutput(body, schemas);
    const description = body.meta()?.description ?? "";
    const sentence =
      status === 201 ? `Created: ${description.charAt(0).toLowerCase()}${description.slice(1)}` : description;
    const content = { "application/json": { schema, ...toExample(schema, schemas) } };
    return [status, { description: sentence, ...sent, content }];
  });
  const unchanged = {
    description: "The record is the one that If-None-Match names; there is no body.",
    headers: sentHeaders,
  };
  return {
    ...Object.fromEntries(answers),
    ...(method === "GET" && takesPreconditions(endpoint) ? { 304: unchanged } : {}),
  };
}

function toExample(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const example = exampleOf(schema, schemas);
  return example === undefined ? {} : { example };
}
