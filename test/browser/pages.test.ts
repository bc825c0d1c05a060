/** Every page in a real Chromium: it fits the viewport, is accessible, and violates no CSP. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startChromium } from "../support/browser.ts";
import type { Chromium, Look } from "../support/browser.ts";
import { aThirdOf, sampleOf } from "../support/chance.ts";
import { createPageGround, emails } from "../support/page-ground.ts";
import type { Looker, PageGround } from "../support/page-ground.ts";
import { password } from "../support/person.ts";

/** Takes screenshots for reviewing page changes, with CRM_TEST_PICTURES=on; they are not compared, since fonts differ. */
const isPictured = process.env["CRM_TEST_PICTURES"] === "on";
const pictures = join(import.meta.dirname, "../../node_modules/.cache/pages");

let ground: PageGround;
let chromium: Chromium;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  ground = await createPageGround();
  chromium = await startChromium(new URL(ground.world.url).host, ground.appHost);
});
afterAll(async () => {
  await chromium?.close();
  await ground?.close();
});

type Window = Awaited<ReturnType<Chromium["open"]>>;

/** One browser context per user, signed in through the page if the page under test needs a session. */
function windows(look: Look): (as: Looker) => Promise<Window> {
  const open = new Map<Looker, Promise<Window>>();
  async function openFor(as: Looker): Promise<Window> {
    const window = await chromium.open(look);
    if (as === "nobody") return window;
    await window.page.goto(`${ground.world.url}/sign-in`);
    await window.page.fill("#email", emails[as]);
    await window.page.fill("#password", password);
    await window.page.click("main form button.primary");
    await window.page.waitForURL(`${ground.world.url}/`);
    return window;
  }
  return (as) => {
    const known = open.get(as) ?? openFor(as);
    open.set(as, known);
    return known;
  };
}

/** The page of each name, one after the other, in one look. */
async function eachPage(
  look: Look,
  names: readonly string[],
  judge: (page: Page, name: string, window: Window) => Promise<void>,
): Promise<void> {
  // Attempts to sign in are counted in windows of ten minutes.
  ground.world.clock.advance({ minutes: 11 });
  const opened = new Set<Window>();
  const windowOf = windows(look);
  try {
    for (const name of names) {
      const { path, as } = ground.pages[name]!;
      const window = await windowOf(as);
      opened.add(window);
      await window.page.goto(ground.world.url + path);
      await judge(window.page, name, window);
      expect(window.complaints, name).toEqual([]);
    }
  } finally {
    await Promise.all([...opened].map(({ context }) => context.close()));
  }
}

/** How much wider than its window a page is. */
const overflow = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ content: axe.source });
  const values = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
  const options = JSON.stringify({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
  const found: Found = await page.evaluate(`axe.run(${options})`);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

const widths = [320, 360, 1280];
const themes = ["light", "dark"] as const;

test.each(isPictured ? themes : sampleOf("themes of pages", 1, themes))(
  "%s: nothing complains, and nothing overflows at any width or with text at 200 %%",
  async (theme) => {
    await eachPage({ theme }, Object.keys(ground.pages), async (page, name) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page), `${name} at ${width} px`).toBe(0);
        if (!isPictured || width === 320) continue;
        const path = join(pictures, `${name.replaceAll(" ", "-")}-${width}-${theme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      await page.setViewportSize({ width: 640, height: 900 });
      // What a browser's own setting does: everything that is measured in rem grows.
      await page.evaluate('document.documentElement.style.fontSize = "200%"');
      expect(await overflow(page), `${name} with text at 200 %`).toBe(0);
    });
  },
);

const looksOfAxe = [360, 1280].flatMap((width) => themes.map((theme) => ({ width, theme })));

test.each(sampleOf("looks of pages for axe", 1, looksOfAxe))(
  "at $width px, $theme: axe finds nothing, with menus open too",
  async (look) => {
    const all = Object.keys(ground.pages);
    const names = sampleOf("pages for axe", Math.ceil(all.length / 6), all);
    await eachPage({ ...look, bypassesPolicy: true }, names, async (page, name) => {
      expect(await faultsOf(page), name).toEqual([]);
      const menu = page.locator("[popovertarget]");
      if ((await menu.count()) === 0) return;
      await menu.click();
      expect(await page.locator(".menu").isVisible()).toBe(true);
      expect(await faultsOf(page), `${name}, menu open`).toEqual([]);
      expect(await overflow(page), name).toBe(0);
    });
  },
);

test("without JavaScript everything is there but what needs it", async () => {
  const names = aThirdOf("pages without JavaScript", Object.keys(ground.pages));
  await eachPage({ javaScript: false }, names, async (page, name) => {
    expect(await page.locator("h1").count(), name).toBe(1);
    expect(await page.locator("[aria-label='Show password']:visible, input[type=search]:visible").count(), name).toBe(
      0,
    );
  });
});
