/** Each kind of work begins by what wakes its duty, a second after a request at the latest: without the scan, and without word of own commits. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/marketplace/apps/app.operations.ts";
import { report } from "../support/billing.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenChannel, givenContact, givenConversation, made } from "../support/given.ts";
import { startMailServer } from "../support/mail-server.ts";
import { callback } from "../support/marketplace.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { givenRun, givenWorkflow, runOf } from "../support/workflows.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** A scan that does not come while a test runs. */
const environment = { ...toLoopback, CRM_WORKER_CRON: "0 0 1 1 *" };

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    world = await createWorld(kind, { environment, quiet: true });
    await world.service.worker.start();
  });
  afterAll(async () => {
    await world?.service.worker.stop();
    await world?.close();
    await receiver?.[Symbol.asyncDispose]();
  });

  const soon = { timeout: 8000, interval: 10 };
  const told = (event: string) => receiver.arrivals.filter((arrival) => arrival.event === event).length;

  test("a change is delivered, a test event as well, and a delivery once more", async () => {
    const { id } = await made(
      world.send("owner", "POST", "/hooks", { event: "contact.updated", target_url: receiver.url }),
    );
    const contact = await givenContact(world);
    await world.send("owner", "PATCH", `/contacts/${contact.id}`, { location_id: world.north, first_name: "Augusta" });
    await expect.poll(() => told("contact.updated"), soon).toBe(1);
    await made(world.send("owner", "POST", `/hooks/${id}/test`));
    await expect.poll(() => told("ping"), soon).toBe(1);
    const { data: deliveries } = await made(world.send("owner", "GET", `/hooks/${id}/deliveries`));
    await made(world.send("owner", "POST", `/hooks/deliveries/${deliveries.at(-1).id}/replay`));
    await expect.poll(() => told("contact.updated") + told("ping"), soon).toBe(3);
  });

  test("an event starts a run, which posts, and moves on by the answer", async () => {
    await givenWorkflow(
      world,
      { call: { type: "webhook", url: receiver.url, next: "note" }, note: { type: "add_note", body: "Called" } },
      { trigger: { event: "contact.created", filter: { first_name: "Grace" } } },
    );
    const { id } = await givenContact(world, { first_name: "Grace" });
    const notes = async () =>
      (await made(world.send("owner", "GET", `/contacts/${id}?location_id=${world.north}`))).notes.map(
        ({ body }: { body: string }) => body,
      );
    await expect.poll(notes, soon).toEqual(["Called"]);
  });

  test("a run that waits for an event is woken by it", async () => {
    const workflow = await givenWorkflow(world, {
      rest: { type: "wait", event: "note.added", timeout: "1d" },
    });
    const { id } = await givenContact(world);
    const run = await givenRun(world, workflow, id);
    await expect.poll(async () => (await runOf(world, run)).wait_reason, soon).toBe("event");
    await made(world.send("owner", "POST", `/contacts/${id}/notes`, { location_id: world.north, body: "Called" }));
    await expect.poll(async () => (await runOf(world, run)).status, soon).toBe("completed");
  });

  test("a payment report, which no caller sends, is told to the webhook of its app", async () => {
    const billing = { billing: "external" as const, payment_page_url: "https://app.example.com/pay" };
    const webhook = { scopes: ["contacts.readonly" as const], webhook_url: receiver.url };
    const app = await world.service.carryOut(createApp, world.service.inWorkspace(world.acme), {
      input: { name: "Ledgerline", redirect_uris: [callback], ...webhook, ...billing },
    });
    await report(world.url, app, {
      locationId: world.south,
      status: "COMPLETED",
      paymentId: "p1",
      subscriptionId: "sub_1",
    });
    await expect.poll(() => told("app.subscription_changed"), soon).toBe(1);
  });

  test("a message is sent, and the next one of its conversation", async () => {
    await using server = await startMailServer();
    const fields = { transport: "smtp", transport_url: server.url, address: "desk@acme.example" } as const;
    const channel = await givenChannel(world, { kind: "email", name: "Front desk", ...fields });
    const { conversation } = await givenConversation(world, { channel_id: channel.id });
    for (const body of ["Good morning!", "And another thing"])
      await made(
        world.send("owner", "POST", `/conversations/${conversation.id}/messages`, { location_id: world.north, body }),
      );
    await expect.poll(() => server.mails.length, soon).toBe(2);
  });
});
