/** The h3 app over the rows: addresses to handlers, request ids, 404, 405, OPTIONS, and no error that escapes. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { H3 } from "h3";
import type { H3Event } from "h3";
import { toNodeHandler } from "h3/node";
import { FastResponse } from "srvx";
import { Refusal } from "../vocabulary/errors.ts";
import type { Answer } from "./answer.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import { toIncomingRequest } from "./incoming-request.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import { errorAnswer, refusalAnswer } from "./refusals.ts";
import type { Route } from "./route.ts";
import { serveEndpoint } from "./serve-endpoint.ts";
import type { EndpointContext } from "./serve-endpoint.ts";

/** All endpoints live below this prefix (specification, "Versioning"). */
export const apiPrefix = "/api/v1";

interface AppOptions {
  readonly endpoints: readonly Endpoint[];
  readonly routes: readonly Route[];
  readonly context: EndpointContext;
  readonly addressOf: (message: IncomingMessage) => string;
  /** Hears of every answer; for the log. */
  readonly answered: (request: IncomingRequest, status: number) => void;
}

type Serve = (request: IncomingRequest) => Promise<Answer>;

export function createApp({ endpoints, routes, context, addressOf, answered }: AppOptions): RequestListener {
  // A path that does not decode is an address that does not exist; h3 would answer with a body of its own.
  const app = new H3({ allowMalformedURL: true, silent: true, onError: () => toResponse(lastResort()) });

  /** Serves one request and never throws. */
  function handle(serve: Serve): (event: H3Event) => Promise<Response> {
    return async (event) => {
      const request = toIncomingRequest(event, randomUUID(), addressOf);
      let answer: Answer;
      try {
        requireExpected(request);
        answer = await serve(request);
      } catch (error) {
        answer = errorAnswer(error, request.id, (fault) => context.report(fault, request));
      }
      answered(request, answer.status);
      return toResponse(answer, request.id);
    };
  }

  const table = new Map<string, Map<string, Serve>>();
  function add(method: string, path: string, serve: Serve): void {
    const methods = table.get(path) ?? new Map<string, Serve>();
    methods.set(method, serve);
    // HEAD answers where GET does (RFC 9110, 9.3.2).
    if (method === "GET") methods.set("HEAD", serve);
    table.set(path, methods);
  }
  for (const endpoint of endpoints) {
    add(endpoint.method, apiPrefix + endpoint.path, (request) => serveEndpoint(context, endpoint, request));
  }
  for (const route of routes) add(route.method, route.path, route.serve);

  for (const [path, methods] of table) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const [method, serve] of methods) app.on(method as Method | "HEAD", pattern, handle(serve));
    app.all(
      pattern,
      handle(async (request) => otherMethod(request, [...methods.keys(), "OPTIONS"].toSorted().join(", "))),
    );
  }
  app.all(
    "/**",
    handle(async (request) => refusalAnswer(new Refusal("route.not_found"), request.id)),
  );

  return toNodeHandler(app) as RequestListener;
}

/** Refuses what Node refuses without a body: a request without Host (RFC 9112, 3.2), and an expectation that nobody here meets. */
function requireExpected({ message }: IncomingRequest): void {
  if (message.headers.host === undefined && message.httpVersion === "1.1") throw new Refusal("bad_request");
  const expected = message.headers.expect;
  if (expected !== undefined && expected.toLowerCase() !== "100-continue") throw new Refusal("expectation_failed");
}

function otherMethod(request: IncomingRequest, allowed: string): Answer {
  if (request.method === "OPTIONS") return { status: 204, body: null, headers: { allow: allowed } };
  return refusalAnswer(new Refusal("method_not_allowed"), request.id, { allow: allowed });
}

function lastResort(): Answer {
  return refusalAnswer(new Refusal("route.not_found"), randomUUID());
}

/** From this many characters on a body leaves as bytes: Node makes one text of head and body, of a long one a second copy. */
const long = 16_384;

function toResponse(answer: Answer, requestId?: string): Response {
  const headers: Record<string, string> = { ...answer.headers };
  if (requestId !== undefined) headers["x-request-id"] = requestId;
  const body = typeof answer.body === "string" && answer.body.length >= long ? Buffer.from(answer.body) : answer.body;
  if (body !== null) headers["content-length"] = String(Buffer.byteLength(body));
  return new FastResponse(body as string | null, { status: answer.status, headers });
}
