/** A page on its way out: never kept by a cache, never in a frame, and loading nothing but our own. */
import type { AnswerHeaders, WholeAnswer } from "../http/answer.ts";
import { pageHeaders } from "../http/response/page-headers.ts";
import type { Html } from "./html.ts";

interface PageOptions {
  /** A source of the policy to which a form of the page may lead in the end. */
  readonly formAction?: string;
  /** Whether who opened us in a window of its own may keep hold of it: an app's sign-in window. */
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

/** Sends a browser on, by GET whatever it came with. */
export function redirectAnswer(location: string, headers: AnswerHeaders = {}): WholeAnswer {
  return {
    status: 303,
    body: null,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  };
}
