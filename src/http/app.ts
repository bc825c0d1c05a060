/** The h3 app over the rows: addresses to handlers, request ids, 404, 405, OPTIONS, and no error that escapes. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { H3 } from "h3";
import type { H3Event } from "h3";
import { toNodeHandler } from "h3/node";
import { Refusal } from "../vocabulary/errors.ts";
import type { RefusalCode } from "../vocabulary/errors.ts";
import type { Answer, StreamedAnswer, WholeAnswer } from "./answer.ts";
import { apiPrefix } from "./endpoint.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import { failureAnswer, refusalAnswer } from "./failures.ts";
import type { FailureForm } from "./failures.ts";
import { responseOf, toIncomingRequest } from "./request/incoming-request.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { nothingMore, sendWhole } from "./response/outgoing-response.ts";
import { requireWellFormed } from "./request/request-form.ts";
import type { Route } from "./route.ts";
import { serveEndpoint } from "./serve-endpoint.ts";
import type { EndpointContext } from "./serve-endpoint.ts";
import { serveRoute } from "./serve-route.ts";
import { isStreamed, leaveStream, sendStream } from "./response/streamed-answer.ts";

interface AppOptions {
  readonly endpoints: readonly Endpoint[];
  readonly routes: readonly Route[];
  readonly context: EndpointContext;
  readonly addressOf: (message: IncomingMessage) => string;
  /** How an address that does not exist is told; JSON unless it says so. */
  readonly missing?: FailureForm | undefined;
  /** Hears of every answer; for the log. */
  readonly answered: (request: IncomingRequest, status: number) => void;
}

type ReportError = (error: unknown) => void;
type Serve = (request: IncomingRequest) => Answer | Promise<Answer>;

/** How what goes wrong is shown, and with which headers. */
type Failing = Pick<Parameters<typeof failureAnswer>[2], "form" | "headers">;

/** One method of one address. */
interface RouteEntry {
  readonly method: string;
  readonly path: string;
  readonly serve: Serve;
  readonly form: FailureForm | undefined;
  /** Whether HEAD may ask what GET shows. */
  readonly asked: boolean;
}

export function createHttpHandler({
  endpoints,
  routes,
  context,
  addressOf,
  missing,
  answered,
}: AppOptions): RequestListener {
  // A path that does not decode is an address that does not exist; h3 would answer with a body of its own.
  const app = new H3({ allowMalformedURL: true, silent: true, onError: lastResort });

  /** Rejects as long as nothing was sent. HEAD gets the head alone, and what would follow is left. */
  function stream(answer: StreamedAnswer, request: IncomingRequest, broke: ReportError): Promise<void> | void {
    if (request.method !== "HEAD") {
      return sendStream(answer, request, { begun: () => answered(request, answer.status), broke });
    }
    leaveStream(answer.body);
    send({ ...answer, body: null }, request);
  }

  function send(answer: WholeAnswer, request: IncomingRequest): void {
    sendWhole(answer, request);
    answered(request, answer.status);
  }

  /** Serves one request and never throws. */
  function handle(template: string, serve: Serve, failing: Failing = {}): (event: H3Event) => Promise<Response> {
    return async (event) => {
      const request = toIncomingRequest(event, randomUUID(), template, addressOf);
      const report: ReportError = (error) => context.report(error, request);
      try {
        requireWellFormed(request.message);
        const answer = await serve(request);
        if (isStreamed(answer)) await stream(answer, request, report);
        else send(answer, request);
      } catch (error) {
        send(failureAnswer(error, request, { ...failing, report }), request);
      }
      return nothingMore();
    };
  }

  const rows: RouteEntry[] = [
    ...endpoints.map((endpoint): RouteEntry => ({
      method: endpoint.method,
      path: apiPrefix + endpoint.path,
      serve: (request) => serveEndpoint(context, endpoint, request),
      form: undefined,
      asked: true,
    })),
    ...routes.map((route): RouteEntry => ({
      method: route.method,
      path: route.path,
      serve: (request) => serveRoute(route, request, context.bodyLimit),
      form: route.failed,
      asked: route.writes !== true,
    })),
  ];

  for (const [path, all] of Map.groupBy(rows, (row) => row.path)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const allowed = ["OPTIONS"];
    for (const { method, serve, form, asked } of all) {
      // HEAD answers where GET does (RFC 9110, 9.3.2), unless asking leaves something behind.
      const methods = method === "GET" && asked ? ["GET", "HEAD"] : [method];
      for (const each of methods) app.on(each as Method | "HEAD", pattern, handle(path, serve, { form }));
      allowed.push(...methods);
    }
    const allow = allowed.toSorted().join(", ");
    // Of several rows the first that says how shows it.
    const form = all.find((row) => row.form !== undefined)?.form;
    app.all(
      pattern,
      handle(path, (request) => otherMethod(request, allow), { form, headers: { allow } }),
    );
  }
  app.all(
    "/**",
    handle("/**", () => refuse("route.not_found"), { form: missing }),
  );

  return toNodeHandler(app) as RequestListener;
}

/** `Allow` is sent along with whatever is refused here. */
function otherMethod({ method }: IncomingRequest, allow: string): Answer {
  return method === "OPTIONS" ? { status: 204, body: null, headers: { allow } } : refuse("method_not_allowed");
}

function refuse(code: RefusalCode): never {
  throw new Refusal(code);
}

/** What h3 itself refuses, before any row. */
function lastResort(_error: unknown, event: H3Event): Response {
  const [id, response] = [randomUUID(), responseOf(event)];
  if (!response.headersSent) sendWhole(refusalAnswer(new Refusal("route.not_found"), id), { id, response });
  return nothingMore();
}
