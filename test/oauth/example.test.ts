/** The example app of the documents, as a process of its own: a person installs it, and it shows the contacts of the place they chose. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { givenContact } from "../support/given.ts";
import { givenApp, givenOlga } from "../support/marketplace.ts";
import { startNode } from "../support/node-process.ts";
import { createWorld } from "../support/world.ts";

test("is installed, lists contacts, and knows what it did not begin", async () => {
  const world = await createWorld("sqlite");
  try {
    const port = await freePort();
    const redirectUris = [`http://localhost:${port}/callback`];
    const app = await givenApp(world, { redirectUris, scopes: ["contacts.readonly", "locations.readonly"] });
    await givenContact(world, { first_name: "Grace", last_name: "Hopper" });
    await using example = startNode([join(import.meta.dirname, "../../examples/oauth-app/app.ts")], {
      environment: {
        CRM_URL: world.url,
        CRM_CLIENT_ID: app.client_id,
        CRM_CLIENT_SECRET: app.client_secret,
        PORT: String(port),
      },
    });
    await example.match(new RegExp(String(port)));
    const at = `http://localhost:${port}`;
    const olga = await givenOlga(world);

    expect(await (await fetch(at)).text()).toContain("Install in crm");
    const install = await fetch(`${at}/install`, { redirect: "manual" });
    const address = new URL(install.headers.get("location")!);
    const page = await olga.get(address.pathname + address.search);
    const { location: back } = await olga.submit(page, { location_id: String(world.north), answer: "allow" });
    const foreign = new URL(back);
    foreign.searchParams.set("state", "x");
    expect(await (await fetch(foreign)).text()).toContain("This was not begun here.");
    const home = await fetch(back);
    expect(await home.json()).toEqual({ location: "North", contacts: ["Grace Hopper"] });
    expect(await (await fetch(back)).text()).toContain("This was not begun here.");
  } finally {
    await world.close();
  }
});
