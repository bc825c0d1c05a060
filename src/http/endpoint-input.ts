/** Parses the query and the body of a request by the schemas of its operation. */
import { isObject } from "../kit/json/json-object.ts";
import { readInput } from "../kit/input/read-input.ts";
import { Invalid } from "../vocabulary/errors.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import type { UploadedFile } from "./request/uploaded-file.ts";
import { findUnknown, isStrict } from "./strict-input.ts";

interface GivenInput {
  readonly query: unknown;
  readonly input: unknown;
}

/** Refuses every invalid parameter and field; of a strict request, unknown ones too. `body` is JSON. */
export function readEndpointInput(
  endpoint: Endpoint,
  request: IncomingRequest,
  body: unknown,
  file?: UploadedFile,
): GivenInput {
  if (!isStrict(request)) return read(endpoint, request, body, file);
  const unknown = findUnknown(endpoint, request, body);
  const { errors, given } = judge(() => read(endpoint, request, body, file));
  if (given !== undefined && Object.keys(unknown).length === 0) return given;
  throw new Invalid({ ...unknown, ...errors });
}

function read(
  { operation: { query, input } }: Endpoint,
  request: IncomingRequest,
  body: unknown,
  file: UploadedFile | undefined,
): GivenInput {
  if (file !== undefined) {
    const { name, contentType, content } = file;
    const given = { name, ...readQuery(request), content_type: contentType, file: content };
    return { query: {}, input: readInput(input!, given) };
  }
  return {
    query: query === undefined ? {} : readInput(query, readQuery(request)),
    input: input === undefined ? {} : readInput(input, asObject(body)),
  };
}

function judge(work: () => GivenInput): { given?: GivenInput; errors?: FieldErrors } {
  try {
    return { given: work() };
  } catch (error) {
    if (error instanceof Invalid) return { errors: error.errors };
    throw error;
  }
}

/** The parameters of a list; an empty cursor counts as absent, a repeated parameter is refused. */
function readQuery(request: IncomingRequest): Record<string, string> {
  const values: Record<string, string> = {};
  const doubled: Record<string, string[]> = {};
  for (const [name, value] of request.query) {
    if (name === "location_id" || (name === "cursor" && value === "")) continue;
    if (Object.hasOwn(values, name)) doubled[name] = [`The ${name.replaceAll("_", " ")} parameter must be given once.`];
    values[name] = value;
  }
  if (Object.keys(doubled).length > 0) throw new Invalid(doubled);
  return values;
}

function asObject(body: unknown): unknown {
  return isObject(body) ? body : {};
}
