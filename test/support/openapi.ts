/** The service's own OpenAPI document, as tests read it: references followed, shapes by operation. */
import type { Endpoint } from "../../src/http/endpoint.ts";
import { request } from "./client.ts";

export interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: { readonly "application/json": Media };
}

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Schema[];
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly "application/json": Media } };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: OpenApi["paths"];
  readonly components: Readonly<
    Record<"schemas" | "responses" | "parameters" | "headers" | "securitySchemes", Record<string, Schema>>
  >;
}

export async function fetchOpenApi(baseUrl: string): Promise<OpenApi> {
  return (await request(baseUrl, { method: "GET", path: "/openapi.json" })).body as OpenApi;
}

function operationOf({ paths }: OpenApi, { method, path }: Pick<Endpoint, "method" | "path">): Operation {
  return paths[`/api/v1${path}`]![method.toLowerCase()]!;
}

/** What a reference to a component means; anything else as it is. */
export function follow<Part>(document: OpenApi, part: Part | { readonly $ref: string }): Part {
  if (typeof part !== "object" || part === null || !("$ref" in part) || typeof part.$ref !== "string")
    return part as Part;
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref)!;
  return document.components[kind as keyof OpenApi["components"]][name!] as Part;
}

/** The fields of the body that an operation takes; none where it takes no body. */
export function bodyFieldsOf(document: OpenApi, endpoint: Endpoint): Readonly<Record<string, Schema>> {
  const body = operationOf(document, endpoint).requestBody;
  return body === undefined ? {} : follow(document, body.content["application/json"].schema).properties!;
}

/** Those of them that may be left out, but the location. */
export function optionalFieldsOf(document: OpenApi, endpoint: Endpoint): string[] {
  const body = operationOf(document, endpoint).requestBody!;
  const { required = [] } = follow(document, body.content["application/json"].schema) as { required?: string[] };
  const fields = Object.keys(bodyFieldsOf(document, endpoint));
  return fields.filter((field) => field !== "location_id" && !required.includes(field));
}

/** The parameters of the query that an operation takes, but the location. */
export function queryParametersOf(document: OpenApi, endpoint: Endpoint): string[] {
  return operationOf(document, endpoint)
    .parameters.map((parameter) => follow(document, parameter))
    .flatMap(({ in: place, name }) => (place === "query" && name !== "location_id" ? [String(name)] : []));
}
