/** Admits a request: its credential, its rate limit, and then its body. */
import { budgetHeaders, requireLeft } from "../budget/rate-limit.ts";
import type { RateLimiter } from "../budget/rate-limit.ts";
import type { Authenticate, Credential } from "../credential.ts";
import { requireCredential } from "./bearer.ts";
import { readArrived, readBody } from "./body.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import { guessLocationId } from "./location-id.ts";

interface Admission {
  readonly authenticate: Authenticate;
  readonly limitFailures: RateLimiter;
  readonly limitRequests: RateLimiter;
  /** In bytes. */
  readonly bodyLimit: number;
}

interface AdmissionOptions {
  readonly hasBody: boolean;
  /** Tables that one row each will be inserted into, if the body has arrived: a record that arrives much later would appear older than it is. */
  readonly inserts?: readonly string[];
  /** Called with the headers of the rate limit, which a refusal has, too. */
  readonly counted: (headers: Record<string, string>) => void;
}

/** The location that the request names is looked up along with the credential. Without a body, its bytes are none. */
export async function admitRequest(
  admission: Admission,
  request: IncomingRequest,
  { hasBody, inserts = [], counted }: AdmissionOptions,
): Promise<{ readonly credential: Credential; readonly bytes: Buffer }> {
  const { limitRequests, bodyLimit } = admission;
  const authenticate = (bytes: Buffer | undefined, ahead: readonly string[] = []): Promise<Credential> =>
    requireCredential(admission, request, { locationId: guessLocationId(request, bytes), inserts: ahead });

  const arrived = hasBody ? await readArrived(request.message, bodyLimit) : undefined;
  const credential = await authenticate(arrived, arrived === undefined ? [] : inserts);
  request.actor = credential.identity.actor;
  const budget = await limitRequests(credential.holder);
  counted(budgetHeaders(budget));
  requireLeft(budget);
  if (arrived !== undefined || !hasBody) return { credential, bytes: arrived ?? Buffer.alloc(0) };
  const bytes = await readBody(request.message, bodyLimit);
  // Again after a body that took its time: the credential may have been revoked meanwhile.
  return { credential: await authenticate(bytes), bytes };
}
