/**
 * The h3 app: routes addresses to handlers, assigns request IDs, and handles 404, 405, OPTIONS and every thrown error.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { H3 } from "h3";
import type { H3Event } from "h3";
import { toNodeHandler } from "h3/node";
import { Refusal } from "../vocabulary/errors.ts";
import type { RefusalCode } from "../vocabulary/errors.ts";
import type { HttpResponse, StreamedResponse, WholeResponse } from "./http-response.ts";
import { apiPrefix } from "./endpoint.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import { failureAnswer, refusalAnswer } from "./failures.ts";
import type { FailureForm } from "./failures.ts";
import { responseOf, toIncomingRequest } from "./request/incoming-request.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import type { Compress } from "./response/compression.ts";
import { preflightHeaders } from "./response/cross-origin.ts";
import { nothingMore, sendWhole } from "./response/outgoing-response.ts";
import { observeNothing } from "./request/observer.ts";
import type { Observe } from "./request/observer.ts";
import { requireWellFormed } from "./request/request-form.ts";
import type { Route } from "./route.ts";
import { serveEndpoint } from "./serve-endpoint.ts";
import type { EndpointContext } from "./serve-endpoint.ts";
import { serveRoute } from "./serve-route.ts";
import { isStreamed, discardStream, sendStream } from "./response/streamed-answer.ts";

interface AppOptions {
  readonly endpoints: readonly Endpoint[];
  readonly routes: readonly Route[];
  readonly context: EndpointContext;
  readonly addressOf: (message: IncomingMessage) => string;
  /** The form of a 404 for an unknown address; default: JSON. */
  readonly missing?: FailureForm | undefined;
  /** Sets the CORS headers of the API; undefined: no other site may use it. */
  readonly crossOrigin?: ((request: IncomingRequest) => void) | undefined;
  /** Called for every response, for the log. */
  readonly answered: (request: IncomingRequest, status: number, milliseconds: number) => void;
  readonly observe?: Observe | undefined;
  /** Default: nothing is compressed. */
  readonly compress?: Compress | undefined;
}

type ReportError = (error: unknown) => void;
/** `begun` is called once the response has begun, `broke` if it cannot be finished. */
interface Streaming {
  readonly begun: (status: number) => void;
  readonly broke: ReportError;
}

type Serve = (request: IncomingRequest) => HttpResponse | Promise<HttpResponse>;

/** The name in /metrics, the form of errors, and additional headers. */
type Handling = Pick<Parameters<typeof failureAnswer>[2], "form" | "headers"> & { readonly operation: string };

/** A route: one method of one address. */
interface RouteEntry {
  readonly method: string;
  readonly path: string;
  /** Its name in /metrics. */
  readonly operation: string;
  readonly serve: Serve;
  readonly form: FailureForm | undefined;
  /** Whether HEAD is served like GET. */
  readonly servesHead: boolean;
}

export function createHttpHandler({
  endpoints,
  routes,
  context,
  addressOf,
  missing,
  crossOrigin,
  answered,
  observe = observeNothing,
  compress = (answer) => answer,
}: AppOptions): RequestListener {
  // A path that cannot be decoded is an unknown address; h3 would respond with a body of its own.
  const app = new H3({ allowMalformedURL: true, silent: true, onError: lastResort });

  /** Rejects if nothing was sent yet. For HEAD only the headers are sent. */
  function stream(
    answer: StreamedResponse,
    request: IncomingRequest,
    { begun, broke }: Streaming,
  ): Promise<void> | void {
    if (request.method !== "HEAD") return sendStream(answer, request, { begun: () => begun(answer.status), broke });
    discardStream(answer.body);
    void sendWhole({ ...answer, body: null }, request);
    begun(answer.status);
  }

  /** Serves a request and never throws. */
  function handle(
    template: string,
    serve: Serve,
    { operation, ...failing }: Handling,
  ): (event: H3Event) => Promise<Response> {
    const observer = observe(operation);
    return async (event) => {
      const request = toIncomingRequest(event, randomUUID(), template, addressOf);
      observer.begun();
      const report: ReportError = (error) => context.report(error, request);
      const begun = (status: number): void => {
        const milliseconds = performance.now() - request.begun;
        observer.answered(status, milliseconds);
        answered(request, status, milliseconds);
      };
      const send = (answer: WholeResponse): Promise<void> | void => {
        const sending = sendWhole(answer, request);
        begun(answer.status);
        return sending;
      };
      try {
        if (crossOrigin !== undefined && isOfApi(request)) crossOrigin(request);
        requireWellFormed(request.message);
        const answer = await serve(request);
        if (isStreamed(answer)) await stream(answer, request, { begun, broke: report });
        else await send(answer.compressible === undefined ? answer : await compress(answer, request));
      } catch (error) {
        await send(failureAnswer(error, request, { ...failing, report }));
      } finally {
        observer.ended();
      }
      return nothingMore();
    };
  }

  const rows: RouteEntry[] = [
    ...endpoints.map((endpoint): RouteEntry => ({
      method: endpoint.method,
      path: apiPrefix + endpoint.path,
      operation: endpoint.operation.name,
      serve(request) {
        // Errors have them as well.
        for (const [name, value] of Object.entries(endpoint.deprecation ?? {})) request.response.setHeader(name, value);
        return serveEndpoint(context, endpoint, request);
      },
      form: undefined,
      servesHead: true,
    })),
    ...routes.map((route): RouteEntry => ({
      method: route.method,
      path: route.path,
      operation: `${route.method} ${route.path}`,
      serve: (request) => serveRoute(route, request, context.bodyLimit),
      form: route.failed,
      servesHead: route.writes !== true,
    })),
  ];

  for (const [path, all] of Map.groupBy(rows, (row) => row.path)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const allowed = ["OPTIONS"];
    for (const { method, operation, serve, form, servesHead } of all) {
      // HEAD is allowed where GET is (RFC 9110, 9.3.2), unless the GET has side effects.
      const methods = method === "GET" && servesHead ? ["GET", "HEAD"] : [method];
      for (const each of methods) app.on(each as Method | "HEAD", pattern, handle(path, serve, { operation, form }));
      allowed.push(...methods);
    }
    const allow = allowed.toSorted().join(", ");
    // The first route with an error form decides.
    const form = all.find((row) => row.form !== undefined)?.form;
    app.all(
      pattern,
      handle(path, (request) => otherMethod(request, allow), { operation: "other method", form, headers: { allow } }),
    );
  }
  app.all(
    "/**",
    handle("/**", () => refuse("route.not_found"), { operation: "unknown address", form: missing }),
  );

  return toNodeHandler(app) as RequestListener;
}

/** Every refusal here has an `Allow` header. */
function otherMethod(request: IncomingRequest, allow: string): HttpResponse {
  if (request.method !== "OPTIONS") refuse("method_not_allowed");
  return { status: 204, body: null, headers: { allow, ...preflightHeaders(request, allow) } };
}

/** Unknown addresses below it, too: a page of an allowed site is to read why. */
function isOfApi({ message }: IncomingRequest): boolean {
  return message.url?.startsWith(`${apiPrefix}/`) === true;
}

function refuse(code: RefusalCode): never {
  throw new Refusal(code);
}

/** What h3 refuses before routing. */
function lastResort(_error: unknown, event: H3Event): Response {
  const [id, response] = [randomUUID(), responseOf(event)];
  if (!response.headersSent) void sendWhole(refusalAnswer(new Refusal("route.not_found"), id), { id, response });
  return nothingMore();
}
