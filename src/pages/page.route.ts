/** Page routes: the visitor is identified first, and forms are protected against CSRF. */
import type { HttpResponse, WholeResponse } from "../http/http-response.ts";
import type { Failure } from "../http/failures.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { route } from "../http/route.ts";
import type { Route } from "../http/route.ts";
import type { SessionDeps } from "../tenancy/sessions/session.service.ts";
import { failurePage, foreignFormPage } from "./account/failure.page.ts";
import { pageAnswer } from "./page-answer.ts";
import type { Site } from "./site.ts";
import { isFromOurPage, isOwnForm, receive } from "./visit.ts";
import type { Visit } from "./visit.ts";

interface PageDefinition {
  readonly path: `/${string}`;
  readonly summary: string;
}

interface ViewRoute extends PageDefinition {
  /** A GET with side effects. */
  readonly writes?: true;
  readonly show: (visit: Visit, request: IncomingRequest) => Promise<HttpResponse>;
}

interface FormRoute extends PageDefinition {
  readonly take: (visit: Visit, request: IncomingRequest, fields: URLSearchParams) => Promise<WholeResponse>;
  /** The response to a form of ours with the token of another session; default: the page for foreign forms. */
  readonly takeOld?: (visit: Visit, request: IncomingRequest, fields: URLSearchParams) => WholeResponse;
}

export interface PageRouteDeps extends SessionDeps {
  readonly site: Site;
}

/** Forms are small. */
const formLimit = 64 << 10;

export function pageRoutes(deps: PageRouteDeps) {
  const { site } = deps;
  const failed = (failure: Failure): WholeResponse => pageAnswer(failure.status, failurePage(site, failure));
  return {
    shown: ({ show, ...description }: ViewRoute): Route =>
      route({
        ...description,
        method: "GET",
        failed,
        serve: async (request) => {
          const visit = await receive(deps, site, request);
          return withCookies(await show(visit, request), visit);
        },
      }),
    sent: ({ take, takeOld, ...description }: FormRoute): Route =>
      route({
        ...description,
        method: "POST",
        body: "form",
        limit: formLimit,
        failed,
        serve: async (request, fields) => {
          const visit = await receive(deps, site, request);
          if (!isOwnForm(site, request, visit, fields)) {
            const old = isFromOurPage(request) ? takeOld?.(visit, request, fields) : undefined;
            return withCookies(old ?? pageAnswer(403, foreignFormPage(site)), visit);
          }
          return withCookies(await take(visit, request, fields), visit);
        },
      }),
  };
}

function withCookies(answer: HttpResponse, { cookies }: Visit): HttpResponse {
  const own = answer.headers["set-cookie"] ?? [];
  const all = [...cookies, ...(typeof own === "string" ? [own] : own)];
  return all.length === 0 ? answer : { ...answer, headers: { ...answer.headers, "set-cookie": all } };
}
