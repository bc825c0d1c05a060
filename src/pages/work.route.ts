/**
 * Routes of work pages, below /w/{workspace} and /l/{location}: without a session to sign-in and back, another tenant's
 * id is 404, and too low a role is 403. Pages receive a caller and carry out operations; they build no identity.
 */
import { isDeepStrictEqual } from "node:util";
import type { LocationContext } from "../events/caller.ts";
import type { HttpResponse, WholeResponse } from "../http/http-response.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import type { Route } from "../http/route.ts";
import { toId } from "../kit/input/id.ts";
import { requirePermission, rolesThatMay } from "../operation/permission.ts";
import type { May } from "../operation/permission.ts";
import type { Session } from "../tenancy/sessions/session.service.ts";
import { isWithheldAt } from "../tenancy/two-factor/second-factor.queries.ts";
import { findWhomToAsk } from "../tenancy/users/user.queries.ts";
import { Refusal } from "../vocabulary/errors.ts";
import { lostFormPage } from "./account/lost-form.page.ts";
import { withContinue } from "./account/signed-in.ts";
import { asPersonInLocation, asPersonInWorkspace } from "./as-person.ts";
import type { AsPerson, AsPersonDeps } from "./as-person.ts";
import { forbiddenPage } from "./console/forbidden.page.ts";
import { Html } from "./html.ts";
import { pageAnswer, redirectAnswer, taggedPage } from "./page-answer.ts";
import { pageRoutes } from "./page.route.ts";
import { receive } from "./visit.ts";
import type { Visit } from "./visit.ts";

export interface WorkRoute {
  /** Below the workspace or the location: `/keys/{key}/rotate`. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** The operation that the page is for: its permission is that of the page. */
  readonly may: { readonly may: May; readonly noun: string };
}

interface WorkShow<Where extends LocationContext | null> extends WorkRoute {
  /** A page, or a response such as a redirect. `stillMay`: whether the session, the membership and the permission have not changed. */
  readonly show: (
    here: AsPerson<Where>,
    request: IncomingRequest,
    stillMay: () => Promise<boolean>,
  ) => Promise<Html | HttpResponse>;
}

interface WorkForm<Where extends LocationContext | null> extends WorkRoute {
  readonly take: (here: AsPerson<Where>, request: IncomingRequest, fields: URLSearchParams) => Promise<WholeResponse>;
}

/** Declares the routes of one kind of work page. */
export interface WorkRoutes<Where extends LocationContext | null> {
  shown(description: WorkShow<Where>): Route;
  sent(description: WorkForm<Where>): Route;
}

export function workRoutes(deps: AsPersonDeps): {
  readonly inWorkspace: WorkRoutes<null>;
  readonly inLocation: WorkRoutes<LocationContext>;
} {
  return {
    inWorkspace: routesBelow(deps, "/w/{workspace}", asPersonInWorkspace),
    inLocation: routesBelow(deps, "/l/{location}", asPersonInLocation),
  };
}

function routesBelow<Where extends LocationContext | null>(
  deps: AsPersonDeps,
  base: `/${string}`,
  asPerson: (
    deps: AsPersonDeps,
    visit: { session: NonNullable<Visit["session"]>; formToken: string },
    request: IncomingRequest,
  ) => Promise<AsPerson<Where>>,
): WorkRoutes<Where> {
  const { site } = deps;
  const pages = pageRoutes(deps);

  /** Whether the path is found once the person has set up two-factor sign-in. */
  function isWithheldFrom({ userId }: Session, { parameters }: IncomingRequest): Promise<boolean> {
    const workspaceId = toId(parameters["workspace"]);
    // Below a workspace, a location is a record.
    const locationId = workspaceId === undefined ? toId(parameters["location"]) : undefined;
    return isWithheldAt(deps.database, userId, { workspaceId, locationId });
  }

  async function within<Response extends HttpResponse>(
    { session, formToken }: Visit,
    request: IncomingRequest,
    { may }: WorkRoute,
    work: (here: AsPerson<Where>) => Promise<Response>,
  ): Promise<Response | WholeResponse> {
    if (session === undefined) {
      return redirectAnswer(`${site.path("/sign-in")}?continue=${encodeURIComponent(pathOf(request))}`);
    }
    let here: AsPerson<Where>;
    try {
      here = await asPerson(deps, { session, formToken }, request);
    } catch (error) {
      if (!(await isWithheldFrom(session, request))) throw error;
      return redirectAnswer(withContinue(site, "/me/two-factor", pathOf(request)));
    }
    try {
      requirePermission(may, here.caller);
      return await work(here);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "insufficient_role") throw error;
      const enough = rolesThatMay(may);
      const whom = await findWhomToAsk(deps.database, here.workplace.id, enough);
      return pageAnswer(403, forbiddenPage(here, { noun: may.noun, roles: enough, whom }));
    }
  }

  /** Asked again while a response goes on. */
  async function isStill(before: AsPerson<Where>, request: IncomingRequest, { may }: WorkRoute): Promise<boolean> {
    const { session, formToken } = await receive(deps, site, request);
    if (session?.id !== before.person.id) return false;
    try {
      const { caller, workplace } = await asPerson(deps, { session, formToken }, request);
      requirePermission(may, caller);
      return isDeepStrictEqual(
        [workplace.role, workplace.locationIds],
        [before.workplace.role, before.workplace.locationIds],
      );
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  function keepTyped({ session, formToken }: Visit, request: IncomingRequest, fields: URLSearchParams): WholeResponse {
    const action = site.path(pathOf(request) as `/${string}`);
    return pageAnswer(403, lostFormPage(site, { action, fields, formToken: session === undefined ? null : formToken }));
  }

  return {
    shown: ({ show, ...description }) =>
      pages.shown({
        path: `${base}${description.path}`,
        summary: description.summary,
        show: (visit, request) =>
          within(visit, request, description, async (here) => {
            const shown = await show(here, request, () => isStill(here, request, description));
            return shown instanceof Html ? taggedPage(shown, request) : shown;
          }),
      }),
    sent: ({ take, ...description }) =>
      pages.sent({
        path: `${base}${description.path}`,
        summary: description.summary,
        takeOld: keepTyped,
        take: async (visit, request, fields) =>
          // The session ended while the form was open.
          visit.session === undefined
            ? keepTyped(visit, request, fields)
            : within(visit, request, description, (here) => take(here, request, fields)),
      }),
  };
}

/** The path and query of a request, below the base URL. */
function pathOf({ template, parameters, query }: IncomingRequest): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
