/** Content negotiation: a page only for requests that name text/html and do not prefer JSON. */
import { expect, test } from "vitest";
import { wantsPage } from "../../src/http/request/accept.ts";

test.each<[string | undefined, boolean]>([
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true],
  ["text/html", true],
  ["TEXT/HTML; charset=utf-8", true],
  ["text/html, application/json", true],
  ["text/html;q=0.9, */*;q=0.1", true],
  ["text/html;q=0.4, application/json;q=0.5", false],
  ["text/html;q=0.4, application/*;q=0.5", false],
  ["text/html;q=0, */*", false],
  ["application/json", false],
  ["text/*", false],
  ["*/*", false],
  ["", false],
  [undefined, false],
  [",;q=;,text/htm", false],
])("%j: %j", (accept, page) => expect(wantsPage(accept)).toBe(page));
