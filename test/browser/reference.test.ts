/** The API reference in a real Chromium: accessible in both themes, whole without JavaScript, and "Try it" behind the path of a proxy. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startChromium } from "../support/browser.ts";
import type { Chromium } from "../support/browser.ts";
import { sampleOf } from "../support/chance.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const isPictured = process.env["CRM_TEST_PICTURES"] === "on";
const pictures = join(import.meta.dirname, "../../node_modules/.cache/pages");

let world: World;
let chromium: Chromium;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  world = await createWorld("sqlite");
  chromium = await startChromium(new URL(world.url).host);
});
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

const pages = ["/docs/contacts/create", "/docs/errors-and-limits", "/docs/events/contact.updated"];

async function faultsOf(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source });
  const values = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
  const options = JSON.stringify({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
  const found: { violations: { id: string; nodes: { html: string }[] }[] } = await page.evaluate(`axe.run(${options})`);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

const looks = [360, 1280].flatMap((width) => (["light", "dark"] as const).map((theme) => ({ width, theme })));

test.each(isPictured ? looks : sampleOf("looks of the reference", 1, looks))(
  "at $width px, $theme: axe finds nothing, nothing overflows",
  async (look) => {
    const { page, context, complaints } = await chromium.open({ ...look, bypassesPolicy: true });
    for (const path of pages) {
      await page.goto(world.url + path);
      await page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))");
      expect(await faultsOf(page), path).toEqual([]);
      const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect([path, await page.evaluate(overflow)]).toEqual([path, 0]);
      if (!isPictured) continue;
      await page.reload();
      await page.screenshot({ path: join(pictures, `${path.replaceAll("/", "-")}-${look.width}-${look.theme}.png`) });
    }
    if (look.width === 360) {
      await page.click("[aria-label=Contents]");
      expect(await page.locator("#contents").isVisible()).toBe(true);
      expect(await faultsOf(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test("without JavaScript the languages, the contents and the search work", async () => {
  const { page, context } = await chromium.open({ javaScript: false });
  await page.goto(`${world.url}/docs/contacts/list`);
  expect(await page.locator("try-it").isVisible()).toBe(false);
  await page.click("text=Python");
  expect(await page.locator("pre:visible code").allInnerTexts()).toContainEqual(expect.stringContaining("urllib"));
  await page.fill("input[type=search]", "upsert");
  await page.press("input[type=search]", "Enter");
  await page.click('main a[href="/docs/contacts/upsert"]');
  expect(new URL(page.url()).pathname).toBe("/docs/contacts/upsert");
  await context.close();
});

test("the contents are filtered, and a request is sent with the key of the page", async () => {
  const { page, context, complaints } = await chromium.open();
  await page.goto(`${world.url}/docs`);
  await page.fill("input[type=search]", "contacts create");
  expect(await page.locator("#contents li:not(:has(li)) >> visible=true").allInnerTexts()).toEqual(["createContact"]);
  await page.press("input[type=search]", "Enter");
  await page.waitForURL("**/docs/contacts/create");
  await page.fill("#try-key", world.keys.owner!);
  await page.fill("#try-body", JSON.stringify({ location_id: world.north, first_name: "Tried", last_name: "Out" }));
  await page.click("try-it button");
  const status = page.locator("try-it .answer .badge");
  await expect.poll(() => status.innerText()).toBe("201");
  expect(JSON.parse(await page.locator("try-it .answer code").innerText())).toMatchObject({ name: "Tried Out" });
  await page.reload();
  expect(await page.inputValue("#try-key")).toBe("");
  expect(complaints).toEqual([]);
  await context.close();
});
