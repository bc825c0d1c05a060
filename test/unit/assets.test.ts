/** Assets are served as they are until they are compressed in the background: no request does it, or waits for it. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { IncomingRequest } from "../../src/http/request/incoming-request.ts";
import { assetPath, assetRoutes, prepareAssets } from "../../src/pages/assets.ts";

const assets = assetRoutes.find(({ path }) => path === "/assets/{hash}/{name}")!;

async function ask(
  name: Parameters<typeof assetPath>[0],
  accepted: string,
): Promise<{ coding: unknown; body: Buffer }> {
  const [, , hash] = assetPath(name).split("/");
  const request = { parameters: { hash, name }, header: () => accepted } as unknown as IncomingRequest;
  const { headers, body } = await assets.serve(request);
  expect(headers["vary"]).toBe("accept-encoding");
  return { coding: headers["content-encoding"], body: Buffer.from(body as Uint8Array) };
}

test("before that a page and what it loads are there already, as they are", async () => {
  expect(await ask("app.css", "br, gzip")).toMatchObject({ coding: undefined });
});

test("afterwards each is sent in the best coding that is accepted, and says the same", async () => {
  const { body: plain } = await ask("app.css", "");
  await Promise.all([prepareAssets(), prepareAssets()]);
  const [br, gzip, none] = [await ask("app.css", "gzip, br"), await ask("app.css", "gzip"), await ask("app.css", "")];
  expect([br.coding, gzip.coding, none.coding]).toEqual(["br", "gzip", undefined]);
  expect([brotliDecompressSync(br.body), gunzipSync(gzip.body), none.body]).toEqual([plain, plain, plain]);
});

test("what is compressed in itself stays as it is", async () => {
  await prepareAssets();
  expect(await ask("inter-latin.woff2", "br, gzip")).toMatchObject({ coding: undefined });
});
