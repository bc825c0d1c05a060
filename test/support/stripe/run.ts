/** `npm run stripe:fake`: a fake Stripe on loopback to try platform billing, with webhooks to the service at CRM_TEST_SERVICE_URL. */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { startFakeStripe } from "./fake-stripe.ts";

const service = process.env["CRM_TEST_SERVICE_URL"] ?? "http://127.0.0.1:3000";
const stripe = await startFakeStripe(systemClock, { port: 12_111 });
for (const [name, value] of Object.entries(stripe.environment)) process.stdout.write(`export ${name}=${value}\n`);

/** Redelivers an event until the service accepts it, as Stripe does. */
for (;;) {
  stripe.books.advance();
  const [event] = stripe.books.unsent;
  const [status] = event === undefined ? [] : await stripe.deliver(service, [event]).catch(() => [0]);
  if (status === 200) stripe.books.unsent.shift();
  else await sleep(500);
}
