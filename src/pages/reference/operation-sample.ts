/** The sample request of an operation, made of the examples of the document. */
import { slugOf } from "./contents.ts";
import { resolve } from "./api-document.ts";
import type { ApiDocument, Media, OperationObject, Parameter, ResponseObject } from "./api-document.ts";
import type { SampleRequest } from "./code-samples.ts";

export function parametersOf(document: ApiDocument, { parameters }: OperationObject): Parameter[] {
  return parameters.map((parameter) => resolve<Parameter>(document, parameter));
}

/** The example of a parameter, as text; "" if it has none. */
export function exampleParameter(document: ApiDocument, { schema }: Parameter): string {
  const { examples, enum: choices } = resolve(document, schema as typeof schema & { readonly $ref: string });
  return String(examples?.[0] ?? choices?.[0] ?? "");
}

/** The body of a request, or of a response. */
export function mediaOf(
  content: Readonly<Record<string, Media>> | undefined,
): [type: string, media: Media] | undefined {
  return Object.entries(content ?? {})[0];
}

export function exampleBody({ example, examples }: Media): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}

/** The successful responses, by status. */
export function successResponses(document: ApiDocument, { responses }: OperationObject): [string, ResponseObject][] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, response]) => [status, resolve<ResponseObject>(document, response)]);
}

/** `to`: a path → its absolute URL. */
const kinds: Readonly<Record<string, "json" | "file">> = {
  "application/json": "json",
  "application/octet-stream": "file",
};

export function toSample(
  document: ApiDocument,
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: OperationObject },
  to: (path: `/${string}`) => string,
): SampleRequest {
  const parameters = parametersOf(document, operation);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = parameters.find((one) => one.name === name)!;
    return exampleParameter(document, parameter) || name.toUpperCase();
  });
  // A DELETE takes the location from the query, so that it needs no body.
  const isSent = ({ name, required = false }: Parameter) => required || (method === "DELETE" && name === "location_id");
  const query = parameters.filter((one) => one.in === "query" && isSent(one));
  const media = method === "DELETE" ? undefined : mediaOf(operation.requestBody?.content);
  const [type = "", body] = media ?? [];
  return {
    method,
    url: to(filled as `/${string}`),
    query: Object.fromEntries(query.map((one) => [one.name, exampleParameter(document, one)])),
    body: body === undefined ? undefined : { kind: kinds[type] ?? "form", value: exampleBody(body) as object },
    credentials: credentialsOf(operation),
    hasAnswer: successResponses(document, operation).some(
      ([, { content }]) => content !== undefined && "application/json" in content,
    ),
  };
}

const clientHeaders = {
  clientKey: ["x-service-client-key", "CRM_CLIENT_ID"],
  clientSecret: ["x-service-client-secret", "CRM_CLIENT_SECRET"],
} as const;

function credentialsOf({ security }: OperationObject): SampleRequest["credentials"] {
  const [first = {}] = security;
  if ("bearer" in first) return { Authorization: { prefix: "Bearer ", variable: "CRM_KEY" } };
  if (!("clientKey" in first)) return {};
  return Object.fromEntries(Object.values(clientHeaders).map(([name, variable]) => [name, { prefix: "", variable }]));
}

/** The id of a control for `name`. */
export function controlId(kind: string, name: string): string {
  return slugOf(`${kind}-${name}`);
}
