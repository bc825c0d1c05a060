/** The API reference, rendered from the OpenAPI document and the documents below docs/; each page once per theme. */
import type { FailureForm } from "../../http/failures.ts";
import type { IncomingRequest } from "../../http/request/incoming-request.ts";
import { createFixedResponse } from "../../http/response/fixed-response.ts";
import type { FixedResponse } from "../../http/response/fixed-response.ts";
import { route } from "../../http/route.ts";
import type { Route } from "../../http/route.ts";
import type { Links } from "../../kit/links.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import type { Html } from "../html.ts";
import { pageAnswer } from "../page-answer.ts";
import type { Site } from "../site.ts";
import { inTheme, readTheme } from "../theme.ts";
import type { ApiDocument } from "./api-document.ts";
import { chapterPage } from "./chapter.page.ts";
import { chapters, listEvents, listOperations } from "./contents.ts";
import { eventPage } from "./event.page.ts";
import { readSourceDocuments } from "./excerpts.ts";
import type { SourceDocuments } from "./excerpts.ts";
import { operationPage } from "./operation.page.ts";
import type { ReferenceDeps } from "./operation.page.ts";
import { overviewPage, searchPage } from "./overview.page.ts";

export interface ReferenceRouteDeps {
  readonly site: Site;
  readonly links: Links;
  /** The OpenAPI document as JSON. */
  readonly openApi: () => string;
  /** The form of a 404. */
  readonly missing: FailureForm;
}

/** Longer ones find nothing. */
const longestSearch = 100;

export function referenceRoutes({ openApi, missing, ...deps }: ReferenceRouteDeps): Route[] {
  let opened: RenderedReference | undefined;
  const reference = () => (opened ??= openReference({ ...deps, document: JSON.parse(openApi()) as ApiDocument }));
  const shown = (path: `/docs${string}`, summary: string) =>
    route({
      method: "GET",
      path,
      summary,
      failed: missing,
      serve: async (request) => {
        const { chapter, page } = request.parameters;
        return reference().show(
          [chapter, page].filter((part) => part !== undefined),
          request,
        );
      },
    });
  return [
    shown("/docs", "The API reference: every operation and event, and their search."),
    shown("/docs/{chapter}", "A chapter of the API reference."),
    shown("/docs/{chapter}/{page}", "An operation or an event in the API reference."),
  ];
}

type RenderedReference = ReturnType<typeof openReference>;

/** Renders a page when it is first requested. */
function openReference(given: Omit<ReferenceDeps, "index">) {
  const { document, links } = given;
  const index = { operations: listOperations(document), events: listEvents(document) };
  const deps: ReferenceDeps = { ...given, index };
  let read: SourceDocuments | undefined;
  const sources = () => (read ??= readSourceDocuments(links.to("/").slice(0, -1)));
  const pages = new Map<string, () => Html>([
    ["/docs", () => overviewPage(deps)],
    ...chapters.map((one) => [`/docs/${one.slug}`, () => chapterPage(deps, sources(), one)] as const),
    ...index.operations.map((one) => [one.address, () => operationPage(deps, one)] as const),
    ...index.events.map((one) => [one.address, () => eventPage(deps, one)] as const),
  ]);
  const rendered = new Map<string, FixedResponse>();
  return {
    show(parts: readonly string[], request: IncomingRequest) {
      const search = request.query.get("search")?.slice(0, longestSearch) ?? "";
      if (parts.length === 0 && search !== "") return Promise.resolve(pageAnswer(200, searchPage(deps, search)));
      const address = ["/docs", ...parts].join("/");
      const theme = readTheme(deps.site, request);
      const kept = `${theme} ${address}`;
      const known = rendered.get(kept);
      if (known !== undefined) return known(request);
      const render = pages.get(address);
      if (render === undefined) throw new Refusal("route.not_found");
      const { body, headers } = pageAnswer(200, render());
      const answer = createFixedResponse(inTheme(body as string, theme), {
        ...headers,
        "cache-control": "no-cache",
        vary: "accept-encoding, cookie",
      });
      rendered.set(kept, answer);
      return answer(request);
    },
  };
}
