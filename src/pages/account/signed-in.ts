/** The response to a step of a sign-in: the second step, setting up a second factor where it is required, or on to the target. */
import type { WholeResponse } from "../../http/http-response.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import { endSession, findSession } from "../../tenancy/sessions/session.service.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import type { Browser, SignInStep } from "../../tenancy/sessions/sign-in.service.ts";
import { findWithheldWorkspaces } from "../../tenancy/two-factor/second-factor.queries.ts";
import { redirectAnswer } from "../page-answer.ts";
import type { Site } from "../site.ts";
import type { SignedInDeps } from "./account-deps.ts";
import { endedPendingCookie, marksCookie, pendingCookie, readMarks, sessionCookie } from "../visit.ts";
import type { Visit } from "../visit.ts";

interface TakenStep {
  readonly step: SignInStep;
  readonly visit: Visit;
  readonly email: string;
  readonly continueTo: `/${string}`;
}

/** A browser is marked as known only with a session: after both steps. */
export async function answerStep(
  deps: SignedInDeps,
  request: IncomingRequest,
  { step, visit, email, continueTo }: TakenStep,
): Promise<WholeResponse> {
  const { site, browsers } = deps;
  if ("pending" in step) {
    const cookie = pendingCookie(site, step.pending);
    return redirectAnswer(withContinue(site, "/sign-in/code", continueTo), { "set-cookie": [cookie] });
  }
  if (visit.session !== undefined) await endSession(deps, visit.session);
  const session = await findSession(deps, step.session);
  const target = session === undefined ? site.path(continueTo) : await wayOn(deps, session, continueTo);
  return redirectAnswer(target, {
    "set-cookie": [
      sessionCookie(site, step.session),
      marksCookie(site, browsers.mark(readMarks(site, request), email)),
      endedPendingCookie(site),
    ],
  });
}

/** To the target; to two-factor sign-in first, where a workspace of the person waits for it. */
export async function wayOn(
  { site, database }: Pick<SignedInDeps, "site" | "database">,
  { userId }: Pick<Session, "userId">,
  continueTo: `/${string}`,
): Promise<string> {
  const withheld = await findWithheldWorkspaces(database, userId);
  return withheld.length > 0 ? withContinue(site, "/me/two-factor", continueTo) : site.path(continueTo);
}

export function withContinue(site: Site, path: `/${string}`, continueTo: string): string {
  return continueTo === "/" ? site.path(path) : `${site.path(path)}?continue=${encodeURIComponent(continueTo)}`;
}

export function browserOf(request: IncomingRequest): Browser {
  return { userAgent: request.header("user-agent") ?? null, address: request.address };
}

const targets = [
  // An app's authorization request, and a paid install.
  /^\/oauth\/(authorize\?[!-~]*|installs\/\w+)$/,
  // An invitation; work pages, and those of the person.
  /^\/invitation\/\w+$/,
  /^\/(?:[wl]\/\d+|me)(?:\/[\w.-]+)*(?:\?[!-~]*)?$/,
];

/** The redirect target after sign-in: one of `targets`, or the start page. */
export function readContinue(path: string | null): `/${string}` {
  const isKnown = path !== null && targets.some((target) => target.test(path)) && !path.includes("\\");
  return isKnown ? (path as `/${string}`) : "/";
}
