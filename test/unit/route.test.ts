/** What a route cannot say: the compiler refuses each of these, and `tsc` fails where it no longer does. */
import { expect, test } from "vitest";
import { jsonResponse } from "../../src/http/http-response.ts";
import { route } from "../../src/http/route.ts";

const page = { method: "POST", path: "/page", summary: "" } as const;
const answered = async () => jsonResponse(200, "{}");

test("what a route is handed is what it takes", () => {
  route({ ...page, body: "form", serve: async (_request, form) => jsonResponse(200, form.getAll("a").join()) });
  route({ ...page, body: "raw", serve: async (_request, bytes) => jsonResponse(200, bytes.toString("hex")) });
  route({ ...page, body: "stream", serve: async (_request, bytes) => jsonResponse(200, String(bytes.readable)) });
  // @ts-expect-error -- JSON of a client is not validated yet
  route({ ...page, body: "json", serve: async (_request, body) => jsonResponse(200, body.name) });
  // @ts-expect-error -- it takes no body
  route({ ...page, serve: async (_request, body) => jsonResponse(200, body) });
});

test.each<[parts: object, sentence: RegExp]>([
  [{ method: "GET", body: "form" }, /takes no body/],
  [{ body: "form", writes: true }, /must be a GET to exclude HEAD/],
  [{ limit: 1 }, /has a limit and no body/],
])("a route that contradicts itself does not start: %o", (parts, sentence) => {
  expect(() => route({ ...page, serve: answered, ...parts })).toThrow(sentence);
});
