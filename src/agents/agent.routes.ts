/**
 * POST /mcp: the Model Context Protocol over Streamable HTTP, stateless: each request is answered by itself. It has the credentials, rate
 * limits and operations of the API.
 */
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { CallAs, Identity } from "../events/call-as.ts";
import type { LocationContext } from "../events/caller.ts";
import type { OperationDeps } from "../operation/carry-out.ts";
import type { Authenticate, Credential } from "../http/credential.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { describeFailure, failureAnswer } from "../http/failures.ts";
import { jsonResponse } from "../http/http-response.ts";
import type { HttpResponse } from "../http/http-response.ts";
import type { RateLimiter } from "../http/budget/rate-limit.ts";
import { admitRequest } from "../http/request/admission.ts";
import { parseJson } from "../http/request/body.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { route } from "../http/route.ts";
import type { Route } from "../http/route.ts";
import type { Links } from "../kit/links.ts";
import { Refusal } from "../vocabulary/errors.ts";
import type { AgentSession } from "./agent-session.ts";
import { readDirectMessage } from "./direct/direct-message.ts";
import { isTooLarge, mostValues } from "./message-size.ts";
import { resourceRoutes, withMetadata } from "./protected-resource.ts";
import type { AgentTools } from "./tools.ts";

export interface AgentDeps {
  readonly version: string;
  readonly endpoints: readonly Endpoint[];
  readonly links: Links;
  /** The origins whose pages may use it, beside the service's own; `*`: every one. */
  readonly origins: readonly string[];
  readonly authenticate: Authenticate;
  readonly callAs: CallAs;
  readonly deps: Omit<OperationDeps, "report">;
  readonly locate: (identity: Omit<Identity, "location">, id: number) => Promise<LocationContext | undefined>;
  readonly locateOnly: (identity: Omit<Identity, "location">) => Promise<LocationContext | undefined>;
  readonly limitRequests: RateLimiter;
  readonly limitFailures: RateLimiter;
  /** In bytes. */
  readonly bodyLimit: number;
  readonly report: (error: unknown, request: IncomingRequest) => void;
}

export function agentRoutes(deps: AgentDeps): Route[] {
  const open = createOpener(deps);

  async function serve(request: IncomingRequest): Promise<HttpResponse> {
    let headers: Record<string, string> = {};

    try {
      requireOrigin(deps, request);
      const { credential, bytes } = await admitRequest(deps, request, {
        hasBody: true,
        counted: (budget) => (headers = budget),
      });
      const message = parseJson(request.message, bytes);
      if (message === undefined) throw new Refusal("invalid_json");
      const answer = refuseMessage(message) ?? (await open(request, message, toSession(deps, credential, request)));
      return { ...answer, headers: { ...answer.headers, ...headers } };
    } catch (error) {
      const answer = failureAnswer(error, request, { report: (fault) => deps.report(fault, request), headers });
      return withMetadata(answer, deps.links);
    }
  }

  return [
    route({
      method: "POST",
      path: "/mcp",
      summary: "Serves agents: the Model Context Protocol over Streamable HTTP.",
      serve,
    }),
    ...resourceRoutes(deps.links),
  ];
}

/** Judges the Origin of a browser: a page that resolves its own name to this service must not reach it (DNS rebinding). */
function requireOrigin({ links, origins }: AgentDeps, request: IncomingRequest): void {
  const origin = request.header("origin");
  if (origin === undefined || origins.includes("*") || origins.includes(origin)) return;
  if (origin !== new URL(links.to("/")).origin) throw new Refusal("origin_not_allowed");
}

/**
 * The answer to a message that the protocol allows and this service does not take: several in one, which would count as one request,
 * streams of changes, which would stay open, and one whose validation would hold up other requests.
 */
function refuseMessage(message: unknown): HttpResponse | undefined {
  if (Array.isArray(message))
    return toRpcError(null, -32_600, "Batches are not supported: send one message per request.");
  const { method, id: given } = (message ?? {}) as { method?: unknown; id?: unknown };
  const id = typeof given === "string" || typeof given === "number" ? given : null;
  if (isTooLarge(message))
    return toRpcError(id, -32_600, `A message has at most ${mostValues} values, those in the arguments not counted.`);
  return method === "subscriptions/listen"
    ? toRpcError(id, -32_601, "This service sends no notifications.")
    : undefined;
}

function toRpcError(id: string | number | null, code: number, message: string): HttpResponse {
  return jsonResponse(400, JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
}

function toSession(deps: AgentDeps, { identity, place }: Credential, request: IncomingRequest): AgentSession {
  return {
    identity: { ...identity, address: request.address },
    callAs: deps.callAs,
    deps: { ...deps.deps, report: (error) => deps.report(error, request) },
    locate: async (id) => (place?.id === id ? place : deps.locate(identity, id)),
    onlyLocation: () => deps.locateOnly(identity),
  };
}

type Answer = (request: IncomingRequest, message: unknown, session: AgentSession) => Promise<HttpResponse>;

/** Answers direct messages by itself, and all others by the SDK. Both are loaded at the first request: starting does not wait for them. */
function createOpener(deps: AgentDeps): Answer {
  const loadTools = once(async () => (await import("./tools.ts")).createTools(deps.endpoints));
  const answerBySdk = createSdkAnswer(deps, loadTools);
  const load = once(async () => {
    const [{ answerDirectly }, tools] = await Promise.all([import("./direct/direct-answer.ts"), loadTools()]);
    return { answerDirectly, tools };
  });
  return async (request, message, session) => {
    const direct = readDirectMessage(message, request.message.headers);
    if (direct === undefined) return answerBySdk(request, message, session);
    const { answerDirectly, tools } = await load();
    const answer = await answerDirectly(direct, {
      version: deps.version,
      tools,
      session,
      describeFailure: (error) => describeFailure(error, request.id, (fault) => deps.report(fault, request)),
    });
    return answer ?? answerBySdk(request, message, session);
  };
}

function createSdkAnswer(deps: AgentDeps, tools: () => Promise<AgentTools>): Answer {
  const sessions = new WeakMap<Request, { readonly session: AgentSession; readonly request: IncomingRequest }>();

  const load = once(async (): Promise<McpHttpHandler> => {
    const [{ createMcpHandler }, { createAgentServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./agent-server.ts"),
    ]);
    return createMcpHandler(({ requestInfo }) => {
      const { session, request } = sessions.get(requestInfo!)!;
      return createAgentServer({
        version: deps.version,
        tools,
        session: async () => session,
        describeFailure: (error) => describeFailure(error, request.id, (fault) => deps.report(fault, request)),
      });
    });
  });

  return async (request, message, session) => {
    const handler = await load();
    const gone = new AbortController();
    const abort = () => gone.abort();
    request.response.once("close", abort);
    try {
      const { authorization: _secret, ...headers } = request.message.headers;
      const asked = new Request("http://localhost/mcp", {
        method: "POST",
        headers: headers as Record<string, string>,
        signal: gone.signal,
      });
      sessions.set(asked, { session, request });
      return await toHttpResponse(await handler.fetch(asked, { parsedBody: message }));
    } finally {
      request.response.off("close", abort);
    }
  };
}

/** Loads on the first call, and gives the same to each. */
function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () => (loaded ??= load());
}

/** The body is whole: one message, also where it is framed as an event stream. */
async function toHttpResponse(response: Response): Promise<HttpResponse> {
  const type = response.headers.get("content-type");
  const text = await response.text();
  return {
    status: response.status,
    headers: type === null ? {} : { "content-type": type, "cache-control": "no-store" },
    body: text === "" ? null : text,
  };
}
