/** The example app of the documents, as a process of its own: a person installs it, it shows the contacts of the place they chose, and hears of new ones. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { givenContact } from "../support/given.ts";
import { givenApp, givenOlga } from "../support/marketplace.ts";
import { startNode } from "../support/node-process.ts";
import { toLoopback } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";

test("is installed, lists contacts, hears of new ones, and knows what it did not begin or was not sent", async () => {
  const world = await createWorld("sqlite", { environment: toLoopback });
  try {
    // The app judges the age of signatures by the clock of the machine.
    world.clock.advance({ milliseconds: Date.now() - world.clock.now().getTime() });
    const port = await freePort();
    const redirectUris = [`http://localhost:${port}/callback`];
    const app = await givenApp(world, {
      redirectUris,
      scopes: ["contacts.readonly", "locations.readonly", "webhooks.write"],
    });
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

    expect(await (await fetch(at)).text()).toContain('<a href="/install">Install in crm</a>');
    const install = await fetch(`${at}/install`, { redirect: "manual" });
    const address = new URL(install.headers.get("location")!);
    const page = await olga.get(address.pathname + address.search);
    const { location: back } = await olga.submit(page, { location_id: String(world.north), answer: "allow" });
    const foreign = new URL(back);
    foreign.searchParams.set("state", "x");
    expect(await (await fetch(foreign)).text()).toContain("This was not begun here.");
    const home = await fetch(back);
    expect(await home.json()).toEqual({ location: "North", contacts: ["Grace Hopper"], heard: [] });

    await givenContact(world, { first_name: "Ada", last_name: "Lovelace" });
    await givenContact(world, { first_name: "Not", last_name: "Here", location_id: world.south });
    for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    const forged = (signature: string) =>
      fetch(`${at}/hooks`, { method: "POST", body: "{}", headers: { "x-service-signature": signature } });
    const seconds = Math.floor(Date.now() / 1000);
    expect((await forged(`t=${seconds},v1=${"0".repeat(64)}`)).status).toBe(401);
    expect((await forged("")).status).toBe(401);
    expect(await (await fetch(at)).json()).toMatchObject({ heard: ["Ada Lovelace"] });
    expect(await (await fetch(back)).text()).toContain("This was not begun here.");
  } finally {
    await world.close();
  }
});
