/** Error responses of the OpenAPI document: one schema per kind of body. */
import { describeRefusal } from "../../vocabulary/errors.ts";
import type { RefusalCode } from "../../vocabulary/errors.ts";
import { takesPreconditions } from "../endpoint.ts";
import type { Endpoint } from "../endpoint.ts";
import type { JsonSchema } from "../json-schema.ts";
import { ofEveryAnswer, referHeaders } from "./answer-headers.ts";
import type { HeaderName } from "./answer-headers.ts";
import type { Schemas } from "./component-schemas.ts";

const sentence: JsonSchema = { type: "string", description: "A sentence for people." };
const requestId: JsonSchema = { type: "string", format: "uuid", description: "The same as the header X-Request-Id." };
const requestIdExample = "1f0c3d7e-5b0e-4c55-9f5e-8a3f2d1c7b60";

function object(description: string, properties: JsonSchema): JsonSchema {
  return { type: "object", description, properties, required: Object.keys(properties), additionalProperties: false };
}

/** Their body schemas. */
export const failureSchemas = {
  Error: object("An error: a code for programs, a sentence for people.", {
    error: { type: "string", description: "A code." },
    message: sentence,
    request_id: requestId,
  }),
  CodeError: object("An error as its code alone; the header X-Error-Detail explains it.", {
    error: { type: "string", description: "A code." },
  }),
  ScopeError: object("The credential lacks a scope.", {
    error: { type: "string", const: "insufficient_scope" },
    message: sentence,
    required_scope: { type: "string", description: "The scope that the operation needs." },
    request_id: requestId,
  }),
  ValidationError: object("Invalid input.", {
    message: { type: "string", description: "The first sentence, and the number of others." },
    errors: {
      type: "object",
      description: "Every invalid field or parameter with its sentences.",
      additionalProperties: { type: "array", items: { type: "string" }, minItems: 1 },
    },
  }),
  RateLimitError: object("The rate limit is exceeded.", { message: sentence }),
} satisfies Schemas;

/** A response below `components`, by name. */
interface ResponseDescription {
  readonly description: string;
  readonly schema: keyof typeof failureSchemas;
  readonly example: JsonSchema;
  readonly headers?: readonly HeaderName[];
}

/** The body of a code with a sentence. */
function example(code: RefusalCode, more: JsonSchema = {}): JsonSchema {
  return { error: code, message: describeRefusal(code).message, ...more, request_id: requestIdExample };
}

const responses = {
  BadRequest: {
    description: "The body is not valid JSON, or If-Match is no list of ETags.",
    schema: "Error",
    example: example("invalid_json"),
  },
  Unauthorized: {
    description: "The credential is missing, unknown, expired or revoked.",
    schema: "CodeError",
    example: { error: "invalid_api_key" },
    headers: ["X-Error-Detail", "WWW-Authenticate"],
  },
  Forbidden: {
    description: "The credential lacks the scope.",
    schema: "ScopeError",
    example: example("insufficient_scope", { required_scope: "contacts.write" }),
    headers: ["WWW-Authenticate"],
  },
  Conflict: {
    description:
      "A request with this Idempotency-Key is still running, or was carried out but its response was too large to store.",
    schema: "Error",
    example: example("request_in_progress"),
    headers: ["Retry-After"],
  },
  PreconditionFailed: {
    description: "The record is not in the state that If-Match or If-None-Match requires. Nothing was done.",
    schema: "Error",
    example: example("precondition_failed"),
  },
  PayloadTooLarge: {
    description: "The body is larger than this service accepts.",
    schema: "Error",
    example: example("payload_too_large"),
  },
  UnsupportedMediaType: {
    description: "The body is not JSON, or is compressed.",
    schema: "Error",
    example: example("unsupported_media_type"),
    headers: ["Accept-Encoding"],
  },
  ValidationFailed: {
    description: "Validation failed: every invalid field with its sentences.",
    schema: "ValidationError",
    example: {
      message: "The first name field is required. (and 1 more error)",
      errors: {
        first_name: ["The first name field is required."],
        email: ["The email field must be a valid email address."],
      },
    },
  },
  TooManyRequests: {
    description: "The rate limit is exceeded.",
    schema: "RateLimitError",
    example: { message: "Too many requests. Try again in 2 seconds." },
    headers: ["Retry-After"],
  },
  ServerError: {
    description: "An internal error; the log has it under the request ID.",
    schema: "Error",
    example: example("server_error"),
  },
  Unavailable: {
    description: "The database is unavailable.",
    schema: "Error",
    example: example("unavailable"),
    headers: ["Retry-After"],
  },
} as const satisfies Record<string, ResponseDescription>;

export const failureResponses: JsonSchema = Object.fromEntries(
  Object.entries<ResponseDescription>(responses).map(([name, { description, schema, example: body, headers = [] }]) => {
    const sent = name === "Unauthorized" ? (["X-Request-Id"] as const) : ofEveryAnswer;
    const $ref = `#/components/schemas/${schema}`;
    const content = { "application/json": { schema: { $ref }, example: body } };
    return [name, { description, headers: referHeaders([...sent, ...headers]), content }];
  }),
);

/** Error responses of an operation, by status. */
export function failuresOf(endpoint: Endpoint): JsonSchema {
  const takesBody = endpoint.method !== "GET";
  const isConditional = takesPreconditions(endpoint);
  return {
    ...(takesBody || isConditional ? { 400: refer("BadRequest") } : {}),
    401: refer("Unauthorized"),
    ...(endpoint.operation.may.scope === "any" ? {} : { 403: refer("Forbidden") }),
    404: notFound(["location.not_found", ...endpoint.operation.find.map(({ noun }) => `${noun}.not_found`)]),
    ...(endpoint.keepsAnswer ? { 409: refer("Conflict") } : {}),
    ...(isConditional ? { 412: refer("PreconditionFailed") } : {}),
    ...(takesBody ? { 413: refer("PayloadTooLarge"), 415: refer("UnsupportedMediaType") } : {}),
    422: refer("ValidationFailed"),
    429: refer("TooManyRequests"),
    500: refer("ServerError"),
    503: refer("Unavailable"),
  };
}

export type FailureName = keyof typeof responses;

/** The same response from a route that has no rate limit headers. */
export function failureWithoutBudget(name: FailureName): JsonSchema {
  const { description, schema, example: body, headers = [] }: ResponseDescription = responses[name];
  return {
    description,
    headers: referHeaders(["X-Request-Id", ...headers]),
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example: body } },
  };
}

function refer(name: FailureName): JsonSchema {
  return { $ref: `#/components/responses/${name}` };
}

/** `codes`: of records in the request that may not exist. */
function notFound(codes: readonly string[]): JsonSchema {
  const examples = codes.map((code) => [code, { value: { error: code } }]);
  return {
    description: `Not there, or out of reach: ${codes.join(", ")}.`,
    headers: referHeaders([...ofEveryAnswer, "X-Error-Detail"]),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/CodeError" },
        examples: Object.fromEntries(examples) as JsonSchema,
      },
    },
  };
}
