/** 404: a page for people, JSON for programs. */
import type { FailureForm } from "../http/failures.ts";
import { toJsonFailure } from "../http/failures.ts";
import { wantsPage } from "../http/request/accept.ts";
import type { Links } from "../kit/links.ts";
import { failurePage } from "./account/failure.page.ts";
import { pageAnswer } from "./page-answer.ts";
import { createSite } from "./site.ts";
import { themedFailure } from "./theme.ts";

/** `baseUrl`: CRM_BASE_URL; null for the URL of the request. */
export function showMissingAddress(links: Links, baseUrl: string | null): FailureForm {
  const site = createSite(links, baseUrl);
  const headers = { vary: "accept" };
  return themedFailure(site, (failure, request) => {
    if (wantsPage(request.header("accept"))) return pageAnswer(failure.status, failurePage(site, failure), { headers });
    const answer = toJsonFailure(failure);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  });
}
