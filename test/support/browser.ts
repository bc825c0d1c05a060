/** A real Chromium, which comes from npm like everything else; CRM_TEST_CHROMIUM names another one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import type { BrowserContext, Page } from "playwright-core";

// Quiet, and of no trace: nothing is asked of the network but what a page asks of us.
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No name and no address but those of this machine is ever asked for anything.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly javaScript?: boolean;
  /** For servers of a test that are https. */
  readonly trustsAnybody?: boolean;
  /** For axe, which is put into the page past its policy. */
  readonly bypassesPolicy?: boolean;
}

export interface Chromium {
  /** A window of its own, with cookies of its own. What its pages complain of is in `complaints`. */
  open(look?: Look): Promise<{ page: Page; context: BrowserContext; complaints: string[] }>;
  close(): Promise<void>;
}

export async function startChromium(...ownHosts: string[]): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), "crm-chromium-"));
  const executablePath = process.env["CRM_TEST_CHROMIUM"] ?? (await chromium.executablePath());
  const browser = await playwright.launch({ executablePath, args: flags, env: { ...process.env, HOME: folder } });
  return {
    async open({
      width = 1280,
      height = 900,
      theme = "light",
      javaScript = true,
      bypassesPolicy = false,
      trustsAnybody = false,
    } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        javaScriptEnabled: javaScript,
        bypassCSP: bypassesPolicy,
        ignoreHTTPSErrors: trustsAnybody,
        // View transitions and the like take time that a test does not have.
        reducedMotion: "reduce",
      });
      const complaints: string[] = [];
      // Told, not intercepted: a browser that asks here before each request keeps no style or script from page to page.
      context.on("request", (request) => {
        const { host } = new URL(request.url());
        if (!ownHosts.includes(host)) complaints.push(`asked for ${request.url()}`);
      });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      page.on("console", (message) => {
        const { url } = message.location();
        // A status that is meant (422, 403) is told by the browser as well.
        if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
          complaints.push(`${url}: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      return { page, context, complaints };
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
