/** The service below a path of a proxy (CRM_BASE_URL with a path), in a real Chromium: pages, the API reference, and addresses that do not exist. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { password } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
let chromium: Chromium;
let base: string;
/** What was asked for outside of the path. */
const strays: string[] = [];
const proxy = createServer((incoming, outgoing) => {
  const { url = "", method, headers } = incoming;
  if (!url.startsWith("/app/")) {
    strays.push(url);
    outgoing.writeHead(502).end();
    return;
  }
  const forwarded = request(world.url + url.slice("/app".length), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(forwarded);
});

beforeAll(async () => {
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  base = `http://${host}/app`;
  world = await createWorld("sqlite", { environment: { CRM_BASE_URL: base } });
  await givenPasswords(world);
  chromium = await startChromium(host);
});
afterAll(async () => {
  await chromium?.close();
  proxy.closeAllConnections();
  proxy.close();
  await world?.close();
});

test("the API reference shows the base URL, and sends requests to it", async () => {
  const { page, complaints } = await chromium.open();
  await page.goto(`${base}/docs`);
  await page.click('main a[href="/app/docs/tags/create"]');
  await page.waitForURL(`${base}/docs/tags/create`);
  expect(await page.locator("[data-language=curl] code").innerText()).toContain(`curl ${base}/api/v1/tags `);
  await page.fill("#try-key", world.keys.owner!);
  await page.click("try-it button");
  await expect.poll(() => page.locator("try-it .answer .badge").innerText()).toBe("201");
  const { servers } = (await (await fetch(`${base}/openapi.json`)).json()) as { servers: unknown };
  expect([servers, complaints, strays]).toEqual([[{ url: base }], [], []]);
});

test("from a mistyped address to the start page, and in", async () => {
  const { page, complaints } = await chromium.open();
  await page.goto(`${base}/singin`);
  expect(await page.title()).toBe("Page not found · crm");
  await page.click("text=To the start page");
  await page.click("text=Sign in");
  await page.fill("#email", "olga@acme.example");
  await page.fill("#password", password);
  await page.click("main form button.primary");
  await page.waitForURL(`${base}/`);
  expect(await page.locator("h1").innerText()).toBe("Acme");
  expect([complaints, strays]).toEqual([[], []]);
});
