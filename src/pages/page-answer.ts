/** The response with a page: not cached, not framed, and loading only our own resources. */
import type { AnswerHeaders, WholeAnswer } from "../http/answer.ts";
import { pageHeaders } from "../http/response/page-headers.ts";
import type { Html } from "./html.ts";

interface PageOptions {
  /** A CSP source for form-action: where a form of the page may redirect to. */
  readonly formAction?: string;
  /** Whether the opener window may keep its reference: for an app's sign-in popup. */
  readonly isOpened?: boolean;
  readonly headers?: AnswerHeaders;
}

export function pageAnswer(
  status: number,
  page: Html,
  { formAction, isOpened = false, headers = {} }: PageOptions = {},
): WholeAnswer {
  const { "cross-origin-opener-policy": opener, ...own } = pageHeaders(
    formAction === undefined ? {} : { "form-action": `'self' ${formAction}` },
  );
  return {
    status,
    body: page.toString(),
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

/** Redirects by GET, whatever the method of the request. */
export function redirectAnswer(location: string, headers: AnswerHeaders = {}): WholeAnswer {
  return {
    status: 303,
    body: null,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  };
}
