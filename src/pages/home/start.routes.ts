/** `/`: name, version and readiness of the service; a page for people, JSON for programs. */
import { jsonAnswer } from "../../http/answer.ts";
import { isReady } from "../../http/health.ts";
import type { Readiness } from "../../http/health.ts";
import { wantsPage } from "../../http/request/accept.ts";
import { route } from "../../http/route.ts";
import type { Route } from "../../http/route.ts";
import { createLinks } from "../../kit/links.ts";
import { pageAnswer } from "../page-answer.ts";
import { frontPage } from "./front.page.ts";
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
          const own = isReady(found) ? await showHome(deps, request) : undefined;
          return own ?? pageAnswer(200, frontPage(deps.site, { version, readiness: found }), { headers });
        }
        const status = isReady(found) ? "ready" : "not_ready";
        const about = { name: "crm", version, status, docs: to("/docs"), openapi: to("/openapi.json") };
        return jsonAnswer(200, JSON.stringify(about), { "cache-control": "no-store", ...headers });
      },
    }),
  ];
}
