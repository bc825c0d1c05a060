/** Partial and concurrent refunds, disputes won and lost, and recovery from a crash between Stripe and the ledger. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChargeView } from "../../../src/marketplace/billing/platform/ledger/charge.view.ts";
import {
  listCharges,
  reconcileBilling,
  refundCharge,
} from "../../../src/marketplace/billing/platform/platform.operations.ts";
import { Refusal } from "../../../src/vocabulary/errors.ts";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";
import type { Refund } from "../../support/stripe/books.ts";

describe.each(sampleOf("Platform billing: refund", 1, databaseKinds))("on %s", (kind) => {
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
    const open =
      "select kind, subject from stripe_calls where done_at is null and failed_at is null and kind <> 'void'";
    expect(await platform.world.service.database.rows(open), "open calls").toEqual([]);
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

  test("a refund whose response was lost is made once, though Stripe has forgotten its key when it is retried", async () => {
    const { id, stripe_id } = await givenCharge();
    const { stripe, world } = platform;
    // Neither a webhook nor reconciliation reports it before the retry.
    stripe.fault = ({ method, path }) =>
      method === "POST" && path === "refunds" ? "final after" : path === "events" ? "final 500" : "ok";
    expect(await refund(id, 1000)).toBe("pending, 1900 left");
    stripe.books.unsent.length = 0;
    await platform.pass({ days: 2 });
    stripe.fault = ({ path }) => (path === "events" ? "final 500" : "ok");
    await expect(world.service.worker.runOnce()).rejects.toMatchObject({ code: "processor_unavailable" });
    stripe.fault = () => "ok";
    const made = [...stripe.books.refunds.values()].filter(({ charge }) => charge === stripe_id);
    expect(made.map(({ amount }) => amount)).toEqual([1000]);
    await isBalanced();
    expect(await refund(id)).toBe("succeeded, 0 left");
  });

  test("a refund that was made at Stripe itself, without taking it back from the owner, is taken back", async () => {
    const { id, stripe_id } = await givenCharge();
    platform.stripe.books.createRefund(stripe_id, 900, { reverses: false, metadata: {} });
    await isBalanced();
    expect(await refund(id, 2001)).toBe("refund_too_large");
    expect(await refund(id, 2000)).toBe("succeeded, 0 left");
  });

  describe("a refund that fails at Stripe is transferred back to the owner, and can be made again", () => {
    const dashboard = (charge: string, reverses: boolean) =>
      platform.stripe.books.createRefund(charge, 900, { reverses, metadata: {} });
    const own = async (id: number) => {
      await refund(id, 900);
      return [...platform.stripe.books.refunds.values()].at(-1)!;
    };
    test.each([
      ["made here", "failed", true, ({ id }) => own(id)],
      ["made here, and canceled", "canceled", true, ({ id }) => own(id)],
      ["made in the dashboard", "failed", true, ({ stripe_id }) => dashboard(stripe_id, false)],
      ["unknown when it fails", "failed", false, ({ stripe_id }) => dashboard(stripe_id, true)],
      ["unknown, and not taken from the owner", "failed", false, ({ stripe_id }) => dashboard(stripe_id, false)],
    ] satisfies [string, "failed" | "canceled", boolean, (charge: ChargeView) => Refund | Promise<Refund>][])(
      "%s",
      async (_name, status, isKnown, make) => {
        const { books } = platform.stripe;
        for (const isLost of [false, true]) {
          const charge = await givenCharge();
          const { id } = await make(charge);
          if (isKnown) await isBalanced();
          books.failRefund(id, status);
          if (isLost) books.unsent.length = 0;
          if (isLost) await platform.world.service.carryOut(reconcileBilling, platform.world.service.operator, {});
          await isBalanced();
          expect(await refund(charge.id)).toBe("succeeded, 0 left");
          await isBalanced();
        }
      },
    );

    test("though Stripe made the transfer and did not answer", async () => {
      const { stripe } = platform;
      const { id } = await givenCharge();
      const { id: failed } = await own(id);
      stripe.books.failRefund(failed);
      stripe.fault = ({ method, path }) => (method === "POST" && path === "transfers" ? "final after" : "ok");
      await platform.settle();
      stripe.fault = () => "ok";
      await platform.pass({ days: 2 });
      await isBalanced();
    });
  });

  test("after a won dispute of a part, a refund takes from both transfers to the owner, once, whatever Stripe answers", async () => {
    const { stripe } = platform;
    const { books } = stripe;
    for (const fault of ["ok", "before", "after", 500] as const) {
      const { id, stripe_id } = await givenCharge();
      const dispute = books.dispute(stripe_id, 1000)!;
      await isBalanced();
      books.closeDispute(dispute.id, "won");
      await isBalanced();
      // The second part fails; the refund and the first one are made.
      let reversals = 0;
      stripe.fault = ({ method, path }) =>
        method === "POST" && path.endsWith("/reversals") && ++reversals > 1 ? fault : "ok";
      expect(await refund(id, 2500)).toMatch(/, 400 left$/);
      stripe.fault = () => "ok";
      await platform.pass({ minutes: 2 });
      await isBalanced();
      expect(await refund(id, 400)).toBe("succeeded, 0 left");
      await isBalanced();
    }
  }, 60_000);

  test("a reversal and a transfer whose responses were lost are found at Stripe, and their calls are done", async () => {
    const { stripe } = platform;
    const { books } = stripe;
    const { stripe_id } = await givenCharge();
    stripe.fault = ({ method, path }) => (method === "POST" && path.startsWith("transfers") ? "final after" : "ok");
    const settleLate = async () => {
      await platform.settle();
      await platform.pass({ minutes: 2 });
      await isBalanced();
    };
    try {
      books.createRefund(stripe_id, 500, { reverses: false, metadata: {} });
      await settleLate();
      const dispute = books.dispute(stripe_id)!;
      await settleLate();
      books.closeDispute(dispute.id, "won");
      await settleLate();
    } finally {
      stripe.fault = () => "ok";
    }
  });

  test("a dispute that was won before it is known moves nothing of the owner's, even if its amount is refunded by then", async () => {
    const { books } = platform.stripe;
    const { id, stripe_id } = await givenCharge();
    const dispute = books.dispute(stripe_id)!;
    books.closeDispute(dispute.id, "won");
    books.createRefund(stripe_id, 2500, { reverses: true, metadata: {} });
    await isBalanced();
    expect(await refund(id)).toBe("succeeded, 0 left");
    await isBalanced();
  });

  test("a dispute over an amount that a failed refund has taken from the owner gives that back first", async () => {
    const { books } = platform.stripe;
    const { stripe_id } = await givenCharge();
    const { id: failed } = books.createRefund(stripe_id, 500, { reverses: false, metadata: {} });
    await isBalanced();
    books.failRefund(failed);
    // Only the dispute is heard of.
    books.unsent.length = 0;
    const dispute = books.dispute(stripe_id)!;
    await isBalanced();
    books.closeDispute(dispute.id, "won");
    await isBalanced();
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
