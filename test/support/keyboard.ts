/** What people do with a keyboard alone. */
import type { Page } from "playwright-core";

/** Presses Tab until the first element of `selector` has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first();
  for (let n = 0; n < 60; n++) {
    if (await target.evaluate((element) => element.matches(":focus"))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${selector} on ${page.url()}`);
}

/** Goes to an element by Tab and presses Enter, which leads to another page. */
export async function enterAt(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
}
