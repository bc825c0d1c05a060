/** Partial and concurrent refunds, disputes won and lost, and recovery from a crash between Stripe and the ledger. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refundCharge, listCharges } from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { Refusal } from "../../../src/vocabulary/errors.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());

  const owner = () => platform.world.service.inWorkspace(platform.world.acme);
  /** A new charge of USD 29.00. */
  const givenCharge = async () => {
    await platform.install(await platform.givenApp({ trialDays: 0 }));
    await platform.settle();
    const { data } = await platform.world.service.carryOut(listCharges, owner(), {});
    return data[0]!;
  };
  const refund = (charge: number, amount_cents?: number) =>
    platform.world.service.carryOut(refundCharge, owner(), { charge, input: { amount_cents } }).then(
      ({ status, left_cents }) => `${status}, ${left_cents} left`,
      (error: unknown) => {
        if (error instanceof Refusal) return error.code;
        throw error;
      },
    );
  const isBalanced = async () => {
    await platform.settle();
    expect(await platform.ledger()).toEqual(platform.books());
    for (const { gross_cents, refunds_cents, disputes_cents, net_cents, transferred_cents } of await platform.payouts())
      expect([net_cents, gross_cents - refunds_cents - disputes_cents]).toEqual([transferred_cents, net_cents]);
  };

  test("refunds in parts take from the owner what they give the customer, and never more than what is left", async () => {
    const { id } = await givenCharge();
    expect(await refund(id, 1000)).toBe("succeeded, 1900 left");
    expect(await refund(id, 1901)).toBe("refund_too_large");
    expect(await refund(id)).toBe("succeeded, 0 left");
    expect(await refund(id)).toBe("refund_too_large");
    await isBalanced();
    expect(await refund(999_999)).toBe("charge.not_found");
  });

  test("of fifty refunds at once as many succeed as the charge has room for", async () => {
    const { id } = await givenCharge();
    const results = await Promise.all(Array.from({ length: 50 }, () => refund(id, 500)));
    expect(results.filter((told) => told !== "refund_too_large").length).toBe(5);
    await isBalanced();
  }, 30_000);

  test.each(["before", "after", 429, 500] as const)(
    "a refund that Stripe answers %s is pending, and made once by the worker",
    async (fault) => {
      const { id, stripe_id } = await givenCharge();
      const { stripe } = platform;
      stripe.fault = ({ method, path }) => (method === "POST" && path === "refunds" ? fault : "ok");
      expect(await refund(id, 1000)).toBe("pending, 1900 left");
      stripe.fault = () => "ok";
      await platform.pass({ minutes: 2 });
      await isBalanced();
      const made = [...stripe.books.refunds.values()].filter(({ charge }) => charge === stripe_id);
      expect(made.map(({ amount }) => amount)).toEqual([1000]);
      expect(await refund(id, 1900)).toBe("succeeded, 0 left");
    },
    20_000,
  );

  test("a refund that was made at Stripe itself, without taking it back from the owner, is taken back", async () => {
    const { id, stripe_id } = await givenCharge();
    platform.stripe.books.createRefund(stripe_id, 900, { reverses: false, metadata: {} });
    await isBalanced();
    expect(await refund(id, 2001)).toBe("refund_too_large");
    expect(await refund(id, 2000)).toBe("succeeded, 0 left");
  });

  test("a dispute takes from the owner, and gives back when it is won", async () => {
    const { books } = platform.stripe;
    for (const [end, left] of [
      ["won", "succeeded, 2000 left"],
      ["lost", "refund_too_large"],
    ] as const) {
      const { id, stripe_id } = await givenCharge();
      expect(await refund(id, 400)).toBe("succeeded, 2500 left");
      const dispute = books.dispute(stripe_id)!;
      await isBalanced();
      expect(await refund(id, 500)).toBe("refund_too_large");
      books.closeDispute(dispute.id, end);
      await isBalanced();
      expect(await refund(id, 500)).toBe(left);
    }
    await isBalanced();
  });
});
