/** What a page may load: nothing but this process, and an exception stands beside the rest. */
import { expect, test } from "vitest";
import { pageHeaders } from "../../src/http/response/page-headers.ts";

const directives = (headers: Record<string, string>) => headers["content-security-policy"]!.split("; ");

test("a page may load its own files, and nothing inline", () => {
  const sources = directives(pageHeaders());
  expect(sources[0]).toBe("default-src 'none'");
  expect(sources.join(" ")).not.toMatch(/unsafe|https?:|data:|\*/);
  expect(sources).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "base-uri 'none'", "trusted-types crm"]));
});

test("an exception takes the place of its directive, null leaves it out", () => {
  const plain = directives(pageHeaders());
  const changed = directives(pageHeaders({ "img-src": "'self' data:", "trusted-types": null }));
  expect(changed).toEqual(
    plain.flatMap((directive) =>
      directive.startsWith("img-src")
        ? ["img-src 'self' data:"]
        : directive.startsWith("trusted-types")
          ? []
          : [directive],
    ),
  );
});
