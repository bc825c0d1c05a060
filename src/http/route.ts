/** A route: an address outside /api/v1. It shares limits, request IDs and errors, and authenticates by itself. */
import type { Readable } from "node:stream";
import type { HttpResponse } from "./http-response.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import type { FailureForm } from "./failures.ts";

/** The body that `serve` receives, by kind. */
interface Bodies {
  /** The body is not read. */
  readonly none: [];
  /** Undefined for an empty body. */
  readonly json: [body: unknown];
  /** application/x-www-form-urlencoded; `getAll` shows repeated fields. */
  readonly form: [fields: URLSearchParams];
  /** The raw bytes of any media type, such as signed payloads. */
  readonly raw: [bytes: Buffer];
  /** A stream of the bytes. It fails with `payload_too_large` beyond the limit, and when the client disconnects. */
  readonly stream: [bytes: Readable];
}

export type BodyKind = keyof Bodies;

interface RouteDefinition<Kind extends BodyKind> {
  readonly method: "GET" | "POST";
  /** From the root, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** A GET with side effects: HEAD gets 405. */
  readonly writes?: true;
  readonly body?: Kind;
  /** The maximum body size in bytes; default: the limit of the service. */
  readonly limit?: number;
  /** The form of errors of this route, including 405, 413, 415, 500 and 503; default: JSON. */
  readonly failed?: FailureForm;
  readonly serve: (request: IncomingRequest, ...body: Bodies[Kind]) => Promise<HttpResponse>;
}

/** A route without its type parameters. */
export interface Route extends Omit<RouteDefinition<BodyKind>, "serve"> {
  readonly body: BodyKind;
  readonly serve: (request: IncomingRequest, ...body: unknown[]) => Promise<HttpResponse>;
}

export function route<const Kind extends BodyKind = "none">(description: RouteDefinition<Kind>): Route {
  const { method, path, body = "none", writes, limit } = description;
  if (method === "GET" && body !== "none") throw new Error(`GET ${path} takes no body`);
  if (method !== "GET" && writes !== undefined) throw new Error(`${method} ${path} must be a GET to exclude HEAD`);
  if (body === "none" && limit !== undefined) throw new Error(`${method} ${path} has a limit and no body`);
  // The HTTP server passes `serve` the body of the declared kind; its type is erased here.
  return { ...description, body, serve: description.serve as Route["serve"] };
}
