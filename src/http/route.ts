/** One row per address outside /api/v1: it shares limits, request ids and errors, and brings its own authentication. */
import type { Answer } from "./answer.ts";
import type { IncomingRequest } from "./incoming-request.ts";

export interface Route {
  readonly method: "GET" | "POST";
  /** From the root, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly serve: (request: IncomingRequest) => Promise<Answer>;
}

export function route(description: Route): Route {
  return description;
}
