/** A monthly subscription over leap days, month ends and a year: each month is charged once, in its period. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../support/chance.ts";
import { databaseKinds } from "../../support/databases.ts";
import { createPlatformWorld } from "../../support/platform-billing.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";

describe.each(sampleOf("Platform billing: calendar", 1, databaseKinds))("on %s", (kind) => {
  let platform: PlatformWorld;
  beforeAll(async () => {
    platform = await createPlatformWorld(kind);
  });
  afterAll(() => platform?.close());

  test("from the 31st through a year with a leap day", async () => {
    // The clock starts at 2026-03-01; the subscription starts at 2027-10-31.
    await platform.pass({ days: 609 });
    expect(platform.clock.now().toISOString()).toBe("2027-10-31T12:00:00.000Z");
    const app = await platform.givenApp({ trialDays: 0 });
    await platform.install(app);
    for (let day = 0; day < 366; day++) {
      platform.clock.advance({ days: 1 });
      platform.stripe.books.advance();
    }
    await platform.settle();
    const days = [...platform.stripe.books.charges.values()].map(({ created }) =>
      new Date(created * 1000).toISOString().slice(0, 10),
    );
    expect(days).toEqual([
      "2027-10-31",
      "2027-11-30",
      "2027-12-31",
      "2028-01-31",
      "2028-02-29",
      "2028-03-31",
      "2028-04-30",
      "2028-05-31",
      "2028-06-30",
      "2028-07-31",
      "2028-08-31",
      "2028-09-30",
      "2028-10-31",
    ]);
    expect(await platform.ledger()).toEqual(platform.books());
    const payouts = await platform.payouts();
    expect(payouts.map(({ period, gross_cents }) => [period, gross_cents])).toEqual(
      days.map((day) => [day.slice(0, 7), 2900]),
    );
  });
});
