/** The billing of an app: required fields of each kind, allowed changes of a published app, and concurrent publish and change. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readInput } from "../../src/kit/input/read-input.ts";
import { appChange, appInput } from "../../src/marketplace/apps/app.schema.ts";
import { createApp, publishApp, updateApp } from "../../src/marketplace/apps/app.service.ts";
import { getApp } from "../../src/marketplace/apps/app.queries.ts";
import { Invalid, Refusal } from "../../src/vocabulary/errors.ts";
import { databaseKinds } from "../support/databases.ts";
import { callback } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const page = "https://app.example.com/pay";
const external = { billing: "external", payment_page_url: page };
const platform = { billing: "platform", price_cents: 2900 };
const nothing = { payment_page_url: null, price_cents: null, trial_days: null };

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const inAcme = () => world.service.inWorkspace(world.acme);
  const create = async (fields: object) => {
    const given = { name: "Ledgerline", redirect_uris: [callback], scopes: ["tags.write"], ...fields };
    return inAcme().change((change) => createApp(change, readInput(appInput, given)));
  };
  const update = async (id: number, fields: object) =>
    inAcme().change((change) => updateApp(change, id, readInput(appChange, fields)));
  const publish = (id: number) => inAcme().change((change) => publishApp(change, id));
  /** The result: done, an error code, or errors by field. */
  const told = async (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: unknown) => {
        if (error instanceof Refusal) return error.code;
        if (error instanceof Invalid) return error.errors;
        throw error;
      },
    );

  test.each([
    [{}, { billing: "none", install_type: "location", ...nothing }],
    [external, { ...nothing, ...external, install_type: "location" }],
    [
      { ...external, install_type: "company" },
      { ...nothing, ...external, install_type: "company" },
    ],
    [platform, { ...nothing, ...platform, trial_days: 0 }],
    [
      { ...platform, price_cents: 100, trial_days: 30 },
      { ...nothing, ...platform, price_cents: 100, trial_days: 30 },
    ],
    [
      { ...platform, price_cents: 100_000, trial_days: 0 },
      { ...nothing, ...platform, price_cents: 100_000, trial_days: 0 },
    ],
  ])("%j is drafted", async (fields, expected) => {
    const { id, ...made } = await create(fields);
    expect(made).toMatchObject(expected);
    expect(await getApp(inAcme(), id)).toMatchObject(expected);
  });

  const noPrice = "The price cents field must be from 100 to 100000 cents, which is USD 1.00 to 1,000.00 a month.";
  const noTrial = "The trial days field must be from 0 to 30 days.";
  test.each([
    [{ billing: "external" }, "payment_page_url", "The payment page url field is required where billing is external."],
    [{ billing: "platform" }, "price_cents", "The price cents field is required where billing is platform."],
    [{ payment_page_url: page }, "payment_page_url", "The payment page url field belongs to external billing alone."],
    [{ ...external, price_cents: 100 }, "price_cents", "The price cents field belongs to platform billing alone."],
    [{ ...external, trial_days: 0 }, "trial_days", "The trial days field belongs to platform billing alone."],
    [{ ...platform, price_cents: 99 }, "price_cents", noPrice],
    [{ ...platform, price_cents: 100_001 }, "price_cents", noPrice],
    [{ ...platform, price_cents: 100.5 }, "price_cents", noPrice],
    [{ ...platform, trial_days: -1 }, "trial_days", noTrial],
    [{ ...platform, trial_days: 31 }, "trial_days", noTrial],
    [{ billing: "stripe" }, "billing", "The billing field must be one of none, platform, external."],
    [{ install_type: "user" }, "install_type", "The install type field must be one of location, company."],
  ])("%j is refused", async (fields, field, sentence) => {
    expect(await told(create(fields))).toEqual({ [field]: [sentence] });
  });

  test.each([
    ["http://app.example.com/pay", "must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]."],
    ["http://localhost.example.com/pay", "must begin with https://, or with http:// on localhost"],
    ["javascript:alert(1)", "must begin with https://, or with http:// on localhost"],
    ["http://localhost/pay?clientId=x", "must not have the parameter clientId, which is added"],
    ["pay", "must be a whole address, such as https://app.example.com/pay."],
    ["https://a:b@app.example.com/pay", "must not have a user or a password in it."],
    ["https://app.example.com/pay#x", "must not have a fragment (#…)."],
    ["https://app.example.com/pay?plan=gold&locationId=7", "must not have the parameter locationId, which is added"],
    ["https://app.example.com/pay?return%5Furl=x", "must not have the parameter return_url, which is added"],
  ])("the payment page %s is refused", async (payment_page_url, end) => {
    expect(await told(create({ ...external, payment_page_url }))).toEqual({
      payment_page_url: [expect.stringContaining(`The payment page url field ${end}`)],
    });
  });

  test.each(["http://localhost:4001/pay", "http://127.0.0.1/pay", "http://[::1]:4001/pay?plan=gold"])(
    "the payment page %s is taken",
    async (payment_page_url) => {
      expect(await create({ ...external, payment_page_url })).toMatchObject({ payment_page_url });
    },
  );

  test("a draft goes from any billing to any other, and forgets what belonged to the one before", async () => {
    const { id } = await create(external);
    for (const [fields, expected] of [
      [platform, { ...nothing, ...platform, trial_days: 0 }],
      [{ trial_days: 14 }, { ...nothing, ...platform, trial_days: 14 }],
      [external, { ...nothing, ...external }],
      [{ install_type: "company" }, { ...nothing, ...external, install_type: "company" }],
      [{ name: "Other" }, { ...nothing, ...external, install_type: "company" }],
      [{ billing: "none" }, { ...nothing, billing: "none" }],
      [platform, { ...nothing, ...platform, trial_days: 0 }],
    ] as const)
      expect(await update(id, fields)).toMatchObject(expected);
    expect(await told(update(id, { payment_page_url: page }))).toHaveProperty("payment_page_url");
  });

  test("platform billing is neither published nor switched to once published", async () => {
    const [drafted, published] = [await create(platform), await create(external)];
    expect(await told(publish(drafted.id))).toBe("platform_billing_unavailable");
    expect(await told(publish(published.id))).toBe("done");
    expect(await told(update(published.id, platform))).toBe("platform_billing_unavailable");
    // Validation comes before the check for a payment processor.
    expect(await told(update(published.id, { billing: "platform" }))).toHaveProperty("price_cents");
    expect(await told(update(published.id, { billing: "none" }))).toBe("done");
    expect(await told(update(published.id, external))).toBe("done");
  });

  test("a published app keeps platform billing, and may change its price", async () => {
    const { id } = await create(platform);
    const text = "update apps set published_at = created_at where id = ?";
    await world.service.database.transaction((change) => change.rows(text, [id]));
    expect(await told(update(id, external))).toBe("billing_locked");
    expect(await told(update(id, { billing: "external" }))).toBe("billing_locked");
    // Switching to none first would bypass the lock.
    expect(await told(update(id, { billing: "none" }))).toBe("billing_locked");
    expect(await told(update(id, { price_cents: 1 }))).toHaveProperty("price_cents");
    expect(await told(update(id, { price_cents: 100, name: "Other" }))).toBe("done");
    expect(await getApp(inAcme(), id)).toMatchObject({ ...platform, price_cents: 100, name: "Other" });
  });

  test("publishing and switching at the same moment have one order, and never both", async () => {
    for (let round = 0; round < 20; round++) {
      const [to, from] = round % 2 === 0 ? [platform, external] : [external, platform];
      const { id } = await create(from);
      const [published, switched] = await Promise.all([told(publish(id)), told(update(id, to))]);
      const { status, billing } = await getApp(inAcme(), id);
      expect(`${status} ${billing}`, `round ${round}`).not.toBe("published platform");
      expect(["done", "platform_billing_unavailable"]).toContain(published);
      expect([published, switched].includes("done"), `round ${round}`).toBe(true);
      expect(status === "published").toBe(published === "done");
      expect(billing === to.billing).toBe(switched === "done");
    }
  });
});
