/** POST /api/oauth/billing/webhook: errors and their order, the recorded report, and the state of the subscription. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ledgerOf, report, reportOf, sendReport, subscriptionsOf } from "../support/billing.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import type { HttpAnswer } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenApp } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("reports of usage", 1, databaseKinds))("reports on %s", (kind) => {
  let world: World;
  let app: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    world = await createWorld(kind);
    other = await givenApp(world, { name: "Other" });
  });
  beforeEach(async () => {
    app = await givenApp(world);
  });
  afterAll(() => world?.close());

  const send = (fields: Record<string, unknown>) => report(world.url, app, { locationId: world.north, ...fields });
  const ledger = () => ledgerOf(world.service, app);
  const subscriptions = () => subscriptionsOf(world.service, world.acme, app);
  const told = ({ status, body }: HttpAnswer) => `${status} ${body.error ?? body.ok}`;

  test("a report is a row of the ledger, and the state of the subscription", async () => {
    const answer = await send({ amount: 29, subscriptionId: "sub-1", paymentId: "pay-1" });
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    expect(await ledger()).toEqual([
      {
        location_id: world.north,
        workspace_id: world.acme,
        status: "COMPLETED",
        amount_cents: 2900,
        payment_type: "recurring",
        payment_id: "pay-1",
        subscription_id: "sub-1",
      },
    ]);
    expect(await subscriptions()).toEqual([
      {
        app: { name: "Ledgerline", client_id: app.client_id },
        location_id: world.north,
        company_id: null,
        status: "active",
        amount_cents: 2900,
        subscription_id: "sub-1",
        last_report_at: world.clock.now().toISOString(),
        next_amount_cents: null,
        next_amount_from: null,
      },
    ]);
  });

  // Each row has its own fault and those of all rows below it: the response reports the first.
  const faults: readonly [string, Record<string, unknown>][] = [
    ["401 invalid_client", { clientId: "crm_app_other" }],
    ["422 invalid_auth_type", { authType: "workspace" }],
    ["422 invalid_amount", { amount: "29" }],
    ["422 invalid_status", { status: "completed" }],
    ["422 invalid_payment_type", { paymentType: "monthly" }],
    ["422 invalid_payment_id", { paymentId: "p".repeat(256) }],
    ["422 payment_id_required", { paymentType: "one_time", paymentId: undefined }],
    ["422 location_id_required", { locationId: undefined }],
    ["422 invalid_subscription_id", { subscriptionId: "s".repeat(256) }],
    ["422 invalid_occurred_at", { occurredAt: "yesterday" }],
    ["404 location.not_found", { locationId: 999_999 }],
  ];
  test.each(faults.map(([code], place) => [code, place] as const))("%s comes before all below it", async (code, at) => {
    // Where two faults set the same field, the earlier one is sent.
    const fields = Object.assign(
      {},
      ...faults
        .slice(at)
        .map(([, fault]) => fault)
        .toReversed(),
    );
    expect(told(await send(fields))).toBe(code);
    expect(told(await send(faults[at]![1]))).toBe(code);
    expect(await ledger()).toEqual([]);
  });

  test("the headers are judged before the body, and the body before what it says", async () => {
    const raw = (body: string, headers: Record<string, string> = {}) =>
      sendReport(world.url, app, body, { "content-type": "application/json", ...headers });
    const rows: [string, Promise<HttpAnswer>][] = [
      ["401 invalid_client", raw("{", { "x-service-client-secret": other.client_secret })],
      ["401 invalid_client", raw("{", { "x-service-client-secret": "" })],
      ["401 invalid_client", raw("{", { "x-service-client-key": "crm_app_x" })],
      ["400 invalid_json", raw("{")],
      ["400 invalid_json", raw('{"amount": NaN}')],
      ["401 invalid_client", raw("{}")],
      ["401 invalid_client", raw("")],
      ["401 invalid_client", raw("[]")],
      ["401 invalid_client", raw("null")],
      ["401 invalid_client", raw(JSON.stringify(reportOf(other, {})))],
      ["415 unsupported_media_type", raw("amount=29", { "content-type": "text/plain" })],
      ["413 payload_too_large", raw(JSON.stringify("x".repeat(65_536)))],
    ];
    for (const [code, answer] of rows) expect(told(await answer)).toBe(code);
    const without = { method: "POST", path: "/api/oauth/billing/webhook", body: reportOf(app, {}) };
    const { status, text } = await request(world.url, without);
    expect([status, text]).toEqual([401, '{"error":"invalid_client"}']);
    const get = await request(world.url, { ...without, method: "GET", body: undefined });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
    expect(await ledger()).toEqual([]);
  });

  test("a 422 has a code and a sentence", async () => {
    const { body } = await send({ status: "PENDING" });
    expect(body).toMatchObject({ error: "invalid_status", message: "status must be COMPLETED or FAILED." });
  });

  test.each([
    [0, 0],
    [0.01, 1],
    [0.1 + 0.2, 30],
    [-0, 0],
    [90_071_992_547_409.91, 9_007_199_254_740_991],
  ])("the amount %o is %i cents", async (amount, cents) => {
    // JSON.stringify writes -0 as 0.
    const body = JSON.stringify(reportOf(app, { locationId: world.north })).replace(
      '"amount":29',
      `"amount":${Object.is(amount, -0) ? "-0" : amount}`,
    );
    expect(told(await sendReport(world.url, app, body, { "content-type": "application/json" }))).toBe("200 true");
    expect((await ledger()).map(({ amount_cents }) => amount_cents)).toEqual([cents]);
    expect((await subscriptions()).map(({ amount_cents }) => amount_cents)).toEqual([cents]);
  });

  test.each([1.005, 1e21, -0.01, 90_071_992_547_409.92, null, undefined, "29.00", true, [29]])(
    "the amount %o is refused",
    async (amount) => {
      expect(told(await send({ amount }))).toBe("422 invalid_amount");
    },
  );

  test("a number that JSON cannot hold is no amount", async () => {
    const body = JSON.stringify(reportOf(app, {})).replace('"amount":29', '"amount":1e999');
    expect(told(await sendReport(world.url, app, body, { "content-type": "application/json" }))).toBe(
      "422 invalid_amount",
    );
  });

  test("ids are strings or numbers, of a location or of a company", async () => {
    for (const id of [world.north, String(world.north)])
      expect(told(await send({ locationId: id, companyId: {} }))).toBe("200 true");
    for (const id of [world.acme, String(world.acme)])
      expect(told(await send({ authType: "company", locationId: undefined, companyId: id }))).toBe("200 true");
    expect((await ledger()).map(({ location_id, workspace_id }) => [location_id, workspace_id])).toEqual([
      [world.north, world.acme],
      [world.north, world.acme],
      [null, world.acme],
      [null, world.acme],
    ]);
    expect((await subscriptions()).map(({ location_id, company_id }) => [location_id, company_id])).toEqual([
      [world.north, null],
      [null, world.acme],
    ]);
  });

  test.each([
    ["location", "x", "404 location.not_found"],
    ["location", 1.5, "404 location.not_found"],
    ["location", -1, "404 location.not_found"],
    ["location", "9".repeat(400), "404 location.not_found"],
    ["location", "1\0", "404 location.not_found"],
    ["location", " ", "422 location_id_required"],
    ["location", null, "422 location_id_required"],
    ["location", {}, "422 location_id_required"],
    ["location", true, "422 location_id_required"],
    ["company", 999_999, "404 company.not_found"],
    ["company", "acme", "404 company.not_found"],
    ["company", "", "422 company_id_required"],
    ["company", undefined, "422 company_id_required"],
  ])("of a %s the id %o is answered %s", async (authType, id, code) => {
    expect(told(await send({ authType, [`${authType}Id`]: id }))).toBe(code);
  });

  test("an app may report before anybody has installed it, anywhere in the service", async () => {
    expect(told(await send({ locationId: world.foreign }))).toBe("200 true");
    expect(await subscriptions()).toMatchObject([{ location_id: world.foreign, status: "active" }]);
  });

  test.each(["location", "company"])(
    "a draft reports for its own workspace alone: a foreign %s is answered as one that is not there",
    async (authType) => {
      const draft = await givenApp(world, { isPublished: false });
      const of = (id: number) => report(world.url, draft, { authType, [`${authType}Id`]: id });
      const [foreignCompany] = await world.service.database.rows<{ id: number }>(
        "select workspace_id as id from locations where id = ?",
        [world.foreign],
      );
      const [own, foreign] = authType === "location" ? [world.north, world.foreign] : [world.acme, foreignCompany!.id];
      const [known, unknown] = [await of(foreign), await of(999_999)];
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
      expect([told(known), told(await of(own))]).toEqual([`404 ${authType}.not_found`, "200 true"]);
      expect((await ledgerOf(world.service, draft)).map(({ workspace_id }) => workspace_id)).toEqual([world.acme]);
      expect(await subscriptionsOf(world.service, foreignCompany!.id, draft)).toEqual([]);
    },
  );

  test.each([
    [" pay-1 ", "pay-1"],
    [17, "17"],
    ["", null],
    [null, null],
  ])("the payment id %o is kept as %o", async (paymentId, kept) => {
    expect(told(await send({ paymentId, subscriptionId: paymentId }))).toBe("200 true");
    expect(await ledger()).toMatchObject([{ payment_id: kept, subscription_id: kept }]);
  });

  test.each(["x".repeat(256), 2 ** 53, 1.5, true, {}, "a\0b", "\ud800"])("the payment id %o is refused", async (id) => {
    expect(told(await send({ paymentId: id }))).toBe("422 invalid_payment_id");
    expect(told(await send({ subscriptionId: id }))).toBe("422 invalid_subscription_id");
  });

  test("the latest by arrival decides, and each of them stays in the ledger", async () => {
    const states = [];
    for (const fields of [
      { status: "FAILED", paymentId: "a", subscriptionId: "sub-1" },
      { status: "COMPLETED", paymentId: "a" },
      { status: "COMPLETED", paymentId: "b", amount: 0 },
      { status: "FAILED", paymentId: "c" },
    ]) {
      expect(told(await send(fields))).toBe("200 true");
      const [{ status, amount_cents, subscription_id } = {}] = await subscriptions();
      states.push([status, amount_cents, subscription_id]);
    }
    expect(states).toEqual([
      ["past_due", 2900, "sub-1"],
      ["active", 2900, "sub-1"],
      ["active", 0, "sub-1"],
      ["past_due", 2900, "sub-1"],
    ]);
    expect((await ledger()).map(({ payment_id }) => payment_id)).toEqual(["a", "a", "b", "c"]);
  });

  test("a report of an older payment is stored, and does not decide; one without a time decides", async () => {
    const minute = (n: number) => new Date(world.clock.now().getTime() + n * 60_000).toISOString();
    const rows = [
      [{ status: "COMPLETED", occurredAt: minute(-10), paymentId: "a" }, "active", 1],
      [{ status: "FAILED", occurredAt: minute(-20), paymentId: "b", amount: 7 }, "active", 2],
      // Its answer was lost: the report that arrived last, again.
      [{ status: "FAILED", occurredAt: minute(-20), paymentId: "b", amount: 7 }, "active", 2],
      [{ status: "FAILED", occurredAt: minute(-5).replace("Z", "+00:00"), paymentId: "c" }, "past_due", 3],
      // The same payment at another time is no repetition.
      [{ status: "FAILED", occurredAt: minute(-4), paymentId: "c" }, "past_due", 4],
      [{ status: "COMPLETED", paymentId: "d" }, "active", 5],
      // The time of a report without one is its arrival.
      [{ status: "FAILED", occurredAt: minute(-1) }, "active", 6],
      [{ status: "FAILED", occurredAt: minute(5) }, "past_due", 7],
      // Of payments at one time, the one that arrives last decides.
      [{ status: "COMPLETED", occurredAt: minute(5) }, "active", 8],
      [{ status: "FAILED", occurredAt: minute(5) }, "past_due", 9],
      [{ status: "COMPLETED" }, "active", 10],
      [{ status: "FAILED", occurredAt: null }, "past_due", 11],
      [{ status: "COMPLETED", occurredAt: "" }, "active", 12],
    ] as const;
    for (const [fields, state, count] of rows) {
      expect(told(await send(fields)), JSON.stringify(fields)).toBe("200 true");
      expect([(await subscriptions())[0]!.status, (await ledger()).length], JSON.stringify(fields)).toEqual([
        state,
        count,
      ]);
    }
    expect((await subscriptions())[0]!.amount_cents).toBe(2900);
  });

  test.each([
    (now: number) => new Date(now + 300_001).toISOString(),
    () => "2026-03-01",
    () => 1_700_000_000,
    () => "2026-03-01T12:00:00",
    () => true,
  ])("the time %o is refused", async (time) => {
    expect(told(await send({ occurredAt: time(world.clock.now().getTime()) }))).toBe("422 invalid_occurred_at");
    expect(await ledger()).toEqual([]);
  });

  test("the payment id, status and amount of the latest again are that report again", async () => {
    const first = { paymentId: "a" };
    const rows = [
      [first, 1],
      [first, 1],
      [{ ...first, subscriptionId: "other", paymentType: "one_time" }, 1],
      [{ ...first, amount: 30 }, 2],
      [{ ...first, amount: 30, status: "FAILED" }, 3],
      // Repeats an earlier report, not the latest.
      [first, 4],
      [{ paymentId: "b" }, 5],
      [{}, 6],
      [{}, 7],
    ] as const;
    for (const [fields, count] of rows) {
      expect(told(await send(fields))).toBe("200 true");
      expect(await ledger(), JSON.stringify(fields)).toHaveLength(count);
    }
  });

  test("a repeated report of another location, company or app is none", async () => {
    const fields = { paymentId: "a", amount: 5 };
    for (const payer of [{}, { locationId: world.south }, { authType: "company", companyId: world.acme }])
      expect(told(await send({ ...fields, ...payer }))).toBe("200 true");
    expect(await ledger()).toHaveLength(3);
    const before = (await ledgerOf(world.service, other)).length;
    await report(world.url, other, { ...fields, locationId: world.north });
    expect(await ledgerOf(world.service, other)).toHaveLength(before + 1);
  });

  test("whoever is billed sees it beside the maker, and nobody else", async () => {
    await send({ locationId: world.foreign });
    const seen = async (where: number) => (await subscriptionsOf(world.service, where, app)).length;
    const [elsewhere] = await world.service.database.rows<{ workspace_id: number }>(
      "select workspace_id from locations where id = ?",
      [world.foreign],
    );
    expect([await seen(world.acme), await seen(elsewhere!.workspace_id), await seen(999)]).toEqual([1, 1, 0]);
  });
});

test("reports are counted for each app, and wrong secrets for each address", async () => {
  const world = await createWorld("sqlite", { environment: { CRM_RATE_LIMIT: "2/1m" } });
  try {
    const [one, two] = [await givenApp(world), await givenApp(world)];
    const statusOf = async (app: TestApp, headers = {}) =>
      (await sendReport(world.url, app, reportOf(app, { locationId: world.north }), headers)).status;
    expect([await statusOf(one), await statusOf(one), await statusOf(one), await statusOf(two)]).toEqual([
      200, 200, 429, 200,
    ]);
    const wrong = { "x-service-client-secret": "x" };
    const statuses = [];
    for (let n = 0; n < 301; n++) statuses.push(await statusOf(one, wrong));
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([401, 429]);
    // Failed authentications from an address do not affect valid clients.
    expect(await statusOf(two)).toBe(200);
  } finally {
    await world.close();
  }
});
