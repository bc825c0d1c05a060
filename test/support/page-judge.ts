/** What a browser says of a page: how far it scrolls sideways, controls that are not to be seen whole, and what axe finds. */
import axe from "axe-core";
import type { Page } from "playwright-core";

const judge = `(() => {
  const root = document.documentElement;
  const faults = [];
  for (const control of document.querySelectorAll("a, button, input, summary")) {
    const box = control.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !control.checkVisibility()) continue;
    const called = control.outerHTML.slice(0, 80);
    // Off screen until it has the focus.
    if (control.matches(".skip:not(:focus)")) continue;
    if (box.left < -0.5 || box.right > root.clientWidth + 0.5) faults.push("outside of the window: " + called);
    if (control.matches("a.button, button") && control.scrollWidth > control.clientWidth + 1) faults.push("its words do not fit: " + called);
    for (let around = control.parentElement; around !== null && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const frame = around.getBoundingClientRect();
      const isCutAcross = overflowX !== "visible" && (box.left < frame.left - 0.5 || box.right > frame.right + 0.5);
      const isCutDown = /hidden|clip/.test(overflowY) && (box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5);
      if (isCutAcross || isCutDown) faults.push("cut by " + around.className + ": " + called);
      // In the top layer nothing around it cuts it.
      if (around.matches(":popover-open")) break;
    }
  }
  return { sideways: root.scrollWidth - root.clientWidth, faults };
})()`;

/** `{ sideways: 0, faults: [] }` for a page on which every control can be seen and pressed. */
export function judgeBoxes(page: Page): Promise<unknown> {
  return page.evaluate(judge);
}

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** The violations that axe finds on the page, or in the parts of it that match `within`, a CSS selector. */
export async function judgeAccess(page: Page, within = "html"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const values = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
  const options = JSON.stringify({ runOnly: { type: "tag", values }, resultTypes: ["violations"] });
  const found: Found = await page.evaluate(`axe.run(${JSON.stringify(within)}, ${options})`);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}
