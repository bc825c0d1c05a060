/** Pages under hostile names, in a real Chromium: every button can be seen and pressed, and no page scrolls sideways. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { aThirdOf, sampleOf } from "../support/chance.ts";
import { hostileNames } from "../support/hostile-names.ts";
import { createPageGround, emails } from "../support/page-ground.ts";
import type { Looker, PageGround } from "../support/page-ground.ts";
import { password } from "../support/person.ts";

/** Takes screenshots for reviewing page changes, with CRM_TEST_PICTURES=on. */
const isPictured = process.env["CRM_TEST_PICTURES"] === "on";
const pictures = join(import.meta.dirname, "../../node_modules/.cache/pages");

type Window = Awaited<ReturnType<Chromium["open"]>>;

let ground: PageGround;
let chromium: Chromium;
const windows = new Map<Looker, Window>();
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  ground = await createPageGround();
  chromium = await startChromium(new URL(ground.world.url).host, ground.appHost);
  windows.set("nobody", await chromium.open());
  for (const as of ["olga", "nora", "otto"] as const) {
    const window = await chromium.open();
    await window.page.goto(`${ground.world.url}/sign-in`);
    await window.page.fill("#email", emails[as]);
    await window.page.fill("#password", password);
    await window.page.click("main form button.primary");
    await window.page.waitForURL(`${ground.world.url}/`);
    windows.set(as, window);
  }
});
afterAll(async () => {
  await chromium?.close();
  await ground?.close();
});

/** What a browser says of one page: how far it scrolls sideways, and the buttons and fields that are not to be seen whole. */
const judge = `(() => {
  const root = document.documentElement;
  const faults = [];
  for (const control of document.querySelectorAll("a, button, input, summary")) {
    const box = control.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !control.checkVisibility()) continue;
    const called = control.outerHTML.slice(0, 80);
    if (box.left < -0.5 || box.right > root.clientWidth + 0.5) faults.push("outside of the window: " + called);
    if (control.matches("a.button, button") && control.scrollWidth > control.clientWidth + 1) faults.push("its words do not fit: " + called);
    for (let around = control.parentElement; around !== null && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const frame = around.getBoundingClientRect();
      const isCutAcross = overflowX !== "visible" && (box.left < frame.left - 0.5 || box.right > frame.right + 0.5);
      const isCutDown = /hidden|clip/.test(overflowY) && (box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5);
      if (isCutAcross || isCutDown) faults.push("cut by " + around.className + ": " + called);
    }
  }
  return { sideways: root.scrollWidth - root.clientWidth, faults };
})()`;

async function expectAllInSight(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(judge), name).toEqual({ sideways: 0, faults: [] });
}

const widths = [360, 1280];
const kinds = Object.keys(hostileNames);

test.each(isPictured ? kinds : sampleOf("hostile names on pages", 1, kinds))("%s", async (kind) => {
  await ground.rename(hostileNames[kind]!);
  const all = Object.entries(ground.pages);
  for (const [name, { path, as }] of isPictured ? all : aThirdOf("pages for hostile names", all)) {
    const { page, complaints } = windows.get(as)!;
    await page.goto(ground.world.url + path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await expectAllInSight(page, `${name} at ${width}`);
      if (isPictured) {
        const file = `${kind}-${name}-${width}.png`.replaceAll(" ", "-");
        await page.screenshot({ path: join(pictures, file), fullPage: true });
      }
      const menu = page.locator("[popovertarget]");
      if ((await menu.count()) === 0) continue;
      await menu.click();
      await expectAllInSight(page, `${name} at ${width}, menu open`);
      await page.keyboard.press("Escape");
    }
    expect(complaints, name).toEqual([]);
  }
});
