/** Routes of one's own account, below /me: without a session to sign-in and back. */
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import type { Route } from "../../http/route.ts";
import type { OperationDeps } from "../../operation/carry-out.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { AccountRouteDeps } from "../account/account-deps.ts";
import { withContinue } from "../account/signed-in.ts";
import { redirectAnswer } from "../page-answer.ts";
import { pageRoutes } from "../page.route.ts";
import type { CallAs } from "../../events/call-as.ts";
import { readMarks } from "../visit.ts";
import type { Visit } from "../visit.ts";

export interface MeRouteDeps extends Pick<
  AccountRouteDeps,
  "site" | "database" | "clock" | "vault" | "browsers" | "attempts" | "mailSecondFactor"
> {
  readonly callAs: CallAs;
  readonly operating: OperationDeps;
}

/** The signed-in person of a request. */
export interface Me {
  readonly session: Session;
  readonly formToken: string;
}

interface MeRoute {
  readonly path: `/${string}`;
  readonly summary: string;
}

type RouteWork<More extends unknown[] = []> = (
  me: Me,
  request: IncomingRequest,
  ...more: More
) => Promise<WholeResponse>;

export function meRoutes(deps: MeRouteDeps): {
  shown(description: MeRoute & { readonly show: RouteWork }): Route;
  sent(description: MeRoute & { readonly take: RouteWork<[fields: URLSearchParams]> }): Route;
} {
  const { shown, sent } = pageRoutes(deps);
  const signIn = (path: string) => redirectAnswer(withContinue(deps.site, "/sign-in", path));
  const isSignedIn = (visit: Visit): visit is Visit & Me => visit.session !== undefined;
  return {
    shown: ({ show, ...description }) =>
      shown({
        ...description,
        show: async (visit, request) => (isSignedIn(visit) ? show(visit, request) : signIn(description.path)),
      }),
    sent: ({ take, ...description }) =>
      sent({
        ...description,
        take: async (visit, request, fields) => (isSignedIn(visit) ? take(visit, request, fields) : signIn("/me")),
      }),
  };
}

/** Field → its error. */
export type PageFaults = Readonly<Record<string, string | undefined>>;

/** Runs `work`; invalid fields lead to the page again. */
export async function orAgain(
  work: () => Promise<WholeResponse>,
  again: (faults: PageFaults) => Promise<WholeResponse>,
): Promise<WholeResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return again(Object.fromEntries(Object.entries(error.errors).map(([name, [first]]) => [name, first])));
  }
}

/** Counts an attempt at one's own password; returns a function to call on success. Throws TooManyRequests. */
export function beginPassword(
  { site, browsers, attempts }: MeRouteDeps,
  { session: { email } }: Me,
  request: IncomingRequest,
): Promise<() => Promise<void>> {
  const browser = browsers.idOf(readMarks(site, request), email);
  return attempts.signIn({ address: request.address, email, browser });
}

/** The same for a code of one's second factor. */
export function beginCode(
  { site, browsers, attempts }: MeRouteDeps,
  { session: { email, userId } }: Me,
  request: IncomingRequest,
): Promise<() => Promise<void>> {
  return attempts.code({ userId, browser: browsers.idOf(readMarks(site, request), email) });
}

/** The person, the session, and the IP address of the browser, for services that write an audit entry. */
export function holderOf({ session }: Me, { address }: IncomingRequest): Session & { readonly address: string } {
  return { ...session, address };
}
