/** `crm-client` in a real Chromium, on a page of another site: it creates, pages, reads errors and verifies a webhook. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sign, toSigningKey } from "../../src/webhooks/signature.ts";
import { startChromium } from "../support/browser.ts";
import { installClient } from "../support/installed-client.ts";
import { createWorld } from "../support/world.ts";

test("runs in a browser", async () => {
  await using folder = await installClient();
  const server = createServer(async ({ url = "/" }, response) => {
    if (!url.endsWith(".js")) return void response.setHeader("content-type", "text/html").end("<h1>App</h1>");
    const text = await readFile(join(folder.path, "node_modules/crm-client/dist/esm", url));
    response.setHeader("content-type", "text/javascript").end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = await createWorld("sqlite", { environment: { CRM_CORS_ORIGINS: `http://${host}` } });
  const chromium = await startChromium(new URL(world.url).host, host);
  try {
    const { page, context } = await chromium.open({ bypassesPolicy: true });
    // Playwright answers preflights itself where it watches requests.
    await context.unrouteAll();
    await page.goto(`http://${host}/`);
    const body = JSON.stringify({ id: 1, event: "ping", created_at: "", data: {} });
    const given = {
      options: { baseUrl: world.url, token: world.keys.owner, location: world.north },
      body,
      header: sign(body, [toSigningKey("whsec_1")], Date.now()),
    };
    const done = await page.evaluate(`(async ({ options, body, header }) => {
      const { createClient } = await import("/client.js");
      const { verify } = await import("/webhooks.js");
      const crm = createClient(options);
      const contacts = Array.from({ length: 120 }, (_, n) => ({ email: "many." + n + "@example.com" }));
      await crm.contacts.bulkUpsert({ contacts });
      let count = 0;
      for await (const contact of crm.contacts.all()) count += contact.id > 0 ? 1 : 0;
      const error = await crm.contacts.get(999999).catch((thrown) => thrown);
      return { count, code: error.code, detail: error.detail, event: (await verify(body, header, "whsec_1")).event };
    })(${JSON.stringify(given)})`);
    expect(done).toEqual({
      count: 120,
      code: "contact.not_found",
      detail: "There is no contact with that id in this location.",
      event: "ping",
    });
    await context.close();
  } finally {
    await chromium.close();
    await world.close();
    server.closeAllConnections();
    server.close();
  }
});
