/** Billing on pages: a subscription, its charge, a refund of a part, the payouts by month and as CSV. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each(sampleOf("Platform billing: console", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  let billing: string;
  let refund: string;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
    billing = `/w/${platform.world.acme}/billing`;
    const app = await platform.givenApp({ trialDays: 0 });
    await platform.install(app);
    await platform.settle();
    const { text } = await platform.olga.get(`${billing}/charges`);
    refund = /href="([^"]+\/refund)"/.exec(text)![1]!;
  });
  afterAll(() => platform?.close());

  test("the subscription is active, and its payment is the gross of the month", async () => {
    const { olga } = platform;
    expect((await olga.get(billing)).text).toMatch(/Active[^]*\$29\.00/);
    expect((await olga.get(`${billing}/payouts`)).text).toMatch(/2026-03[^]*\$29\.00/);
    const csv = await olga.get(`${billing}/payouts.csv`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.text).toMatch(/^app,client_id,period,[^]*,2026-03,usd,2900,0,0,2900,2900\n$/);
  });

  test.each([
    ["more than is left", { amount: "29.01" }, "amount"],
    ["nothing", { amount: "0" }, "amount"],
    ["less than nothing", { amount: "-1" }, "amount"],
    ["words", { amount: "all" }, "amount"],
    ["a part of a cent", { amount: "1.005" }, "amount"],
    ["no reason", { reason: " " }, "reason"],
    ["a long reason", { reason: "x".repeat(10_000) }, "reason"],
    ["a form from before another refund", { left_cents: "5800" }, "amount"],
  ])("a refund of %s: 422, and the fault at its field", async (_name, fields, id) => {
    const { olga } = platform;
    const before = platform.books();
    const answer = await olga.submit(await olga.get(refund), { amount: "1.00", reason: "Asked for it", ...fields });
    expect([answer.status, answer.text.includes(`id="${id}-fault"`)], answer.text).toEqual([422, true]);
    expect(platform.books()).toEqual(before);
  });

  test("a part is refunded once, however often the form is submitted, and at once", async () => {
    const { olga } = platform;
    const form = await olga.get(refund);
    const submit = () => olga.submit(form, { amount: "10.00", reason: "Asked for it" });
    const sent = await Promise.all([submit(), submit(), submit()]);
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422, 422]);
    expect(sent.map(({ location }) => location)).toContain(`${billing}/charges`);
    const late = sent.find(({ status }) => status === 422)!;
    expect(late.text).toMatch(/id="amount-fault">[^]*Another refund was made: \$19\.00 is left\./);
    expect((await olga.get(`${billing}/charges`)).text).toContain("$10.00 is refunded");
    expect((await submit()).status).toBe(422);
    await platform.settle();
    expect((await olga.get(`${billing}/charges`)).text).toContain("$19.00");
    expect((await olga.get(`${billing}/payouts`)).text).toMatch(/\$29\.00[^]*\$10\.00[^]*\$19\.00/);
  });
});
