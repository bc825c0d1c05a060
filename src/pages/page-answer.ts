/** The response with a page: not cached, not framed, and loading only our own resources. */
import type { IncomingRequest } from "../http/request/incoming-request.ts";
import { toEntityTag } from "../http/request/preconditions.ts";
import type { ResponseHeaders, WholeResponse } from "../http/http-response.ts";
import { pageHeaders } from "../http/response/page-headers.ts";
import type { Html } from "./html.ts";

interface PageOptions {
  /** A CSP source for form-action: where a form of the page may redirect to. */
  readonly formAction?: string;
  /** Whether the opener window may keep its reference: for an app's sign-in popup. */
  readonly isOpened?: boolean;
  /** Whether it shows a secret without a prefix of ours: it is never compressed then. */
  readonly showsSecret?: boolean;
  readonly headers?: ResponseHeaders;
}

export function pageAnswer(
  status: number,
  page: Html,
  { formAction, isOpened = false, showsSecret = false, headers = {} }: PageOptions = {},
): WholeResponse {
  const { "cross-origin-opener-policy": opener, ...own } = pageHeaders(
    formAction === undefined ? {} : { "form-action": `'self' ${formAction}` },
  );
  return {
    status,
    body: page.toString(),
    compressible: status === 200 && !showsSecret ? "for-this-site" : undefined,
    headers: {
      ...own,
      ...(isOpened || opener === undefined ? {} : { "cross-origin-opener-policy": opener }),
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      ...headers,
    },
  };
}

/** A page with a weak ETag of its text, for live pages that ask again; 304 if it is the same. */
export function taggedPage(page: Html, request: IncomingRequest): WholeResponse {
  const answer = pageAnswer(200, page);
  const etag = `W/${toEntityTag(page.toString())}`;
  const headers = { ...answer.headers, etag };
  return request.header("if-none-match") === etag ? { status: 304, body: null, headers } : { ...answer, headers };
}

/** Redirects by GET, whatever the method of the request. */
export function redirectAnswer(location: string, headers: ResponseHeaders = {}): WholeResponse {
  return {
    status: 303,
    body: null,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  };
}
