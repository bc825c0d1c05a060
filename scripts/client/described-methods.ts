/** What `crm-client` needs to know of each operation of the OpenAPI document. */
import { nameOfWalk } from "../../client/src/operation-table.ts";
import type { OperationDescription } from "../../client/src/operation-table.ts";
import { nameMethods } from "./method-names.ts";
import type { ApiDocument, Content, Operation, Schema } from "./reduced-document.ts";

export interface MethodDescription {
  readonly group: string;
  readonly method: string;
  readonly operation: Operation;
  /** `GET /api/v1/contacts/{id}` */
  readonly path: string;
  /** Those in the path, in its order. */
  readonly parameters: readonly string[];
  /** The name of the type, and whether it has a required field beside the location. */
  readonly input: { readonly type: string; readonly from: "query" | "body"; readonly isRequired: boolean } | undefined;
  readonly sendsFile: boolean;
  /** Names of types; none for an answer without a body. */
  readonly answers: readonly string[];
  /** The type of a row, if the answers come in pages, and the name of the method that follows them. */
  readonly item: string | undefined;
  readonly all: string | undefined;
  readonly runtime: OperationDescription;
}

/** In the order of the document. */
export function describeMethods(document: ApiDocument): MethodDescription[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, httpMethod: method.toUpperCase() })),
  );
  const names = nameMethods(operations);
  return operations.map(({ path, httpMethod, ...operation }) => {
    const { group, method } = names.get(operation.operationId)!;
    const body = bodyOf(httpMethod, operation);
    const input = inputOf(document, operation, body);
    const answers = answersOf(operation);
    const pages = pagesOf(document, answers);
    const location = locationOf(document, operation);
    return {
      group,
      method,
      operation,
      path: `${httpMethod} ${path}`,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      input,
      sendsFile: body === "file",
      answers,
      item: pages?.item,
      all: pages === undefined ? undefined : nameOfWalk(method),
      runtime: {
        method: httpMethod as OperationDescription["method"],
        path,
        ...(body === undefined ? {} : { body }),
        ...(location === undefined ? {} : { location }),
        ...(takesKey(operation) ? { keyed: true } : {}),
        ...(pages === undefined ? {} : { pages: pages.kind }),
        ...(operation.security.some((scheme) => "bearer" in scheme) ? {} : { open: true }),
      },
    };
  });
}

/** Where the input goes; undefined for the query. A DELETE whose fields all fit into the query has no body. */
function bodyOf(method: string, { requestBody, parameters }: Operation): OperationDescription["body"] {
  if (requestBody === undefined) return undefined;
  const { content } = requestBody;
  if (content["application/octet-stream"] !== undefined) return "file";
  if (content["application/json"] === undefined) return "form";
  const isInQuery = method === "DELETE" && parameters.some(({ name }) => name === "location_id");
  return isInQuery ? undefined : "json";
}

function inputOf(
  { components }: ApiDocument,
  { operationId, requestBody, parameters }: Operation,
  body: OperationDescription["body"],
): MethodDescription["input"] {
  if (body === "json" || body === "form") {
    const type = nameOf(requestBody!.content)!;
    return { type, from: "body", isRequired: hasRequired(components["schemas"]![type]!.required ?? []) };
  }
  const query = parameters.filter((parameter) => parameter.in === "query");
  if (query.length === 0) return undefined;
  const required = query.flatMap(({ name, required: isRequired }) => (isRequired === true ? [name] : []));
  const type = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  return { type, from: "query", isRequired: hasRequired(required) };
}

function hasRequired(names: readonly string[]): boolean {
  return names.some((name) => name !== "location_id");
}

/** Types of the successful answers, each once. A file that is no schema of its own has none. */
function answersOf({ responses }: Operation): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return [...new Set(successes.flatMap(([, { content }]) => (content === undefined ? [] : (nameOf(content) ?? []))))];
}

/** The name of the schema of JSON, or of whatever media type there is. */
function nameOf(content: Content): string | undefined {
  const schema = (content["application/json"] ?? Object.values(content)[0])?.schema;
  return schema?.$ref?.split("/").at(-1);
}

/** Pages follow a cursor, or the positions of the event log. */
function pagesOf({ components }: ApiDocument, answers: readonly string[]) {
  const { properties = {} } = (answers[0] === undefined ? undefined : components["schemas"]![answers[0]]) ?? {};
  const item = (properties["data"]?.["items"] as Schema | undefined)?.$ref?.split("/").at(-1);
  if (item === undefined) return undefined;
  if ("next_cursor" in properties) return { kind: "cursor", item } as const;
  if ("last_position" in properties) return { kind: "position", item } as const;
  return undefined;
}

function locationOf(
  { components }: ApiDocument,
  { parameters, requestBody }: Operation,
): OperationDescription["location"] {
  const inQuery = parameters.find(({ name }) => name === "location_id");
  const type = requestBody === undefined ? undefined : nameOf(requestBody.content);
  const body = type === undefined ? undefined : components["schemas"]![type];
  const inBody = body?.properties?.["location_id"] !== undefined;
  if (inQuery === undefined && !inBody) return undefined;
  const isRequired = inQuery?.required === true || body?.required?.includes("location_id") === true;
  return isRequired ? "required" : "optional";
}

function takesKey({ parameters }: Operation): boolean {
  return parameters.some((parameter) => JSON.stringify(parameter).includes("Idempotency"));
}
