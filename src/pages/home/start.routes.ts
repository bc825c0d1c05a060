/** `/`: name, version and readiness of the service; a page for people, JSON for programs. */
import { jsonResponse } from "../../http/http-response.ts";
import { isReady } from "../../http/health.ts";
import type { Readiness } from "../../http/health.ts";
import { wantsPage } from "../../http/request/accept.ts";
import { route } from "../../http/route.ts";
import type { Route } from "../../http/route.ts";
import { createLinks } from "../../kit/links.ts";
import { awaitsSetup } from "../../tenancy/invitations/setup-link.service.ts";
import { pageAnswer } from "../page-answer.ts";
import { signInPage } from "../account/sign-in.page.ts";
import { receive } from "../visit.ts";
import { notReadyPage } from "./not-ready.page.ts";
import { showHome } from "./home.routes.ts";
import type { HomeRouteDeps } from "./home.routes.ts";

export interface StartRouteDeps extends HomeRouteDeps {
  readonly version: string;
  /** CRM_BASE_URL; null for the URL of the request. */
  readonly baseUrl: string | null;
  readonly readiness: () => Promise<Readiness>;
}

export function startRoutes({ version, baseUrl, readiness, ...deps }: StartRouteDeps): Route[] {
  const { to } = createLinks(baseUrl ?? "");
  return [
    route({
      method: "GET",
      path: "/",
      summary: "Shows the name of the service, and whether it is ready.",
      async serve(request) {
        const found = await readiness();
        const headers = { vary: "accept" };
        if (wantsPage(request.header("accept"))) {
          if (!isReady(found))
            return pageAnswer(200, notReadyPage(deps.site, { version, readiness: found }), { headers });
          const { session, formToken, cookies } = await receive(deps, deps.site, request);
          if (session !== undefined) return showHome(deps, { session, formToken }, request);
          const isNew = await awaitsSetup(deps.database);
          const page = signInPage(deps.site, { formToken, continueTo: "/", version, awaitsSetup: isNew });
          return pageAnswer(200, page, { headers: { ...headers, "set-cookie": cookies } });
        }
        const status = isReady(found) ? "ready" : "not_ready";
        const about = { name: "crm", version, status, docs: to("/docs"), openapi: to("/openapi.json") };
        return jsonResponse(200, JSON.stringify(about), { "cache-control": "no-store", ...headers });
      },
    }),
  ];
}
