/**
 * kill -9 between Stripe and the ledger: crm worker dies right before or after a commit, or crm serve before a call takes effect at Stripe, or
 * right after, at each call of a history. The next process makes up for it: the ledger is Stripe's books, and nothing was refunded, reversed or transferred twice.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Value } from "../../src/storage/value.ts";
import { signs } from "../billing/platform/ledger-invariants.ts";
import { chanceOf, sampleOf } from "../support/chance.ts";
import { copyRows } from "../support/copy-rows.ts";
import { databaseKinds } from "../support/databases.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import type { FakeStripe } from "../support/stripe/fake-stripe.ts";
import { startKilled } from "./start-killed.ts";
import { inTransaction } from "./change-rows.ts";
import { openSystem } from "./tested-system.ts";
import type { RunningServe, TestedSystem } from "./tested-system.ts";
import { until } from "./until.ts";

interface KillPoint {
  /** The number of the call of the history; 0: no kill. */
  readonly call: number;
  readonly moment: "before" | "after";
}

async function write(
  system: TestedSystem,
  statements: readonly (readonly [string, readonly Value[]])[],
): Promise<void> {
  await inTransaction(system, async (change) => {
    for (const [text, values] of statements) await change.rows(text, [...values]);
  });
}

/** An app to copy. */
async function givenApp(system: TestedSystem): Promise<number> {
  const options = ["--redirect-uri", "https://app.example.com/callback", "--scope", "contacts.readonly", "--json"];
  const { stdout } = await system.run("apps", "create", "Ledgerline", ...options);
  return (JSON.parse(stdout) as { id: number }).id;
}

/** A published copy of the app with its owner's account, and a checkout that is open at Stripe; resolves to the session. */
async function givenCheckout(system: TestedSystem, { books }: FakeStripe, copied: number): Promise<string> {
  const { id: account } = books.createAccount();
  books.onboard(account);
  const app = await inTransaction(system, async ({ rowsOnce }) => {
    await copyRows(rowsOnce, "apps", `id = ${copied}`, { client_id: `client_id || '${account}'` }, 1);
    return (await rowsOnce<{ id: number }>("select max(id) as id from apps"))[0]!;
  });
  const [key, now] = [`checkout-${randomUUID()}`, new Date()];
  const terms = {
    price: 2900,
    trialDays: 0,
    destination: account,
    metadata: { checkout: key },
    productName: "Ledgerline",
  };
  const { id: session } = books.createSession({ terms, customer_email: "ada@acme.example" });
  await write(system, [
    [
      `update apps set billing = 'platform', price_cents = 2900, trial_days = 0, account_id = ?, charges_enabled = ?, published_at = ? where id = ?`,
      [account, true, now, app.id],
    ],
    [
      `insert into app_subscriptions (app_id, workspace_id, location_id, created_at) select ?, workspace_id, id, created_at from locations where id = ?`,
      [app.id, system.location],
    ],
    [
      `insert into platform_checkouts (key, app_subscription_id, pending_install_id, status, price_cents, trial_days, session_id, created_at)
        select ?, id, 0, 'open', 2900, 0, ?, created_at from app_subscriptions where app_id = ?`,
      [key, session, app.id],
    ],
  ]);
  return session;
}

/** The ledger is Stripe's books, and the service has kept nothing. */
async function expectBalanced(system: TestedSystem, { books }: FakeStripe, what: string): Promise<void> {
  const entries = await system.rows<{ kind: string; stripe_id: string; amount_cents: number }>(
    "select kind, stripe_id, amount_cents from ledger_entries",
  );
  const ledger = entries.map((one) => `${one.kind} ${one.stripe_id} ${one.amount_cents}`).toSorted();
  expect(ledger, what).toEqual(books.movements.map((one) => `${one.kind} ${one.id} ${one.amount}`).toSorted());
  expect(
    books.movements.reduce((sum, one) => sum + signs[one.kind] * one.amount, 0),
    what,
  ).toBe(0);
}

/** What a dead process had claimed, or failed at, is due after a lease or a pause: the test does not wait for it. */
function makeDue(system: TestedSystem): Promise<void> {
  return write(system, [
    ["update stripe_calls set due_at = intended_at where kind <> 'void' and done_at is null", []],
    ["update stripe_events set due_at = received_at where applied_at is null", []],
  ]);
}

/** Whether an event waits to be applied, or a call to be done. */
async function isWaiting(system: TestedSystem): Promise<boolean> {
  const waiting = await system.rows(`select id from stripe_events where applied_at is null
    union all select id from stripe_calls where done_at is null and failed_at is null and kind <> 'void'`);
  return waiting.length > 0;
}

describe.each(sampleOf("Faults: killed billing", 1, databaseKinds))("kill -9 on %s", (kind) => {
  test("at commits of the worker loses and repeats no movement of money", async () => {
    const stripe = await startFakeStripe(systemClock);
    try {
      await using system = await openSystem(kind, stripe.environment);
      const { books } = stripe;
      const app = await givenApp(system);
      const serving = await system.serve("--no-worker");
      let killed = 0;
      for (const moment of ["before", "after"]) {
        for (const count of [2, 5]) {
          books.complete(await givenCheckout(system, stripe, app));
          const charge = [...books.charges.values()].at(-1)!;
          const { id: refund } = books.createRefund(charge.id, 500, { reverses: false, metadata: {} });
          if (moment === "before") books.failRefund(refund);
          const dispute = books.dispute(charge.id)!;
          if (count === 5) books.closeDispute(dispute.id, "won");
          await stripe.deliverAll(serving.url);
          await makeDue(system);
          await using worker = startKilled(system, `${moment} ${count} commit`, "worker");
          const end = await worker.finished.catch(() => undefined);
          if (end === undefined || end.signal === "SIGKILL") killed += 1;
        }
      }
      expect(killed).toBe(4);
      system.start("worker");
      await until(
        "all is done",
        async () => {
          await stripe.deliverAll(serving.url);
          await makeDue(system);
          return books.unsent.length === 0 && !(await isWaiting(system));
        },
        180_000,
      );
      await expectBalanced(system, stripe, `killed ${killed} times`);
    } finally {
      await stripe.close();
    }
  }, 600_000);

  test("at calls to Stripe loses and repeats no movement of money", async () => {
    const stripe = await startFakeStripe(systemClock);
    await using system = await openSystem(kind, stripe.environment);
    const { books } = stripe;
    const app = await givenApp(system);
    let serving: RunningServe = await system.serve();
    let calls = 0;
    let point: KillPoint = { call: 0, moment: "before" };
    let dying: Promise<void> | undefined;

    stripe.fault = async () => {
      calls += 1;
      if (calls !== point.call) return "ok";
      dying = serving.kill();
      if (point.moment === "before") await dying;
      return point.moment;
    };

    /** Delivers all webhooks, and waits until everything is applied and done; starts the service again when it was killed. */
    async function drain(): Promise<void> {
      await until(
        "all is done",
        async () => {
          if (dying !== undefined) {
            await dying;
            dying = undefined;
            serving = await system.serve();
            await makeDue(system);
          }
          await stripe.deliverAll(serving.url);
          return books.unsent.length === 0 && !(await isWaiting(system)) && dying === undefined;
        },
        // More than the lease of a refund and the pause after a failed attempt.
        180_000,
      );
    }

    async function live(): Promise<void> {
      const session = await givenCheckout(system, stripe, app);
      calls = 0;
      books.complete(session);
      await drain();
      const charge = [...books.charges.values()].at(-1)!;
      // In Stripe's dashboard, without a reversal: the service makes it.
      const { id: refund } = books.createRefund(charge.id, 500, { reverses: false, metadata: {} });
      await drain();
      books.failRefund(refund);
      await drain();
      const [row] = await system.rows<{ id: number }>("select id from platform_charges where stripe_id = ?", [
        charge.id,
      ]);
      await system.run("billing", "refund", String(row!.id), "--amount", "3.00");
      await drain();
      const dispute = books.dispute(charge.id)!;
      await drain();
      books.closeDispute(dispute.id, "won");
      await drain();
    }

    try {
      await live();
      await expectBalanced(system, stripe, "without a kill");
      const all = Array.from({ length: calls }, (_, index) => index + 1);
      const points = all.flatMap((call) => (["before", "after"] as const).map((moment) => ({ call, moment })));
      expect(points.length).toBeGreaterThan(20);
      // Few of them, others with each seed: each is a start of the service and minutes of its work.
      const pace = Math.ceil(points.length / 3);
      const offset = Math.floor(chanceOf(`offset of kills on ${kind}`)() * pace);
      for (point of points.filter((_, index) => index % pace === offset)) {
        await live();
        await expectBalanced(system, stripe, `killed ${point.moment} call ${point.call}`);
      }
    } finally {
      await stripe.close();
    }
  }, 900_000);
});
