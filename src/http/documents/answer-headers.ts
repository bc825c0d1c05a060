/** Response headers in the OpenAPI document. */
import type { JsonSchema } from "../json-schema.ts";

const text: JsonSchema = { type: "string" };
const seconds: JsonSchema = { type: "integer", minimum: 1, examples: [2] };

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema };
}

export const headers = {
  "X-Request-Id": header("ID of the request, also in the log.", {
    type: "string",
    format: "uuid",
    examples: ["1f0c3d7e-5b0e-4c55-9f5e-8a3f2d1c7b60"],
  }),
  "X-RateLimit-Limit": header("Requests in one window. Absent, like the next two headers, when rate limits are off.", {
    type: "integer",
    examples: [1000],
  }),
  "X-RateLimit-Remaining": header("Requests left in this window.", { type: "integer", examples: [998] }),
  "X-RateLimit-Reset": header("Whole seconds until the window ends.", { type: "integer", minimum: 1, examples: [7] }),
  "Idempotency-Replayed": header("The stored response of an earlier request with the same Idempotency-Key.", {
    type: "string",
    const: "true",
  }),
  ETag: header("A strong tag of the record: any change of what this response shows changes it.", {
    type: "string",
    examples: ['"x1yZ4n0qJ8mB2vKcT6wLrE"'],
  }),
  "Preference-Applied": header("The preference of the request that was applied.", {
    type: "string",
    const: "handling=strict",
  }),
  "X-Unknown-Fields": header(
    "Unknown fields and parameters of the request, which were ignored: at most twenty names, percent-encoded.",
    {
      type: "string",
      examples: ["serch, contacts.0.emial"],
    },
  ),
  "Retry-After": header("Whole seconds to wait before trying again.", seconds),
  "X-Error-Detail": header("A sentence for people about what is missing or wrong.", {
    type: "string",
    examples: ["location_id is missing: it goes into the query of a GET and into the JSON body otherwise."],
  }),
  "WWW-Authenticate": header("The accepted credentials (RFC 6750, 3).", {
    type: "string",
    examples: ['Bearer realm="crm"'],
  }),
  "Accept-Encoding": header("The supported content codings of a body.", { ...text, const: "identity" }),
} satisfies Record<string, JsonSchema>;

export type HeaderName = keyof typeof headers;

/** Headers of every response to a valid credential. */
export const ofEveryAnswer: readonly HeaderName[] = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Preference-Applied",
];

/** References for the `headers` of a response. */
export function referHeaders(names: readonly HeaderName[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
