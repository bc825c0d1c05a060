/**
 * Cross-origin requests of browsers to the API (CORS; Fetch standard, 3.2): which sites may read its responses. Never with
 * credentials of the browser: the API knows no cookies.
 */
import type { IncomingRequest } from "../request/incoming-request.ts";

/** What a page may read beside the body. */
const exposed = [
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Retry-After",
  "Sunset",
  "X-Error-Detail",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Unknown-Fields",
].join(", ");

/** What a page may send. */
const accepted = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer";

const daySeconds = 86_400;

type CrossOrigin = (request: Pick<IncomingRequest, "header" | "response">) => void;

/** Sets the headers of a response for requests of these origins; `*` allows every site. */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin {
  const isOpen = origins.includes("*");
  const known = new Set(origins);
  return (request) => {
    const { response } = request;
    // A cache must not give the response for one site to another.
    if (!isOpen) response.setHeader("vary", "Origin");
    const origin = request.header("origin");
    if (origin === undefined || !(isOpen || known.has(origin))) return;
    response.setHeader("access-control-allow-origin", isOpen ? "*" : origin);
    response.setHeader("access-control-expose-headers", exposed);
  };
}

/** The headers of a response to OPTIONS for a site that is allowed; none for others. `methods`: those of the address. */
export function preflightHeaders(
  { response }: Pick<IncomingRequest, "response">,
  methods: string,
): Record<string, string> {
  if (!response.hasHeader("access-control-allow-origin")) return {};
  return {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": accepted,
    "access-control-max-age": String(daySeconds),
  };
}
