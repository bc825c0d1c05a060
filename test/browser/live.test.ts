/** Live pages in a real Chromium: what changes is seen in every tab without loading, and what is typed stays. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BrowserContext, Page } from "playwright-core";
import { sendTest } from "../../src/webhooks/deliveries/delivery.service.ts";
import { registerHook } from "../../src/webhooks/hooks/hook.service.ts";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { givenContact } from "../support/given.ts";
import { someTarget } from "../support/given-hooks.ts";
import { givenOlga } from "../support/marketplace.ts";
import { givenRun, givenWorkflow } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
let chromium: Chromium;
let context: BrowserContext;
let complaints: string[];
beforeAll(async () => {
  world = await createWorld("sqlite");
  const olga = await givenOlga(world);
  // Events have positions once a worker has run.
  await world.service.worker.start();
  chromium = await startChromium(new URL(world.url).host);
  let first: Page;
  ({ page: first, context, complaints } = await chromium.open());
  await context.addCookies([...olga.cookies].map(([name, value]) => ({ name, value, url: world.url })));
  await first.close();
});
afterAll(async () => {
  await chromium?.close();
  await world?.service.worker.stop();
  await world?.close();
});

/** Two tabs on a page, both connected: the second one by the first one's stream. */
async function openTabs(path: string): Promise<readonly [Page, Page]> {
  const streams: string[] = [];
  context.on("request", (request) => void (request.url().endsWith("/live") && streams.push(request.url())));
  const tabs = [await context.newPage(), await context.newPage()] as const;
  for (const tab of tabs) {
    const asked = tab.waitForResponse(
      (response) => response.url().endsWith(path) && response.request().isNavigationRequest() === false,
    );
    await tab.goto(world.url + path);
    // The page has asked again after the stream was ready.
    await asked;
  }
  expect(streams).toHaveLength(1);
  return tabs;
}

test("a delivery appears in every tab, over one stream, and its bar with it", async () => {
  const acme = world.service.inWorkspace(world.acme);
  const hook = await acme.change((change) => registerHook(change, { events: null, targetUrl: someTarget }));
  const tabs = await openTabs(`/w/${world.acme}/webhooks/${hook.id}`);
  expect(await tabs[0].locator(".bars rect").count()).toBe(0);
  const { id } = await acme.change((change) => sendTest(change, hook.id));
  for (const tab of tabs) {
    await tab.getByText(`#${id} ·`).waitFor({ state: "attached" });
    await tab.getByRole("img", { name: "1 delivery in 24 hours. None failed." }).waitFor();
    await tab.close();
  }
  expect(complaints).toEqual([]);
});

test("a run appears, and what is typed beside it stays", async () => {
  const workflow = await givenWorkflow(world, { listen: { type: "wait", reply: true } as never });
  const [tab, other] = await openTabs(`/l/${world.north}/workflows/${workflow}`);
  await tab.fill("#contact_id", "4711");
  const { id: contact } = await givenContact(world);
  const run = await givenRun(world, workflow, contact);
  for (const one of [tab, other]) await one.getByRole("link", { name: `Run ${run}` }).waitFor();
  expect(await tab.inputValue("#contact_id")).toBe("4711");
  expect(complaints).toEqual([]);
});
