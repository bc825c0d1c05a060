/** A page of another site uses the API from a real Chromium, and a page of a third one cannot. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startChromium } from "../support/browser.ts";
import { createWorld } from "../support/world.ts";

async function startSite() {
  const server = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<h1>App</h1>"),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("only a page of an allowed site writes, and reads the response and its headers", async () => {
  await using allowed = await startSite();
  await using other = await startSite();
  const world = await createWorld("sqlite", { environment: { CRM_CORS_ORIGINS: `http://${allowed.host}` } });
  const chromium = await startChromium(new URL(world.url).host, allowed.host, other.host);
  try {
    const ask = {
      url: `${world.url}/api/v1/contacts`,
      method: "POST",
      headers: { authorization: `Bearer ${world.keys.owner}`, "content-type": "application/json" },
      body: JSON.stringify({ location_id: world.north, first_name: "Ada", last_name: "Site" }),
    };
    const told = [];
    for (const { host } of [allowed, other]) {
      const { page, context } = await chromium.open({ bypassesPolicy: true });
      // Playwright answers preflights itself where it watches requests.
      await context.unrouteAll();
      await page.goto(`http://${host}/`);
      told.push(
        await page.evaluate(
          `fetch(${JSON.stringify(ask.url)}, ${JSON.stringify(ask)}).then(async (response) =>
            [response.status, response.headers.has("etag"), (await response.json()).first_name], () => "refused")`,
        ),
      );
      await context.close();
    }
    expect(told).toEqual([[201, true, "Ada"], "refused"]);
    const written = await world.service.database.rows("select id from contacts where last_name = 'Site'");
    expect(written).toHaveLength(1);
  } finally {
    await chromium.close();
    await world.close();
  }
});
