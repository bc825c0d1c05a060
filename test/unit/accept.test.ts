/** Content negotiation: a page only for requests that name text/html and do not prefer JSON. */
import { expect, test } from "vitest";
import { chooseCoding } from "../../src/http/request/accept-encoding.ts";
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

const codings = ["br", "gzip"] as const;

test.each<[string | undefined, (typeof codings)[number] | undefined]>([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.000, gzip;q=0", undefined],
  ["*", "br"],
  ["*;q=0", undefined],
  ["br;q=0, *", "gzip"],
  ["gzip;q=0.2, identity", undefined],
  ["gzip;q=0.5, identity;q=0.2", "gzip"],
  ["identity", undefined],
  ["gzip;q=2", undefined],
  ["deflate", undefined],
  ["brotli", undefined],
  ["", undefined],
  [undefined, undefined],
])("coding for %j: %j", (header, coding) => expect(chooseCoding(header, codings)).toBe(coding));
