/**
 * Work pages in a real Chromium, over the rows of test/support/console-pages.ts: at every width and in both themes, with
 * menus open, without JavaScript, and under hostile names.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BrowserContext, Page } from "playwright-core";
import { startChromium } from "../support/browser.ts";
import type { Chromium, Look } from "../support/browser.ts";
import { aThirdOf, sampleOf } from "../support/chance.ts";
import { consolePages, givenConsoleRecords, nameEverything, pathWith } from "../support/console-pages.ts";
import type { ConsolePage, PathIds } from "../support/console-pages.ts";
import { someTarget } from "../support/given-hooks.ts";
import { hostileNames } from "../support/hostile-names.ts";
import { enterAt, tabTo } from "../support/keyboard.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { judgeAccess, judgeBoxes } from "../support/page-judge.ts";
import { createPerson } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Takes screenshots for reviewing page changes, with CRM_TEST_PICTURES=on; they are not compared, since fonts differ. */
const isPictured = process.env["CRM_TEST_PICTURES"] === "on";
const pictures = join(import.meta.dirname, "../../node_modules/.cache/pages");

const widths = [360, 768, 1280];
const themes = ["light", "dark"] as const;

let world: World;
let chromium: Chromium;
let ids: PathIds;
let cookies: ReadonlyMap<string, string>;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  world = await createWorld("sqlite");
  await givenPasswords(world);
  ids = (await givenConsoleRecords(world)).own;
  const olga = createPerson(world.url);
  await olga.signIn("olga@acme.example");
  cookies = olga.cookies;
  chromium = await startChromium(new URL(world.url).host);
});
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

/** A browser in which Olga is signed in. */
async function openAsOlga(look: Look): Promise<{ context: BrowserContext; complaints: string[] }> {
  const { page, context, complaints } = await chromium.open(look);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: world.url })));
  await page.close();
  return { context, complaints };
}

/** The pages of one browser, several at once. */
async function eachPage(
  look: Look,
  rows: readonly ConsolePage[],
  judge: (page: Page, row: ConsolePage) => Promise<void>,
): Promise<void> {
  const { context, complaints } = await openAsOlga(look);
  const left = rows.filter(({ isFormOnly, isFile, isStream }) => !(isFormOnly || isFile || isStream));
  async function next(): Promise<void> {
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      await page.goto(world.url + pathWith(row.path, ids));
      await judge(page, row);
    }
  }
  try {
    await Promise.all([next(), next(), next()]);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const inSight = { sideways: 0, faults: [] };

async function expectInSight(page: Page, { path }: ConsolePage): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 });
    expect(await judgeBoxes(page), `${path} at ${width}`).toEqual(inSight);
  }
}

const fileOf = ({ path }: ConsolePage) => path.slice(1).replaceAll(/[^\w]+/g, "-");

test.each(isPictured ? themes : sampleOf("themes of work pages", 1, themes))(
  "%s: every control of every page is in sight, at every width",
  async (theme) => {
    await eachPage({ theme }, consolePages, async (page, row) => {
      await expectInSight(page, row);
      if (!isPictured) return;
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: width === 360 ? 740 : 860 });
        await page.screenshot({ path: join(pictures, `${fileOf(row)}-${width}-${theme}.png`) });
      }
    });
  },
);

const looksOfAxe = [360, 1280].flatMap((width) => themes.map((theme) => ({ width, theme })));

test.each(sampleOf("looks of work pages for axe", 1, looksOfAxe))(
  "at $width px, $theme: axe finds nothing, with each menu open too",
  async (look) => {
    const rows = sampleOf("work pages for axe", Math.ceil(consolePages.length / 6), consolePages);
    await eachPage({ ...look, bypassesPolicy: true }, rows, async (page, row) => {
      expect(await judgeAccess(page), row.path).toEqual([]);
      for (const button of await page.locator("[popovertarget]:visible").all()) {
        await button.click();
        expect(await judgeBoxes(page), `${row.path}, menu open`).toEqual(inSight);
        await page.keyboard.press("Escape");
      }
      const last = page.locator("[popovertarget]:visible").last();
      await last.click();
      expect(await judgeAccess(page, ":popover-open"), `${row.path}, menu open`).toEqual([]);
    });
  },
);

test("without JavaScript everything is there but what needs it", async () => {
  await eachPage(
    { javaScript: false },
    aThirdOf("work pages without JavaScript", consolePages),
    async (page, { path }) => {
      expect(await page.locator("h1").count(), path).toBe(1);
      expect(await page.locator("copy-text button:visible").count(), path).toBe(0);
    },
  );
});

test.each(sampleOf("hostile names on work pages", 1, Object.keys(hostileNames)))(
  "%s: every control stays in sight",
  async (kind) => {
    await nameEverything(world, hostileNames[kind]!);
    const rows = isPictured ? consolePages : aThirdOf("work pages for hostile names", consolePages);
    await eachPage({}, rows, async (page, row) => {
      await expectInSight(page, row);
      if (!isPictured) return;
      await page.setViewportSize({ width: 360, height: 740 });
      await page.screenshot({ path: join(pictures, `${kind.replaceAll(" ", "-")}-${fileOf(row)}-360.png`) });
    });
  },
);

/** To the page before, or to the browser's own, which says that the answer of a form is not kept: that one comes after the refusal. */
async function goBack(page: Page): Promise<void> {
  await page.evaluate("window.isLeft = true");
  await page.goBack().catch(() => null);
  await page.waitForFunction("window.isLeft === undefined && document.readyState === 'complete'");
}

test("with the keyboard alone a webhook is registered and tested, and its delivery replayed", async () => {
  const { context, complaints } = await openAsOlga({ width: 360 });
  try {
    const page = await context.newPage();
    await page.goto(`${world.url}${pathWith("/w/{workspace}/webhooks", ids)}`);
    await enterAt(page, "main a.button.primary");
    await tabTo(page, "#target_url");
    await page.keyboard.type("ftp://example.com");
    await enterAt(page, "main form.form button");
    expect(await page.inputValue("#target_url")).toBe("ftp://example.com");
    await tabTo(page, "#target_url");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(`${someTarget}/keyboard`);
    await Promise.all([page.waitForSelector(".once"), page.keyboard.press("Enter")]);
    const secret = /whsec_[\w-]+/.exec(await page.content())![0];
    await enterAt(page, "main a.button.primary");
    await enterAt(page, "form[action$='/test'] button");
    expect(await page.locator(".notice", { hasText: "The test is queued" }).count()).toBe(1);
    await enterAt(page, "form[action$='/replay'] button");
    expect(await page.locator("h1").innerText()).toContain("ping");
    for (let n = 0; n < 3; n++) {
      await goBack(page);
      expect(await page.content()).not.toContain(secret);
    }
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
});

test.each(sampleOf("widths of a field that lacks a value", 1, [360, 1280]))(
  "a field that lacks a value shows below the head with its label at %i pixels",
  async (width) => {
    const { context } = await openAsOlga({ width, height: 480 });
    try {
      const page = await context.newPage();
      await page.goto(world.url + pathWith("/w/{workspace}/apps/new", ids));
      await page.fill("#name", "Ledgerline");
      await page.click("main form.form button.primary");
      await page.waitForFunction("document.activeElement.name === 'redirect_uris'");
      const label = (await page.locator("label[for=redirect_uris]").boundingBox())!;
      const head = (await page.locator(".head").boundingBox())!;
      expect(label.y).toBeGreaterThanOrEqual(head.y + head.height);
    } finally {
      await context.close();
    }
  },
);

test.each(sampleOf("themes with and without JavaScript", 1, [true, false]))(
  "with JavaScript: %s, the theme that was chosen is that of the page",
  async (javaScript) => {
    const { context } = await openAsOlga({ javaScript, theme: "light" });
    try {
      const page = await context.newPage();
      const canvas = async (path: string) => {
        await page.goto(world.url + path);
        return page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      };
      await page.goto(`${world.url}/me`);
      await page.check("[name=theme][value=dark]");
      await Promise.all([page.waitForEvent("load"), page.click("text=Save theme")]);
      const list = pathWith("/w/{workspace}/keys", ids);
      for (const path of ["/me", list, "/docs"]) expect([path, await canvas(path)]).toEqual([path, "rgb(14, 16, 20)"]);
      await context.clearCookies({ name: "crm_theme" });
      expect(await canvas(list)).toBe("rgb(246, 246, 248)");
    } finally {
      await context.close();
    }
  },
);

test("with the keyboard alone a key is created; Back shows no secret again, and creates no second key", async () => {
  const { context } = await openAsOlga({});
  try {
    const page = await context.newPage();
    const path = pathWith("/w/{workspace}/keys", ids);
    await page.goto(`${world.url}${path}/new`);
    await page.focus("#name");
    await page.keyboard.type("Typed by keyboard");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await Promise.all([page.waitForSelector(".once"), page.keyboard.press("Enter")]);
    const secret = /crm_key_\w+/.exec(await page.content())![0];
    await page.click("main a.button.primary");
    await page.waitForURL(`${world.url}${path}`);
    expect(await page.content()).not.toContain(secret);
    await goBack(page);
    expect(await page.content()).not.toContain(secret);
    await page.goto(`${world.url}${path}?state=all`);
    expect(await page.getByText("Typed by keyboard").count()).toBe(1);
  } finally {
    await context.close();
  }
});
