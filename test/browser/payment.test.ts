/** The redirect over a payment page and back in a real Chromium: through a third-party processor, with Back, abandoned, in two tabs, as another user. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { report, subscriptionsOf } from "../support/billing.ts";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { authorizePath, givenApp } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createPageGround, emails } from "../support/page-ground.ts";
import type { PageGround } from "../support/page-ground.ts";
import { password } from "../support/person.ts";
import { withTypo } from "../support/typo.ts";

const certificates = join(import.meta.dirname, "../support/certificates");
const spent = "There is no install to finish here · crm";

let ground: PageGround;
let chromium: Chromium;
let processor: Awaited<ReturnType<typeof startProcessor>>;
let app: TestApp;
beforeAll(async () => {
  ground = await createPageGround();
  processor = await startProcessor();
  chromium = await startChromium(new URL(ground.world.url).host, ground.appHost, ...processor.hosts);
});
beforeEach(async () => {
  // Attempts to sign in are counted in windows of ten minutes.
  ground.world.clock.advance({ minutes: 11 });
  app = await givenApp(ground.world, {
    redirectUris: [`http://${ground.appHost}/callback`],
    paymentPage: `https://${processor.hosts[0]}/start`,
  });
});
afterAll(async () => {
  await chromium?.close();
  processor?.close();
  await ground?.close();
});

/** The app's payment page, which sends people on to a checkout at another origin; there one pays, or leaves without. */
async function startProcessor() {
  const pem = (name: string) => readFileSync(join(certificates, name));
  const server = createServer({ cert: pem("good.pem"), key: pem("good.key") }, (request, response) => {
    const { port } = server.address() as AddressInfo;
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "https://localhost");
    const back = searchParams.get("return_url") ?? "";
    if (pathname === "/start") {
      response.writeHead(302, { location: `https://127.0.0.1:${port}/checkout${search}` }).end();
    } else if (request.method === "POST") {
      const payment = { locationId: searchParams.get("locationId"), paymentId: "inv_1" };
      void report(ground.world.url, app, payment).then(() => response.writeHead(303, { location: back }).end());
    } else {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<form method="post"><button>Pay</button></form><a href="${back}">Not now</a>`);
    }
  }).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    hosts: [`localhost:${port}`, `127.0.0.1:${port}`] as const,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const address = (path: string) => ground.world.url + path;

async function signIn(page: Page, email = emails.olga): Promise<void> {
  await page.fill("#email", email);
  await page.fill("#password", password);
  await page.click("main form button.primary");
}

/** Allows the app in North; the page is the processor's then. Resolves to the return_url. */
async function allow(page: Page, state: string): Promise<string> {
  await page.goto(address(authorizePath(app, { state })));
  if (await page.locator("#password").count()) await signIn(page);
  await page.click("text=North");
  await page.click("text=Allow >> nth=-1");
  await page.waitForURL(`https://${processor.hosts[1]}/checkout?**`);
  return new URL(page.url()).searchParams.get("return_url")!;
}

/** What the app is told, at its own address. */
async function told(page: Page): Promise<Record<string, string>> {
  await page.waitForURL(`http://${ground.appHost}/callback?**`);
  return Object.fromEntries(new URL(page.url()).searchParams);
}

const statuses = async () =>
  (await subscriptionsOf(ground.world.service, ground.world.acme, app)).map(({ status }) => status);

test.each([true, false])(
  "pays at a processor of others and comes back, with JavaScript: %s; Back pays nothing twice",
  async (javaScript) => {
    const { page, complaints } = await chromium.open({ javaScript, trustsAnybody: true });
    await allow(page, "a");
    expect(await statuses()).toEqual(["incomplete"]);
    await page.click("text=Pay");
    expect(await told(page)).toMatchObject({ code: expect.stringMatching(/^crm_code_/), state: "a" });
    expect(await statuses()).toEqual(["active"]);
    await page.goBack();
    await page.click("text=Pay");
    expect(await page.title()).toBe(spent);
    // What is paid is not paid again: from Allow straight to the app.
    await page.goto(address(authorizePath(app, { state: "b" })));
    await page.click("text=North");
    await page.click("text=Allow >> nth=-1");
    expect(await told(page)).toMatchObject({ code: expect.any(String), state: "b" });
    expect(complaints).toEqual([]);
  },
);

test("who never comes back has nothing installed, and can begin again", async () => {
  const { page } = await chromium.open({ trustsAnybody: true });
  await allow(page, "first");
  await page.goto(address("/"));
  const installed = page.locator(`[aria-label^='Uninstall ${app.name} from North']`);
  const before = await installed.count();
  await page.goBack();
  await page.goBack();
  expect(await page.title()).toContain("Allow Ledgerline");
  await allow(page, "second");
  await page.click("text=Not now");
  expect(await told(page)).toMatchObject({ code: expect.any(String), state: "second" });
  await page.goto(address("/"));
  expect([before, await installed.count()]).toEqual([before, before + 1]);
});

test("two tabs do not mix, and an address that is opened in both finishes once", async () => {
  const { page, context } = await chromium.open({ trustsAnybody: true });
  const first = await allow(page, "one");
  const other = await context.newPage();
  await allow(other, "two");
  await page.click("text=Not now");
  await other.click("text=Not now");
  expect([(await told(page))["state"], (await told(other))["state"]]).toEqual(["one", "two"]);
  await other.goto(first);
  expect(await other.title()).toBe(spent);
});

test("a forged address names nothing, and one of somebody else waits for whoever allowed it", async () => {
  const { page: olgas } = await chromium.open({ trustsAnybody: true });
  const path = await allow(olgas, "mine");
  const { page } = await chromium.open();
  await page.goto(withTypo(path));
  expect(await page.title()).toBe(spent);
  await page.goto(address("/sign-in"));
  await signIn(page, emails.otto);
  await page.waitForURL(address("/"));
  await page.goto(path);
  expect(await page.title()).toBe("Another person allowed this · crm");
  await page.click("text=Sign in as another person");
  await page.waitForURL(address("/sign-in?**"));
  await signIn(page);
  expect(await told(page)).toMatchObject({ code: expect.any(String), state: "mine" });
});
