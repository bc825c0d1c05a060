/** One row per address outside /api/v1: it shares limits, request ids and errors, and brings its own authentication. */
import type { Readable } from "node:stream";
import type { Answer } from "./answer.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import type { FailureForm } from "./failures.ts";

/** What `serve` is handed of a request's body, by what its route takes. */
interface Bodies {
  /** Whatever is sent is not read. */
  readonly none: [];
  /** Undefined where nothing was sent. */
  readonly json: [body: unknown];
  /** application/x-www-form-urlencoded; `getAll` shows a field that was sent twice. */
  readonly form: [fields: URLSearchParams];
  /** The bytes as they came, of whatever type: what a signature is computed over. */
  readonly raw: [bytes: Buffer];
  /** The bytes as they come. It fails with `payload_too_large` past the limit, and when the client goes away. */
  readonly stream: [bytes: Readable];
}

export type BodyKind = keyof Bodies;

interface RouteDefinition<Kind extends BodyKind> {
  readonly method: "GET" | "POST";
  /** From the root, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** A GET that leaves something behind: HEAD, which anybody sends freely, answers 405 there. */
  readonly writes?: true;
  readonly body?: Kind;
  /** The most bytes of a body; without it the limit of the service. */
  readonly limit?: number;
  /** How this route shows what went wrong, 405, 413, 415, 500 and 503 included; JSON as everywhere unless it says so. */
  readonly failed?: FailureForm;
  readonly serve: (request: IncomingRequest, ...body: Bodies[Kind]) => Promise<Answer>;
}

/** A route as the kit serves it, its types worn off. */
export interface Route extends Omit<RouteDefinition<BodyKind>, "serve"> {
  readonly body: BodyKind;
  readonly serve: (request: IncomingRequest, ...body: unknown[]) => Promise<Answer>;
}

export function route<const Kind extends BodyKind = "none">(description: RouteDefinition<Kind>): Route {
  const { method, path, body = "none", writes, limit } = description;
  if (method === "GET" && body !== "none") throw new Error(`GET ${path} takes no body`);
  if (method !== "GET" && writes !== undefined) throw new Error(`${method} ${path} is not asked by HEAD`);
  if (body === "none" && limit !== undefined) throw new Error(`${method} ${path} has a limit and no body`);
  // The kit hands `serve` what its own description takes; past this line it need not know more.
  return { ...description, body, serve: description.serve as Route["serve"] };
}
