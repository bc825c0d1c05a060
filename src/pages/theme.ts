/**
 * The theme that a person chose for a browser, or the one of the system. Documents are rendered for the system's theme,
 * and the response writes the choice into them, so that the first paint has it and no script is involved.
 */
import type { FailureForm } from "../http/failures.ts";
import type { HttpResponse } from "../http/http-response.ts";
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import type { Route } from "../http/route.ts";
import type { Site } from "./site.ts";
import { readThemeCookie } from "./visit.ts";

const themes = ["light", "dark"] as const;

/** `system`: none is stored. */
export const themeChoices = ["system", ...themes] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/** The choice of this browser. */
export function readTheme(site: Site, request: IncomingRequest): ThemeChoice {
  const kept = readThemeCookie(site, request);
  return themes.find((theme) => theme === kept) ?? "system";
}

/** What src/pages/layout/document.ts renders. The stylesheet leaves `color-scheme` to it. */
const ofSystem = '<meta name="color-scheme" content="light dark" />';

/** A rendered document in a theme. */
export function inTheme(document: string, theme: ThemeChoice): string {
  return theme === "system" ? document : document.replace(ofSystem, ofSystem.replace("light dark", theme));
}

/** The route, its pages and errors in the theme of the browser. */
export function themedRoute(site: Site, route: Route): Route {
  const { failed, serve } = route;
  return {
    ...route,
    ...(failed && { failed: themedFailure(site, failed) }),
    serve: async (request, ...body) => themed(site, request, await serve(request, ...body)),
  };
}

/** Failures in the theme of the browser. */
export function themedFailure(site: Site, form: FailureForm): FailureForm {
  return (failure, request) => themed(site, request, form(failure, request));
}

function themed<Response extends HttpResponse>(site: Site, request: IncomingRequest, response: Response): Response {
  const isPage = String(response.headers["content-type"]).startsWith("text/html");
  if (!isPage || typeof response.body !== "string") return response;
  return { ...response, body: inTheme(response.body, readTheme(site, request)) };
}
