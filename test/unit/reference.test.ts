/** The API reference: a page for every operation, event and chapter, without a dead link, small, and 404 for anything else. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { documentedEvents } from "../../src/crm/event-log/event.samples.ts";
import type { WholeResponse } from "../../src/http/http-response.ts";
import { documentRoutes } from "../../src/http/documents/document-routes.ts";
import { toOpenApi } from "../../src/http/documents/openapi.ts";
import type { IncomingRequest } from "../../src/http/request/incoming-request.ts";
import { createLinks } from "../../src/kit/links.ts";
import { endpoints } from "../../src/operations.ts";
import { chapters } from "../../src/pages/reference/contents.ts";
import { referenceRoutes } from "../../src/pages/reference/reference.routes.ts";
import { createSite } from "../../src/pages/site.ts";
import { routeDocuments } from "../../src/routes.ts";
import { Refusal } from "../../src/vocabulary/errors.ts";
import { eventNames } from "../../src/vocabulary/events.ts";

const contents = { endpoints, routes: routeDocuments, events: documentedEvents() };
const openApi = () => JSON.stringify(toOpenApi(contents, { version: "1.2.3", serverUrl: "/" }));

/** The service below a path of a proxy, so that a link past it is a dead one. */
const base = "https://crm.acme.example/app";
const links = createLinks(base);
const missing = () => {
  throw new Error("nothing fails here");
};
const routes = [
  ...referenceRoutes({ site: createSite(links, base), links, openApi, missing }),
  ...documentRoutes(openApi),
];

async function ask(address: string, headers: Readonly<Record<string, string>> = {}): Promise<WholeResponse> {
  const url = new URL(address, "http://here");
  const [, root, chapter, page, ...more] = url.pathname.split("/");
  const found = routes.find(({ path }) => path.split("/").length === url.pathname.split("/").length);
  if (found === undefined || more.length > 0) throw new Error(`no route has ${address}`);
  const route = root === "openapi.json" ? routes.find(({ path }) => path === "/openapi.json")! : found;
  const parameters = { ...(chapter && { chapter }), ...(page && { page }) };
  const request = { parameters, query: url.searchParams, header: (name: string) => headers[name] };
  return (await route.serve(request as unknown as IncomingRequest)) as WholeResponse;
}

const show = async (address: string) => Buffer.from((await ask(address)).body as Uint8Array).toString();

const overview = await show("/docs");
const addresses = [...new Set([...overview.matchAll(/href="\/app(\/docs[^"#]*)"/g)].map(([, address]) => address!))];
const pages = new Map<string, string>();
for (const address of addresses) pages.set(address, await show(address));

test("every operation has a page, with its address and its summary", () => {
  const described = [
    ...endpoints.map(({ method, path, operation: { name, summary } }) => ({
      method,
      path: `/api/v1${path}`,
      name,
      summary,
    })),
    ...routeDocuments,
  ];
  for (const { method, path, name, summary } of described) {
    const own = [...pages.values()].filter((page) => page.includes(`<title>${name} · API · crm</title>`));
    expect([name, own.length]).toEqual([name, 1]);
    const [page = ""] = own;
    expect(page).toContain(`>${method}</span><code class="path">${path}</code>`);
    expect(textOf(page)).toContain(textOf(summary.replace(/\.$/, "")));
  }
});

test("every event has a page, with its sample", () => {
  for (const event of eventNames) expect(pages.get(`/docs/events/${event}`), event).toContain(`&quot;${event}&quot;`);
});

test("every chapter has a page", () => {
  expect(chapters.filter(({ slug }) => !pages.has(`/docs/${slug}`))).toEqual([]);
});

const textOf = (page: string) => page.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!);
const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

describe.each([...pages.keys(), "/docs?search=contacts+tag", "/docs?search=%3Cscript%3E"])("%s", (address) => {
  test("has no dead link, one heading, unique ids, and at most 60 KB", async () => {
    const answer = await ask(address);
    const page = Buffer.from(answer.body as Uint8Array).toString();
    expect(page.length).toBeLessThanOrEqual(60_000);
    expect(page.match(/<h1>/g)?.length).toBe(1);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
    for (const [, link = ""] of page.matchAll(/<a\b[^>]*? href="([^"]*)"/g)) {
      if (link.startsWith("https://") && !link.startsWith(base)) continue;
      const [target = "", anchor] = link.replace(/^\/app/, "").split("#");
      if (["/openapi.json", "/"].includes(target) || (target === "" && anchor === "main")) continue;
      expect([link, link === "" || pages.has(target)]).toEqual([link, true]);
      if (anchor !== undefined) expect([link, pages.get(target)!.includes(`id="${anchor}"`)]).toEqual([link, true]);
    }
  });
});

test.each(["contacts/nothing", "nothing", "contacts/__proto__", "constructor", "contacts/list%00", "<script>"])(
  "/docs/%s is not there",
  async (path) => {
    await expect(ask(`/docs/${path}`)).rejects.toThrow(Refusal);
  },
);

test("a page is compressed once for each coding, and validated by its ETag", async () => {
  const [plain, br, gzip] = await Promise.all([
    ask("/docs/contacts/list"),
    ask("/docs/contacts/list", { "accept-encoding": "gzip;q=0.5, br" }),
    ask("/docs/contacts/list", { "accept-encoding": "gzip" }),
  ]);
  expect([br, gzip].map(({ headers }) => headers["content-encoding"])).toEqual(["br", "gzip"]);
  for (const { headers } of [plain, br, gzip]) expect(headers["vary"]).toBe("accept-encoding, cookie");
  expect(new Set([plain, br, gzip].map(({ headers }) => headers["etag"])).size).toBe(3);
  expect(brotliDecompressSync(br.body as Uint8Array)).toEqual(Buffer.from(plain.body as Uint8Array));
  expect(gunzipSync(gzip.body as Uint8Array)).toEqual(Buffer.from(plain.body as Uint8Array));
  const again = await ask("/docs/contacts/list", {
    "accept-encoding": "br",
    "if-none-match": `W/${String(br.headers["etag"])}`,
  });
  expect([again.status, again.body, again.headers["etag"]]).toEqual([304, null, br.headers["etag"]]);
  expect((await ask("/docs/contacts/list", { "if-none-match": '"another"' })).status).toBe(200);
});
