/** The HTTP endpoint of an operation: method, path and status; everything else belongs to the operation. */
import type { LocationContext, Reader } from "../events/caller.ts";
import type { Network } from "../operation/network.ts";
import type { AnyOperation, Noun } from "../operation/operation.ts";
import { deprecationHeaders } from "./response/deprecation.ts";
import type { Deprecation } from "./response/deprecation.ts";

/** All endpoints live below this prefix (specification, "Versioning"). */
export const apiPrefix = "/api/v1";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The success status: `created` if the operation created a record, `found` if it returned an existing one, `pending` if the worker finishes it. */
interface Statuses {
  readonly created: number;
  readonly found: number;
  readonly pending: number;
}

/** The body of a success is a file, made piece by piece while it is sent, in place of what the operation gives. */
export interface StreamedFile {
  readonly contentType: string;
  readonly description: string;
  readonly open: (
    reader: Reader<LocationContext>,
    result: unknown,
    network: Network,
  ) => { readonly name: string; readonly content: AsyncGenerator<Uint8Array> };
}

export interface Endpoint {
  readonly method: Method;
  /** Below /api/v1, with `{name}` for parameters. */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly statuses: Statuses;
  /** Path parameter → noun of its ID, in the order of the path. */
  readonly parameters: readonly (readonly [name: string, noun: Noun])[];
  /** Whether a 2xx response is stored under its Idempotency-Key; decided only here, for service and documentation. */
  readonly keepsAnswer: boolean;
  /** Whether responses may be compressed: only those without secrets (BREACH). */
  readonly isCompressible: boolean;
  /** The body is a file of at most this many bytes: the input's `file`. The rest of the input is in the query, `content_type` in the header. */
  readonly fileBytes: number | undefined;
  readonly download: StreamedFile | undefined;
  /** Headers that announce its end; none for those that stay. */
  readonly deprecation: Readonly<Record<string, string>> | undefined;
}

/** Defines the endpoint of an operation. The nth path parameter is the nth record of its `find`. */
export function at(
  method: Method,
  path: `/${string}`,
  operation: AnyOperation,
  status: number | (Partial<Statuses> & Pick<Statuses, "found">),
  {
    fileBytes,
    download,
    deprecated,
  }: { readonly fileBytes?: number; readonly download?: StreamedFile; readonly deprecated?: Deprecation } = {},
): Endpoint {
  const { name, find, read, input } = operation;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
  if (parameters.length !== find.length)
    throw new Error(`${method} ${path} must name the ${find.length} records of ${name}`);
  if ((method === "GET") !== (read !== undefined))
    throw new Error(`${name} is at ${method}: a GET reads, all others change`);
  if (method === "GET" && input !== undefined) throw new Error(`${name} takes input, and a GET has no body`);
  return {
    method,
    path,
    operation,
    statuses: toStatuses(status),
    parameters: find.map(({ noun }, index) => [parameters[index]!, noun]),
    keepsAnswer: method === "POST" && !operation.givesSecret,
    isCompressible: !operation.givesSecret && !operation.givesSignedUrls,
    fileBytes,
    download,
    deprecation: deprecated && deprecationHeaders(deprecated),
  };
}

function toStatuses(status: Parameters<typeof at>[3]): Statuses {
  const { found, created = found, pending = found } = typeof status === "number" ? { found: status } : status;
  return { created, found, pending };
}

/** Whether its target is one record, whose state a request may name. */
export function takesPreconditions({ method, operation }: Endpoint): boolean {
  return method !== "POST" && operation.record !== undefined;
}

/** All success statuses, ascending. */
export function successesOf({ statuses }: Endpoint): number[] {
  return [...new Set(Object.values(statuses) as number[])].toSorted((one, other) => one - other);
}
