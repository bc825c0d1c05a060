/** `crm billing ledger` lists every report once, in order, page by page, for the workspace that makes the app and for the payer. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allPages } from "../../src/kit/page.ts";
import { listLedger } from "../../src/marketplace/billing/external/ledger.queries.ts";
import type { LedgerQuery } from "../../src/marketplace/billing/external/ledger.queries.ts";
import { report } from "../support/billing.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenApp } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("the ledger on %s", (kind) => {
  let world: World;
  let app: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    world = await createWorld(kind);
    [app, other] = [await givenApp(world), await givenApp(world)];
    const { north, foreign, acme } = world;
    const ofCompany = { authType: "company", companyId: acme, status: "FAILED", paymentType: "one_time" };
    await report(world.url, app, { locationId: north, paymentId: "north 1" });
    await report(world.url, app, { locationId: north, paymentId: "north 2" });
    await report(world.url, app, { locationId: foreign, paymentId: "foreign" });
    await report(world.url, app, { ...ofCompany, amount: 0.1, paymentId: "company", subscriptionId: "sub" });
    await report(world.url, other, { locationId: north, paymentId: "other" });
    // The latest report of all belongs to the first subscription.
    await report(world.url, app, { locationId: north, paymentId: "north 3" });
  });
  afterAll(() => world?.close());

  const listed = (workspace: number, query: LedgerQuery = {}) =>
    allPages((asked) => listLedger(world.service.inWorkspace(workspace), { ...asked, ...query }));
  const payments = async (...asked: Parameters<typeof listed>) =>
    (await listed(...asked)).map(({ payment_id }) => payment_id);
  const north = ["north 3", "north 2", "north 1"];

  test("a report is shown with its app and its payer", async () => {
    expect((await listed(world.acme))[1]).toEqual({
      id: expect.any(Number),
      app: { name: "Ledgerline", client_id: app.client_id },
      location_id: null,
      company_id: world.acme,
      status: "FAILED",
      amount_cents: 10,
      payment_type: "one_time",
      payment_id: "company",
      subscription_id: "sub",
      occurred_at: null,
      received_at: world.clock.now().toISOString(),
    });
  });

  test("it goes subscription by subscription, the newest first: to the maker all of it, to a payer his own, to others nothing", async () => {
    const [payer] = await world.service.database.rows<{ workspace_id: number }>(
      "select workspace_id from locations where id = ?",
      [world.foreign],
    );
    expect(await payments(world.acme)).toEqual(["other", "company", "foreign", ...north]);
    expect(await payments(payer!.workspace_id)).toEqual(["foreign"]);
    expect(await payments(999)).toEqual([]);
  });

  test("it is asked for an app, for a location, for both; neither may be one that there is not", async () => {
    expect(await payments(world.acme, { app: app.client_id })).toEqual(["company", "foreign", ...north]);
    expect(await payments(world.acme, { locationId: world.north })).toEqual(["other", ...north]);
    expect(await payments(world.acme, { app: app.client_id, locationId: world.foreign })).toEqual(["foreign"]);
    expect(await payments(world.acme, { app: other.client_id, locationId: world.foreign })).toEqual([]);
    await expect(payments(world.acme, { app: "crm_app_x" })).rejects.toThrow("app.not_found");
    await expect(payments(world.acme, { locationId: 999_999 })).rejects.toThrow("location.not_found");
  });

  test("pages end within a subscription, and nothing is missed or told twice", async () => {
    const many = Array.from({ length: 450 }, () => "(?, 'COMPLETED', 100, 'recurring', ?)").join(", ");
    const [subscription] = await world.service.database.rows<{ id: number }>(
      "select min(id) as id from app_subscriptions",
    );
    const insertText = `insert into billing_reports (app_subscription_id, status, amount_cents, payment_type, received_at) values ${many}`;
    const values = Array.from({ length: 450 }, () => [subscription!.id, world.clock.now()]).flat();
    await world.service.database.transaction((change) => change.rows(insertText, values));
    const all = await listed(world.acme);
    expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([456, 456]);
    expect(all.slice(-3).map(({ payment_id }) => payment_id)).toEqual(north);
    const { data, next_cursor } = await listLedger(world.service.inWorkspace(world.acme), {});
    expect([data.length, next_cursor]).toEqual([200, expect.any(String)]);
    // A cursor is valid only for the list that issued it.
    const elsewhere = listLedger(world.service.inWorkspace(world.acme), { cursor: next_cursor, app: app.client_id });
    await expect(elsewhere).rejects.toMatchObject({ errors: { cursor: [expect.any(String)] } });
  });
});
