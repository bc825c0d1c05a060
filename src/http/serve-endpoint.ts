/** The road of a request below /api/v1, with the checks in the order that the API promises. */
import type { Identity, CallAs } from "../events/call-as.ts";
import type { Caller, Change, Place, Reader } from "../events/caller.ts";
import type { Outside } from "../outbound/outside.ts";
import type { ChangeSize } from "../storage/database.ts";
import { rowFaultOf } from "../storage/faults.ts";
import { Invalid, Refusal, TooManyRequests } from "../vocabulary/errors.ts";
import { grants } from "../vocabulary/scopes.ts";
import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { isInHand, parseJson, readBody } from "./request/body.ts";
import type { Authenticate, Credential } from "./credential.ts";
import { authenticateBearer } from "./request/bearer.ts";
import { apiPrefix } from "./endpoint.ts";
import type { Endpoint, Finder, Noun, Reply } from "./endpoint.ts";
import { readEndpointInput } from "./endpoint-input.ts";
import { AlreadyAnswered, claimKey, findAnswer, keepAnswer, releaseKey, toClaim } from "./idempotency/idempotency.ts";
import type { Claim } from "./idempotency/idempotency.ts";
import type { IncomingRequest } from "./request/incoming-request.ts";
import { guessLocationId, missingLocation, readLocationId } from "./request/location-id.ts";
import { budgetHeaders } from "./budget/rate-limit.ts";
import type { Spend } from "./budget/rate-limit.ts";
import { toId } from "../kit/input/id.ts";
import { toJson } from "../kit/json-text.ts";
import { isStrict, strictApplied } from "./strict-input.ts";
import { failureAnswer } from "./failures.ts";

/** What the kit is handed, since it knows no resource. */
export interface EndpointContext {
  readonly authenticate: Authenticate;
  /** The location, when it is one that `identity` may see. */
  readonly locate: (identity: Omit<Identity, "location">, id: number) => Promise<Place | undefined>;
  readonly callAs: CallAs;
  /** For steps before a change alone: nothing that leaves the process happens inside of one. */
  readonly outside: Outside;
  /** Spends one request of a holder's budget. */
  readonly spend: Spend;
  /** Spends one failed authentication of an address. */
  readonly spendFailure: Spend;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly report: (error: unknown, request: IncomingRequest) => void;
}

export async function serveEndpoint(
  context: EndpointContext,
  endpoint: Endpoint,
  request: IncomingRequest,
): Promise<Answer> {
  let headers: Record<string, string> = {};
  try {
    const early = await readEarly(context, endpoint, request);
    // Lists are in the order of ids: what comes long after would be shown as older than it is.
    const inserts = early === undefined ? [] : endpoint.inserts;
    const next = { locationId: guessLocationId(request, early), inserts };
    const credential = await authenticateBearer(context.authenticate, request, next);
    if ("challenge" in credential) {
      const failures = await context.spendFailure(request.address);
      if (failures?.allowed === false) throw new TooManyRequests(failures.resetSeconds);
      headers = { "www-authenticate": credential.challenge };
      throw new Refusal("invalid_api_key", {}, { detail: credential.why });
    }
    request.actor = credential.identity.actor;
    const budget = await context.spend(credential.holder);
    headers = { ...budgetHeaders(budget), ...(isStrict(request) ? strictApplied : {}) };
    if (budget?.allowed === false) throw new TooManyRequests(budget.resetSeconds);
    const answer = await serveAuthenticated(context, endpoint, request, credential, early);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  } catch (error) {
    return failureAnswer(error, request, { report: (fault) => context.report(fault, request), headers });
  }
}

/** The body where that waits for nobody: what it names is looked up with the credential. Nothing of it is judged before that. */
async function readEarly(
  { bodyLimit }: EndpointContext,
  endpoint: Endpoint,
  { message }: IncomingRequest,
): Promise<Buffer | undefined> {
  if (!takesBody(endpoint)) return undefined;
  // What came with the head is handed over behind it.
  await undefined;
  return isInHand(message, bodyLimit) ? readBody(message, bodyLimit) : undefined;
}

function takesBody({ method }: Endpoint): boolean {
  return method !== "GET";
}

async function serveAuthenticated(
  context: EndpointContext,
  endpoint: Endpoint,
  request: IncomingRequest,
  credential: Credential,
  early: Buffer | undefined,
): Promise<Answer> {
  const bytes = early ?? (takesBody(endpoint) ? await readBody(request.message, context.bodyLimit) : Buffer.alloc(0));
  const body = takesBody(endpoint) ? parseJson(request.message, bytes) : undefined;

  const location = await locate(context, endpoint, request, credential, body);
  if (endpoint.scope !== null && !grants(credential.identity.grant.scopes, endpoint.scope)) {
    throw new Refusal("insufficient_scope", { required_scope: endpoint.scope });
  }
  // A handler of a workspace endpoint declares that its location may be null; all others have one.
  const caller = context.callAs<Place>({ ...credential.identity, location: location as Place });

  const key = endpoint.keepsAnswer ? request.header("idempotency-key") : undefined;
  const claim = key === undefined ? undefined : toClaim(credential.holder, operationOf(endpoint, request), key, bytes);
  if (claim !== undefined) {
    const earlier = await findAnswer(caller, claim);
    if (earlier !== undefined) return earlier;
  }

  const given = await readGiven(caller, endpoint, request, body);

  if (endpoint.read !== undefined) return render(await endpoint.read(caller, given));
  if (endpoint.before !== undefined) given["before"] = await endpoint.before(caller, given, context.outside);
  const handle = endpoint.change!;
  const size = endpoint.size(given);
  try {
    return await carryOut(caller, claim, size, (change) => handle(change, given));
  } catch (error) {
    if (endpoint.mend === undefined || rowFaultOf(error) === undefined) throw error;
    context.report(error, request);
    const mended = { ...given, input: await endpoint.mend(caller, given) };
    return await carryOut(caller, claim, size, (change) => handle(change, mended));
  }
}

/** One change, and with it the answer that is kept for the Idempotency-Key, or the answer that is kept for it already. */
async function carryOut(
  caller: Caller<Place>,
  claim: Claim | undefined,
  size: ChangeSize,
  handle: (change: Change<Place>) => Promise<Reply>,
): Promise<Answer> {
  if (claim === undefined) return render(await caller.change(handle, size));
  try {
    return await caller.change(async (change: Change<Place>) => {
      await claimKey(change, claim);
      const { status, body: rendered, isUnchanged } = await handle(change);
      const text = rendered === null ? null : toJson(rendered);
      if (isUnchanged === true) await releaseKey(change, claim);
      else await keepAnswer(change, claim, status, text);
      return jsonAnswer(status, text);
    }, size);
  } catch (error) {
    if (!(error instanceof AlreadyAnswered)) throw error;
    const earlier = await findAnswer(caller, claim);
    if (earlier === undefined) throw new Refusal("request_in_progress");
    return earlier;
  }
}

/**
 * The location that the request names. Refuses `location.not_found` for one that is missing where it is required,
 * malformed, of another workspace, or outside what the credential may see (specification, "Errors").
 */
async function locate(
  context: EndpointContext,
  endpoint: Endpoint,
  request: IncomingRequest,
  credential: Credential,
  body: unknown,
): Promise<Place | null> {
  const id = readLocationId(request, body);
  if (id === undefined && endpoint.within === "workspace") return null;
  if (id === undefined) throw missingLocation(request, body);
  const known = credential.place;
  const place = known?.id === id ? known : await context.locate(credential.identity, id);
  if (place === undefined) throw new Refusal("location.not_found");
  return place;
}

/** What the path, the query and the body give. Of several faults a record that the path names and that is not there is told first. */
async function readGiven(
  caller: Caller<Place>,
  endpoint: Endpoint,
  request: IncomingRequest,
  body: unknown,
): Promise<Record<string, unknown>> {
  try {
    return {
      ...(await findRecords(caller, endpoint, request)),
      ...readEndpointInput(endpoint, request, body),
    };
  } catch (error) {
    if (error instanceof Refusal || error instanceof Invalid) await requireHeld(caller, endpoint, request, error);
    throw error;
  }
}

/** What an Idempotency-Key is kept for: the method and the path that names the same records, however it was spelled. */
function operationOf({ method, path }: Endpoint, { parameters }: IncomingRequest): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return String(toId(parameters[name]) ?? parameters[name]);
  });
  return `${method} ${apiPrefix}${named}`;
}

type Finders = [name: Noun, finder: Finder<unknown, Place>][];

/** What the change holds itself is not looked up: of that there is the id alone. */
async function findRecords(
  reader: Reader<Place>,
  { find: finders }: Endpoint,
  { parameters }: IncomingRequest,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, { parameter, find, held }] of Object.entries(finders) as Finders) {
    const id = toId(parameters[parameter]);
    const record = id === undefined ? undefined : held === undefined ? await find(reader, id) : held(id);
    if (record === undefined) throw new Refusal(`${name}.not_found`);
    found[name] = record;
  }
  return found;
}

/** Of what the change would have held, refuses the first that is not there and stands in the path before what `told` is about. */
async function requireHeld(
  reader: Reader<Place>,
  { find: finders }: Endpoint,
  { parameters }: IncomingRequest,
  told: Refusal | Invalid,
): Promise<void> {
  for (const [name, { parameter, find, held }] of Object.entries(finders) as Finders) {
    const refusal = new Refusal(`${name}.not_found`);
    if (told instanceof Refusal && told.code === refusal.code) return;
    if (held === undefined) continue;
    const id = toId(parameters[parameter]);
    if (id === undefined || (await find(reader, id)) === undefined) throw refusal;
  }
}

function render({ status, body }: Reply): Answer {
  return jsonAnswer(status, body === null ? null : toJson(body));
}
