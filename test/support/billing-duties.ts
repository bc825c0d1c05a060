/** The duties of platform billing alone, run until none has work left: cheaper than a whole worker, and each transaction is one of theirs. */
import type { Clock } from "../../src/kit/time/clock.ts";
import type { CallDeps } from "../../src/marketplace/billing/platform/calls/intended-call.ts";
import { platformDuties } from "../../src/marketplace/billing/platform/platform.duties.ts";
import { openStripe } from "../../src/outbound/stripe.ts";
import type { Service } from "../../src/service.ts";
import { createWorker } from "../../src/worker.ts";
import type { Worker } from "../../src/worker.ts";
import type { FakeStripe } from "./stripe/fake-stripe.ts";

interface BilledService {
  readonly service: Pick<Service, "database" | "tools">;
  readonly clock: Clock;
  readonly stripe: Pick<FakeStripe, "environment" | "url">;
}

export function billingDepsOf({ service, clock, stripe }: BilledService): CallDeps {
  const connection = openStripe({
    stripeSecretKey: stripe.environment["CRM_STRIPE_SECRET_KEY"]!,
    stripeWebhookSecret: stripe.environment["CRM_STRIPE_WEBHOOK_SECRET"]!,
    stripeApiUrl: stripe.url,
  })!;
  const { database, tools } = service;
  const log = { warn() {}, error() {} };
  return { database, clock, stripe: connection, graceDays: 7, log, mailer: null, links: tools.links };
}

export function createBillingWorker(billed: BilledService): Worker {
  const deps = billingDepsOf(billed);
  return createWorker({
    loadDuties: async () => platformDuties(deps),
    clock: billed.clock,
    scan: "* * * * *",
    watch: async () => async () => {},
    report() {},
  });
}
