/** The OpenAPI document of routes outside /api/v1 that programs call, such as the token endpoint. */
import type { z } from "zod";
import type { JsonSchema } from "../json-schema.ts";
import { referHeaders } from "./answer-headers.ts";
import type { HeaderName } from "./answer-headers.ts";
import { inputName, nameInput, nameOutput } from "./component-schemas.ts";
import type { Schemas } from "./component-schemas.ts";
import { failureWithoutBudget } from "./failure-responses.ts";
import type { failureSchemas, FailureName } from "./failure-responses.ts";
import { exampleOf } from "./schema-example.ts";
import type { SecurityRequirement } from "./security-schemes.ts";

/** A response with a body of its own. */
interface RouteAnswer {
  readonly description: string;
  /** A shape, or the name of a common error. */
  readonly gives: z.ZodType | keyof typeof failureSchemas;
  /** Default: that of the shape. */
  readonly example?: object;
  readonly headers?: readonly HeaderName[];
}

export interface RouteDocument {
  readonly method: "POST";
  /** From the root, with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** The operationId. */
  readonly name: string;
  readonly noun: string;
  readonly summary: string;
  readonly description: string;
  /** Path parameters: name → description. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly media: "application/json" | "application/x-www-form-urlencoded";
  readonly input: z.ZodType;
  /** Alternatives, of which one is required; none for a secret URL. */
  readonly security: readonly SecurityRequirement[];
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Failures that all routes share, by status. */
  readonly failures: Readonly<Record<number, FailureName>>;
}

/** An `operation` of the document; its shapes go to `schemas`. */
export function toRouteOperation(route: RouteDocument, schemas: Schemas): JsonSchema {
  const { name, noun, summary, description, parameters = {}, media, input, security, answers, failures } = route;
  const body = nameInput(inputName(name), input, { properties: {}, required: [], example: {} }, schemas);
  const own = Object.entries(answers).map(([status, answer]) => [status, toResponse(answer, schemas)]);
  const shared = Object.entries(failures).map(([status, failure]) => [status, failureWithoutBudget(failure)]);
  return {
    operationId: name,
    summary,
    tags: [noun],
    description,
    security,
    parameters: Object.entries(parameters).map(([parameter, description]) => ({
      name: parameter,
      in: "path",
      required: true,
      description,
      schema: { type: "string" },
    })),
    requestBody: { required: true, content: { [media]: { schema: body, example: exampleOf(body, schemas) } } },
    responses: Object.fromEntries([...own, ...shared]) as JsonSchema,
  };
}

function toResponse({ description, gives, example, headers = [] }: RouteAnswer, schemas: Schemas): JsonSchema {
  const schema = typeof gives === "string" ? { $ref: `#/components/schemas/${gives}` } : nameOutput(gives, schemas);
  return {
    description,
    headers: referHeaders(["X-Request-Id", ...headers]),
    content: { "application/json": { schema, example: example ?? exampleOf(schema, schemas) } },
  };
}
