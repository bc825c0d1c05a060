/** `/`: what answers here, in which version, and whether it is ready; a page for people, JSON for programs. */
import { createLinks } from "../../kit/links.ts";
import type { IncomingRequest } from "../request/incoming-request.ts";
import { wantsPage } from "../request/accept.ts";
import { jsonAnswer } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { isReady } from "../health.ts";
import type { Readiness } from "../health.ts";
import { pageHeaders } from "../response/page-headers.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";
import { mark, stylesheet } from "./front-page.look.ts";

interface FrontPage {
  readonly version: string;
  /** Without a slash at its end; null for whatever address is asked. */
  readonly baseUrl: string | null;
  readonly readiness: () => Promise<Readiness>;
  /** The page of somebody who is signed in; undefined for everybody else. */
  readonly home: (request: IncomingRequest) => Promise<Answer | undefined>;
  /** Where people sign in. */
  readonly signIn: string;
}

export function frontPageRoutes({ version, baseUrl, readiness, home, signIn }: FrontPage): Route[] {
  const { to } = createLinks(baseUrl ?? "");
  return [
    route({
      method: "GET",
      path: "/",
      summary: "Says what this is, and whether it is ready.",
      async serve(request) {
        const found = await readiness();
        const headers = { "cache-control": "no-store", vary: "accept" };
        if (wantsPage(request.header("accept"))) {
          const own = isReady(found) ? await home(request) : undefined;
          return own ?? html(toPage(version, found, signIn), headers);
        }
        const status = isReady(found) ? "ready" : "not_ready";
        const about = { name: "crm", version, status, docs: to("/docs"), openapi: to("/openapi.json") };
        return jsonAnswer(200, JSON.stringify(about), headers);
      },
    }),
    asset("/front-page.css", stylesheet, "text/css; charset=utf-8"),
    asset("/mark.svg", mark, "image/svg+xml"),
  ];
}

function html(body: string, headers: Record<string, string>): Answer {
  return { status: 200, body, headers: { ...headers, ...pageHeaders(), "content-type": "text/html; charset=utf-8" } };
}

function asset(path: `/${string}`, body: string, type: string): Route {
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=3600",
    "x-content-type-options": "nosniff",
  };
  return route({
    method: "GET",
    path,
    summary: "A file of the front page.",
    serve: async () => ({ status: 200, body, headers }),
  });
}

/** Addresses are relative, for a proxy that serves this below a path. Nothing in it comes from outside, so nothing is escaped. */
function toPage(version: string, readiness: Readiness, signIn: string): string {
  const [kind, state, sentence] = stateOf(readiness);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>crm</title>
    <link rel="icon" href="mark.svg" type="image/svg+xml">
    <link rel="stylesheet" href="front-page.css">
  </head>
  <body>
    <main>
      <header>
        <img src="mark.svg" alt="" width="28" height="28">
        <h1>crm</h1>
      </header>
      <p class="lead">A CRM for a business with one or many locations. Programs talk to it as JSON over HTTP.</p>
      <p class="notice ${kind}" role="status"><strong>${state}</strong> ${sentence}</p>
      <nav aria-label="Documents">
        <a class="button" href="docs">Open the API reference</a>
        <a href="openapi.json">OpenAPI document</a>
        <a href="${signIn}">Sign in</a>
      </nav>
      <p class="version">Version ${version}</p>
    </main>
  </body>
</html>
`;
}

function stateOf({ database, schema }: Readiness): [kind: "ok" | "danger", state: string, sentence: string] {
  if (database !== "ok")
    return ["danger", "Not ready", "The database does not answer. It is tried again with every request."];
  if (schema === "behind")
    return ["danger", "Not ready", "The database is older than this version: run “crm migrate”."];
  if (schema === "ahead")
    return ["danger", "Not ready", "The database is newer than this version: start the newer one."];
  return ["ok", "Ready", "The database answers, and its schema is the one this version needs."];
}
