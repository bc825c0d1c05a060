/** The address of an operation below /api/v1: method, path and status; everything else is the operation's own. */
import type { AnyOperation, Noun } from "../operation/operation.ts";

/** All endpoints live below this prefix (specification, "Versioning"). */
export const apiPrefix = "/api/v1";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The status of a success: `created` where the operation made a record, `found` where it went on with an existing one. */
interface Statuses {
  readonly created: number;
  readonly found: number;
}

export interface Endpoint {
  readonly method: Method;
  /** Below /api/v1, with `{name}` for parameters. */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly statuses: Statuses;
  /** Path parameter → the noun whose id it is, in the order of the path. */
  readonly parameters: readonly (readonly [name: string, noun: Noun])[];
  /** Whether a 2xx answer is kept under its Idempotency-Key; the one place that decides it, for the service and its documents. */
  readonly keepsAnswer: boolean;
}

/** Puts an operation at an address. The nth parameter of the path names the nth record that the operation looks up. */
export function at(
  method: Method,
  path: `/${string}`,
  operation: AnyOperation,
  status: number | { readonly created: number; readonly found: number },
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
    statuses: typeof status === "number" ? { created: status, found: status } : status,
    parameters: find.map(({ noun }, index) => [parameters[index]!, noun]),
    keepsAnswer: method === "POST" && !operation.givesSecret,
  };
}

/** Every status of a success, once each, smallest first. */
export function successesOf({ statuses: { created, found } }: Endpoint): number[] {
  return [...new Set([found, created])].toSorted((one, other) => one - other);
}
