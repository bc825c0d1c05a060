/** The marketplace app of the examples, outside of the clone: from the install to a task that a webhook led to. */
import { expect, test } from "vitest";
import { chanceOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { givenContact } from "../support/given.ts";
import { installClient } from "../support/installed-client.ts";
import { givenApp, givenOlga } from "../support/marketplace.ts";
import { startNode } from "../support/node-process.ts";
import { toLoopback } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";

const kind = databaseKinds[Math.floor(chanceOf("marketplace example")() * 2)]!;

test("is installed, paid, hears of a contact and plans its welcome; forged requests change nothing", async () => {
  await using folder = await installClient(["h3"]);
  const world = await createWorld(kind, { environment: toLoopback });
  try {
    // The app judges the age of signatures by the clock of the machine.
    world.clock.advance({ milliseconds: Date.now() - world.clock.now().getTime() });
    const port = await freePort();
    const at = `http://localhost:${port}`;
    const app = await givenApp(world, {
      redirectUris: [`${at}/callback`],
      scopes: ["contacts.readonly", "tasks.write", "webhooks.write"],
      paymentPage: `${at}/pay`,
    });
    await using example = startNode([await folder.copy("examples/marketplace-app/app.ts")], {
      directory: folder.path,
      environment: {
        CRM_URL: world.url,
        CRM_CLIENT_ID: app.client_id,
        CRM_CLIENT_SECRET: app.client_secret,
        PORT: String(port),
      },
      timeoutSeconds: 60,
    });
    await example.match(new RegExp(String(port)));
    const olga = await givenOlga(world);
    const home = async () => (await fetch(at)).json() as Promise<object>;

    expect(await (await fetch(at)).text()).toContain('<a href="/install">Install in crm</a>');
    const install = await fetch(`${at}/install`, { redirect: "manual" });
    const asked = new URL(install.headers.get("location")!);
    const page = await olga.get(asked.pathname + asked.search);
    const { location: payment } = await olga.submit(page, { location_id: String(world.north), answer: "allow" });
    expect(await (await fetch(payment)).text()).toContain("USD 29.00");
    const forged = payment.replace(encodeURIComponent(world.url), encodeURIComponent("https://evil.example"));
    expect(await (await fetch(forged)).text()).toContain("not one of ours");
    const payed = await fetch(payment, { method: "POST", redirect: "manual" });
    const back = new URL(payed.headers.get("location")!);
    const { location: callback } = await olga.get(back.pathname + back.search);
    const foreign = new URL(callback);
    foreign.searchParams.set("state", "x");
    expect(await (await fetch(foreign)).text()).toContain("This browser did not begin the install");
    await fetch(callback);
    expect(await home()).toEqual({ installedAt: [world.north], paid: [String(world.north)], welcomed: [] });

    await givenContact(world, { first_name: "Ada", last_name: "Lovelace" });
    for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    const { body } = await world.send("owner", "GET", `/tasks?location_id=${world.north}`);
    expect(body.data).toMatchObject([{ title: "Welcome Ada Lovelace" }]);
    expect(await home()).toMatchObject({ welcomed: ["Ada Lovelace"] });
    const headers = { "x-service-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` };
    expect((await fetch(`${at}/hooks`, { method: "POST", body: "{}", headers })).status).toBe(401);
    expect(await (await fetch(callback)).text()).toContain("This browser did not begin the install");
  } finally {
    await world.close();
  }
}, 120_000);
