/** The OpenAPI document, and /docs, its reference page, served without external resources. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonAnswer } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { pageHeaders } from "../response/page-headers.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";
import { viewerFolder } from "./viewer.ts";
import type { viewerFiles } from "./viewer.ts";

/** URLs are relative: a proxy may serve this below a path. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>crm: API reference</title>
    <link rel="icon" href="favicon.ico">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The document it shows is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({ url: "openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null });
`;

/** The viewer uses inline styles and data URLs for icons, and creates markup from text. */
const headers = pageHeaders({
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data:",
  "form-action": "'none'",
  "require-trusted-types-for": null,
  "trusted-types": null,
});

function text(body: string | Uint8Array<ArrayBuffer>, type: string, cache = "no-cache"): Answer {
  return {
    status: 200,
    body,
    headers: { ...headers, "content-type": `${type}; charset=utf-8`, "cache-control": cache },
  };
}

/** A file of the viewer, read on first use. */
function asset(name: (typeof viewerFiles)[number], type: string): Route {
  let body: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return route({
    method: "GET",
    path: `/docs/${name}`,
    summary: "A file of the API reference page.",
    async serve() {
      body ??= readFile(join(viewerFolder(), name));
      return text(await body, type, "public, max-age=3600");
    },
  });
}

/** `openApi` returns the document as JSON. */
export function documentRoutes(openApi: () => string): Route[] {
  return [
    route({
      method: "GET",
      path: "/openapi.json",
      summary: "This API as an OpenAPI 3.1 document.",
      serve: async () => jsonAnswer(200, openApi()),
    }),
    route({
      method: "GET",
      path: "/docs",
      summary: "The API reference as a page.",
      serve: async () => text(page, "text/html"),
    }),
    route({
      method: "GET",
      path: "/docs/start.js",
      summary: "Starts the API reference page.",
      serve: async () => text(start, "text/javascript"),
    }),
    asset("swagger-ui.css", "text/css"),
    asset("swagger-ui-bundle.js", "text/javascript"),
  ];
}
