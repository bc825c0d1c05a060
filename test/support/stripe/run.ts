/**
 * `npm run stripe:fake`: a fake Stripe on loopback to try platform billing, with webhooks to the service at CRM_TEST_SERVICE_URL. With
 * CRM_TEST_FAULT_RATE=0.1, a tenth of calls and webhooks fail.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { chanceOf } from "../chance.ts";
import { startFakeStripe } from "./fake-stripe.ts";
import { faultsBy } from "./faults.ts";

const service = process.env["CRM_TEST_SERVICE_URL"] ?? "http://127.0.0.1:3000";
const faultRate = Number(process.env["CRM_TEST_FAULT_RATE"] ?? 0);
const stripe = await startFakeStripe(systemClock, { port: 12_111 });
if (faultRate > 0) Object.assign(stripe, faultsBy(chanceOf("faults of Stripe"), faultRate));
for (const [name, value] of Object.entries(stripe.environment)) process.stdout.write(`export ${name}=${value}\n`);

/** Redelivers an event until the service accepts it, as Stripe does. */
for (;;) {
  stripe.books.advance();
  const statuses = await stripe.deliverAll(service);
  if (statuses.length === 0 || stripe.books.unsent.length > 0) await sleep(500);
}
