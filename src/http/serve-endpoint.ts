/** Serves a request below /api/v1, with the checks in the documented order. */
import { hash } from "node:crypto";
import type { Identity, CallAs } from "../events/call-as.ts";
import type { Caller, Change, LocationContext } from "../events/caller.ts";
import { sliceHolderOf } from "../events/read-queue.ts";
import { toId } from "../kit/input/id.ts";
import { toJson } from "../kit/json-text.ts";
import type { TextPieces } from "../kit/json/text-pieces.ts";
import { hasLongLists, writeInPieces } from "../kit/json/long-lists.ts";
import { yieldToEventLoop } from "../kit/waiting/fair-lock.ts";
import { carryOutRow } from "../operation/carry-out.ts";
import type { IdempotencyStore, OperationDeps } from "../operation/carry-out.ts";
import { tablesAheadOf } from "../operation/ids-ahead.ts";
import { Outcome } from "../operation/outcome.ts";
import { isWhole, redact } from "../operation/redaction.ts";
import { answersRecord } from "../operation/shown-record.ts";
import type { JudgeState } from "../operation/shown-record.ts";
import { Refusal } from "../vocabulary/errors.ts";
import { jsonResponse } from "./http-response.ts";
import type { HttpResponse, TextResponse } from "./http-response.ts";
import type { RateLimiter } from "./budget/rate-limit.ts";
import type { Authenticate, Credential } from "./credential.ts";
import { apiPrefix, takesPreconditions } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { readEndpointInput } from "./endpoint-input.ts";
import { failureAnswer } from "./failures.ts";
import { hashFile } from "./idempotency/hashed-file.ts";
import { AlreadyAnswered, claimKey, findAnswer, keepAnswer, releaseKey, toClaim } from "./idempotency/idempotency.ts";
import type { Claim } from "./idempotency/idempotency.ts";
import { settleLease, underKeyLease } from "./idempotency/key-lease.ts";
import type { KeyLease } from "./idempotency/key-lease.ts";
import { conditionalResponse, readPreconditions, requirePreconditions, toRecordTag } from "./request/preconditions.ts";
import type { Preconditions } from "./request/preconditions.ts";
import { admitRequest } from "./request/admission.ts";
import { requireCredential } from "./request/bearer.ts";
import { discardRest, parseJson } from "./request/body.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { guessLocationId, isMisplaced, missingLocation, readLocationId } from "./request/location-id.ts";
import { openUpload } from "./request/uploaded-file.ts";
import type { UploadedFile } from "./request/uploaded-file.ts";
import { downloadAnswer } from "./response/download.ts";
import { isStrict, strictApplied, unknownFieldsHeader } from "./strict-input.ts";

/** Dependencies of the kit, which knows no resources. */
export interface EndpointContext {
  readonly authenticate: Authenticate;
  /** The location, if `identity` may access it. */
  readonly locate: (identity: Omit<Identity, "location">, id: number) => Promise<LocationContext | undefined>;
  readonly callAs: CallAs;
  /** Dependencies of operations. */
  readonly deps: Omit<OperationDeps, "report">;
  /** Counts one request against a holder's budget. */
  readonly limitRequests: RateLimiter;
  /** Counts one failed authentication against an address. */
  readonly limitFailures: RateLimiter;
  /** In bytes. */
  readonly bodyLimit: number;
  readonly report: (error: unknown, request: IncomingRequest) => void;
}

export async function serveEndpoint(
  context: EndpointContext,
  endpoint: Endpoint,
  request: IncomingRequest,
): Promise<HttpResponse> {
  let headers: Record<string, string> = {};

  const requireStill = async (): Promise<void> => {
    const { place } = await requireCredential(context, request, { locationId: guessLocationId(request, undefined) });
    if (place === undefined) throw new Refusal("location.not_found");
  };

  try {
    const { credential, bytes } = await admitRequest(context, request, {
      hasBody: takesBody(endpoint),
      inserts: tablesAheadOf(endpoint.operation),
      counted: (budget) => (headers = { ...budget, ...(isStrict(request) ? strictApplied : {}) }),
    });
    const answer = await serveAuthenticated(context, endpoint, request, { credential, bytes, requireStill });
    return { ...answer, headers: { ...answer.headers, ...headers } };
  } catch (error) {
    return failureAnswer(error, request, { report: (fault) => context.report(fault, request), headers });
  } finally {
    if (endpoint.fileBytes !== undefined) discardRest(request.message);
  }
}

/** Whether it has a body of JSON. */
function takesBody({ method, fileBytes }: Endpoint): boolean {
  return method !== "GET" && fileBytes === undefined;
}

interface Authenticated {
  readonly credential: Credential;
  readonly bytes: Buffer;
  /** Refuses what the credential may no longer do. */
  readonly requireStill: () => Promise<void>;
}

async function serveAuthenticated(
  context: EndpointContext,
  endpoint: Endpoint,
  request: IncomingRequest,
  { credential, bytes, requireStill }: Authenticated,
): Promise<HttpResponse> {
  const body = takesBody(endpoint) ? parseJson(request.message, bytes) : undefined;

  const preconditions = takesPreconditions(endpoint) ? readPreconditions(request) : undefined;
  const key = endpoint.keepsAnswer ? request.header("idempotency-key") : undefined;
  const { fileBytes } = endpoint;
  const upload = fileBytes === undefined ? undefined : await openUpload(request.message, fileBytes, requireStill);
  const hashed = upload && key !== undefined ? hashFile(upload.content, besideFile(request, upload)) : undefined;
  const file = upload && { ...upload, content: hashed?.content ?? upload.content };

  const location = await locate(context, endpoint, request, credential, body);
  // A workspace operation declares that its location may be null; all others have one.
  const caller = context.callAs<LocationContext>({
    ...credential.identity,
    location: location as LocationContext,
    trace: request.trace,
    address: request.address,
  });
  const ids = Object.fromEntries(endpoint.parameters.map(([name, noun]) => [noun, request.parameters[name]]));
  const result = await carryOutRow(
    endpoint.operation,
    caller,
    {
      ids,
      read: () => readEndpointInput(endpoint, request, body, file),
      judge: preconditions && endpoint.method !== "GET" ? judgeBy(preconditions, endpoint) : undefined,
    },
    { ...context.deps, report: (error) => context.report(error, request) },
    key === undefined
      ? undefined
      : createStore(endpoint, caller, {
          holder: credential.holder,
          operation: operationOf(endpoint, request),
          key,
          hashInput: hashed?.hash ?? (async () => hash("sha256", bytes, "hex")),
        }),
  );
  if (endpoint.download !== undefined && result instanceof Outcome)
    return downloadAnswer(endpoint.download.open(caller, result.body, context.deps.network), {
      contentType: endpoint.download.contentType,
      holder: sliceHolderOf(caller),
      headers: unknownFieldsHeader(endpoint, request, body),
    });
  const plain = result instanceof Outcome ? await renderInPieces(endpoint, result) : result;
  const { record } = endpoint.operation;
  const tag = answersRecord(endpoint.operation)
    ? await toRecordTag(plain.body as string | TextPieces, record?.counters)
    : undefined;
  const answer =
    tag === undefined || preconditions === undefined || endpoint.method !== "GET"
      ? plain
      : conditionalResponse(plain as TextResponse, preconditions, tag);
  const unknown = unknownFieldsHeader(endpoint, request, body);
  return {
    ...answer,
    compressible: endpoint.isCompressible ? "always" : undefined,
    headers: { ...(tag === undefined ? {} : { etag: tag }), ...answer.headers, ...unknown },
  };
}

function judgeBy(preconditions: Preconditions, { operation: { record } }: Endpoint): JudgeState {
  return async (state) => {
    const text = hasLongLists(state) ? await writeInPieces(state, "change") : toJson(state);
    requirePreconditions(preconditions, await toRecordTag(text, record?.counters, yieldToEventLoop));
  };
}

/** The rest of the input: the boundary of a form differs in each request. */
function besideFile({ query }: IncomingRequest, { name, contentType }: UploadedFile): string {
  return JSON.stringify([[...query], name, contentType]);
}

/** Stores the response under the request's Idempotency-Key. */
function createStore(
  endpoint: Endpoint,
  caller: Caller<LocationContext>,
  given: Claim,
): IdempotencyStore<HttpResponse> {
  // Validated after the scope, like all other input.
  let claim: Claim | undefined;
  let lease: KeyLease | undefined;
  const findShown = async (of: Claim) => {
    const answer = await findAnswer(caller, of);
    return answer && redactAnswer(endpoint, caller, answer);
  };
  return {
    async find() {
      claim = toClaim(given);
      return claim && findShown(claim);
    },
    async hold(steps) {
      const held = claim;
      if (held === undefined) return steps();
      return underKeyLease<Outcome | HttpResponse>(
        caller,
        held,
        () => findShown(held),
        (given) => {
          lease = given;
          return steps();
        },
      );
    },
    async commit(work, size) {
      const commit = async (change: Change<LocationContext>): Promise<HttpResponse> => {
        if (claim !== undefined)
          await (lease === undefined ? claimKey(change, claim) : settleLease(change, claim, lease));
        const outcome = await work(change);
        const answer = render(endpoint, outcome);
        if (claim === undefined) return answer;
        if (outcome.isUnchanged) await releaseKey(change, claim);
        else await keepAnswer(change, claim, answer.status, answer.body);
        return answer;
      };
      try {
        return await caller.change(commit, size);
      } catch (error) {
        if (claim === undefined || !(error instanceof AlreadyAnswered)) throw error;
        const earlier = await findShown(claim);
        if (earlier === undefined) throw new Refusal("request_in_progress");
        return earlier;
      }
    },
  };
}

/** A stored response for the caller: all tokens of an app at a location share a key, and another one may have had more scopes. */
function redactAnswer(
  { operation: { gives } }: Endpoint,
  { grant }: Caller<LocationContext>,
  answer: TextResponse,
): TextResponse {
  if (gives === null || answer.body === null || isWhole(gives, grant)) return answer;
  return { ...answer, body: toJson(redact(gives, grant, JSON.parse(answer.body))) };
}

/**
 * The location of the request. Refuses `location.not_found` if it is missing but required, malformed, of another
 * workspace, or outside of the credential's access (specification, "Errors").
 */
async function locate(
  context: EndpointContext,
  { operation, fileBytes }: Endpoint,
  request: IncomingRequest,
  credential: Credential,
  body: unknown,
): Promise<LocationContext | null> {
  const inQuery = request.method === "GET" || request.method === "HEAD" || fileBytes !== undefined;
  const id = readLocationId(request, body, inQuery);
  if (id === undefined && operation.within === "workspace" && !isMisplaced(request, inQuery)) return null;
  if (id === undefined) throw missingLocation(request, body, inQuery);
  const known = credential.place;
  const place = known?.id === id ? known : await context.locate(credential.identity, id);
  if (place === undefined) throw new Refusal("location.not_found");
  return place;
}

/** The scope of an Idempotency-Key: method and normalized path. */
function operationOf({ method, path }: Endpoint, { parameters }: IncomingRequest): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return String(toId(parameters[name]) ?? parameters[name]);
  });
  return `${method} ${apiPrefix}${named}`;
}

function render(endpoint: Endpoint, outcome: Outcome): TextResponse {
  return answerOf<string>(endpoint, outcome, outcome.body === null ? null : toJson(outcome.body));
}

/** The same, so that a long list does not hold the event loop. */
async function renderInPieces(endpoint: Endpoint, outcome: Outcome): Promise<TextResponse<string | TextPieces>> {
  return hasLongLists(outcome.body)
    ? answerOf(endpoint, outcome, await writeInPieces(outcome.body))
    : render(endpoint, outcome);
}

function answerOf<T extends string | TextPieces>({ statuses }: Endpoint, outcome: Outcome, text: T | null) {
  return jsonResponse(outcome.isPending ? statuses.pending : outcome.isNew ? statuses.created : statuses.found, text);
}
