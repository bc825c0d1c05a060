/** The OpenAPI 3.1 document: a fold over the endpoint rows, so that nothing about an operation is written twice. */
import type { z } from "zod";
import { scopes } from "../../vocabulary/scopes.ts";
import { apiPrefix } from "../endpoint.ts";
import type { Endpoint } from "../endpoint.ts";
import { toJsonSchema } from "../json-schema.ts";
import type { JsonSchema } from "../json-schema.ts";

type Schema = JsonSchema;

interface Components {
  readonly schemas: Record<string, Schema>;
}

const errorBody = (description: string, example: Schema, extra: Schema = {}): Schema => ({
  description,
  ...extra,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: {
          error: { type: "string" },
          message: { type: "string" },
          required_scope: { type: "string" },
          request_id: { type: "string" },
        },
        required: ["error"],
        additionalProperties: false,
      },
      example,
    },
  },
});

const validationFailed: Schema = {
  description: "Validation failed: each failing field with its sentences.",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: {
          message: { type: "string" },
          errors: { type: "object", additionalProperties: { type: "array", items: { type: "string" }, minItems: 1 } },
        },
        required: ["message", "errors"],
        additionalProperties: false,
      },
    },
  },
};

const tooManyRequests: Schema = {
  description: "The rate limit is exceeded.",
  headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } } },
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { message: { type: "string" } },
        required: ["message"],
        additionalProperties: false,
      },
    },
  },
};

/** The document for these rows, served at `serverUrl`. */
export function toOpenApi(
  endpoints: readonly Endpoint[],
  { version, serverUrl }: { version: string; serverUrl: string },
): Schema {
  const components: Components = { schemas: {} };
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "crm",
      version,
      description: "A multi-location CRM. Send `Authorization: Bearer <API key or access token>` on each call.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      ...components,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A workspace API key or an OAuth access token." },
      },
    },
  };
}

function toOperation(endpoint: Endpoint, components: Components): Schema {
  const parameters = [...pathParameters(endpoint.path), ...queryParameters(endpoint)];
  if (endpoint.keepsAnswer) {
    parameters.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "The same key and body within 24 hours give the same answer again without doing the work twice.",
      schema: { type: "string", maxLength: 255 },
    });
  }
  const operation: Schema = {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.scope === null
      ? {}
      : { description: `Needs the scope \`${endpoint.scope}\`: ${scopes[endpoint.scope]}` }),
    parameters,
    responses: toResponses(endpoint, components),
  };
  if (endpoint.method !== "GET") {
    operation["requestBody"] = {
      // Whoever deletes may say in the query where.
      required: endpoint.method !== "DELETE" && (endpoint.within === "location" || endpoint.input !== undefined),
      content: { "application/json": { schema: bodySchema(endpoint) } },
    };
  }
  return operation;
}

/** Path parameters are typed as strings (specification, "Endpoints"). */
function pathParameters(path: string): Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

const locationId: Schema = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

function queryParameters(endpoint: Endpoint): Schema[] {
  if (endpoint.method === "DELETE") {
    const description = "Where the body has none.";
    return [{ name: "location_id", in: "query", required: false, description, schema: locationId }];
  }
  if (endpoint.method !== "GET") return [];
  const own = endpoint.query === undefined ? {} : toJsonSchema(endpoint.query, "input");
  const required = (own["required"] ?? []) as string[];
  const properties = (own["properties"] ?? {}) as Record<string, Schema>;
  return [
    { name: "location_id", in: "query", required: endpoint.within === "location", schema: locationId },
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: "query",
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    })),
  ];
}

function bodySchema(endpoint: Endpoint): Schema {
  const own = endpoint.input === undefined ? { type: "object" } : toJsonSchema(endpoint.input, "input");
  const required = (own["required"] ?? []) as string[];
  const isRequired = endpoint.within === "location" && endpoint.method !== "DELETE";
  return {
    ...own,
    properties: {
      location_id: isRequired ? locationId : { ...locationId, type: ["integer", "null"] },
      ...(own["properties"] as Schema),
    },
    required: isRequired ? ["location_id", ...required] : required,
    // Unknown fields are ignored, never refused.
    additionalProperties: true,
  };
}

function toResponses(endpoint: Endpoint, components: Components): Schema {
  const responses: Record<string, Schema> = {};
  for (const [status, body] of Object.entries(endpoint.replies)) {
    responses[status] =
      body === null
        ? { description: "Done; there is no body." }
        : { description: "Done.", content: { "application/json": { schema: named(body, components) } } };
  }
  const codes = ["location.not_found", ...Object.keys(endpoint.find).map((name) => `${name}.not_found`)];
  responses["400"] = errorBody("The body is not JSON.", { error: "invalid_json" });
  responses["401"] = errorBody("Authentication failed.", { error: "invalid_api_key" });
  if (endpoint.scope !== null) {
    responses["403"] = errorBody("The credential lacks the scope.", {
      error: "insufficient_scope",
      required_scope: endpoint.scope,
    });
  }
  responses["404"] = errorBody(`One of: ${codes.join(", ")}.`, { error: codes.at(-1) });
  if (endpoint.keepsAnswer)
    responses["409"] = errorBody("The Idempotency-Key is in use, or its answer was too large to be kept.", {
      error: "request_in_progress",
    });
  responses["413"] = errorBody("The body is too large.", { error: "payload_too_large" });
  responses["415"] = errorBody("The body is not sent as JSON.", { error: "unsupported_media_type" });
  responses["422"] = validationFailed;
  responses["429"] = tooManyRequests;
  responses["500"] = errorBody("A defect of the service.", { error: "server_error" });
  responses["503"] = errorBody(
    "The database cannot be reached.",
    { error: "unavailable" },
    {
      headers: { "Retry-After": { schema: { type: "integer" } } },
    },
  );
  return responses;
}

/** A shape that has a name goes to the components, with the shapes inside it. */
function named(schema: z.ZodType, components: Components): Schema {
  const { $defs, ...own } = toJsonSchema(schema, "output");
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Schema>)) {
    components.schemas[name] = reference(definition);
  }
  const name = schema.meta()?.id;
  if (name === undefined) return reference(own);
  // A shape that stands inside itself or is reused comes as a definition of its own name already.
  if (own["$ref"] !== `#/$defs/${name}`) components.schemas[name] = reference(own);
  return { $ref: `#/components/schemas/${name}` };
}

function reference(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/$defs/", "#/components/schemas/")) as Schema;
}
