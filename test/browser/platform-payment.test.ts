/** Platform billing in a real Chromium, with the pages of a fake Stripe: from the price on the consent page to a refused and a refunded payment. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { hostileNames } from "../support/hostile-names.ts";
import { authorizePath } from "../support/marketplace.ts";
import { judgeAccess, judgeBoxes } from "../support/page-judge.ts";
import { password } from "../support/person.ts";
import { createPlatformWorld } from "../support/platform-billing.ts";
import type { PlatformWorld } from "../support/platform-billing.ts";

let platform: PlatformWorld;
let chromium: Chromium;
beforeAll(async () => {
  platform = await createPlatformWorld("sqlite");
  chromium = await startChromium(new URL(platform.world.url).host, new URL(platform.stripe.url).host);
});
afterAll(async () => {
  await chromium?.close();
  await platform?.close();
});

async function signIn(page: Page): Promise<void> {
  await page.fill("#email", "olga@acme.example");
  await page.fill("#password", password);
  await page.click("main form button.primary");
}

async function judge(page: Page, sentence: string): Promise<void> {
  // A click does not wait for the page that it leads to.
  const shown = async () => (await page.locator("main").textContent())!.replaceAll(/\s+/g, " ");
  await expect.poll(shown).toContain(sentence);
  await page.waitForLoadState();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 860 });
    expect(await judgeBoxes(page), `${sentence} at ${width}`).toEqual({ sideways: 0, faults: [] });
  }
  expect(await judgeAccess(page), sentence).toEqual([]);
}

test("every page of a payment says what happened, at 360 and at 1280 px, and a faulty Stripe leaves nothing half done", async () => {
  const { world, stripe } = platform;
  const { database } = world.service;
  const { page, complaints } = await chromium.open();
  // The fake Stripe answers at the redirect URI as well, so that the app needs no server.
  const redirectUri = `${stripe.url}/callback`;
  const setUris = (id: number, uris: string[]) =>
    database.transaction(({ rows }) =>
      rows("update apps set redirect_uris = ? where id = ?", [JSON.stringify(uris), id]),
    );
  const given = async (name: string, trialDays: number) => {
    const app = await platform.givenApp({ trialDays });
    await database.transaction(({ rows }) => rows("update apps set name = ? where id = ?", [name, app.id]));
    await setUris(app.id, [redirectUri]);
    return { ...app, redirectUri };
  };
  const ask = async (name: string, trialDays: number) => {
    const app = await given(name, trialDays);
    await page.goto(world.url + authorizePath(app, { state: "s" }));
    if ((await page.locator("#password").count()) > 0) await signIn(page);
    await page.click("label:has-text('North')");
    return app;
  };

  const first = await ask(hostileNames["one long word"]!, 14);
  await judge(page, "14 days free, then $29.00 a month, paid by the location by card at Stripe");
  stripe.fault = ({ path }) => (path === "checkout/sessions" ? 429 : "ok");
  const before = stripe.books.sessions.size;
  await page.click("button[value=allow]");
  await judge(page, "Stripe is unreachable. Try again in a moment. Nothing was charged");
  stripe.fault = () => "ok";
  await page.click("button:has-text('Try again')");
  await page.waitForURL(`${stripe.url}/pay/**`);
  await page.click("button[value=cancel]");
  await judge(page, "You left the payment before it was finished. Nothing was charged");
  expect([stripe.books.sessions.size - before, await platform.statuses(first)]).toEqual([1, ["incomplete"]]);
  await page.click("button:has-text('Try again')");
  await page.waitForURL(`${stripe.url}/pay/**`);
  await page.click("button[value=pay]");
  await page.waitForURL(`${redirectUri}?**`);
  expect(new URL(page.url()).searchParams.get("code")).toMatch(/^crm_code_/);
  await page.goto(`${world.url}/`);
  await judge(page, "$29.00 a month, free until");

  const second = await ask(hostileNames["markup"]!, 0);
  await page.click("button[value=allow]");
  await page.waitForURL(`${stripe.url}/pay/**`);
  await setUris(second.id, ["https://app.example.com/other"]);
  await page.click("button[value=pay]");
  await judge(page, "Your subscription is ended, and what was charged is refunded.");
  await platform.settle();
  expect(await platform.statuses(second)).toEqual(["canceled"]);

  // Unpaid: the next invoice fails, and the grace period ends.
  for (const customer of stripe.books.cards.keys()) stripe.books.cards.set(customer, false);
  await platform.pass({ days: 45 });
  await platform.settle();
  await platform.pass({ days: 7 });
  await page.goto(`${world.url}/`);
  await judge(page, "Not paid. The app does not work until the invoice is paid.");
  await page.click("text=Billing at Stripe >> nth=-1");
  await page.waitForURL(`${stripe.url}/portal/**`);
  expect(complaints.filter((one) => !one.includes("503") && !one.includes("403"))).toEqual([]);
}, 60_000);
