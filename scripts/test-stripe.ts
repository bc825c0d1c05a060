/** `npm run test:stripe`: asks Stripe's own test mode what the service asks of it, with the key of CRM_STRIPE_SECRET_KEY. Ends with 2 without a test key. */
import { loadSettings } from "../config/settings.loading.ts";
import { callStripe, openStripe, StripeRefusal } from "../src/outbound/stripe.ts";

const { stripeSecretKey, stripeWebhookSecret } = loadSettings();
const connection = openStripe({ stripeSecretKey, stripeWebhookSecret, stripeApiUrl: null });
if (connection === null || connection.isLive) {
  console.error("There is no test key: set CRM_STRIPE_SECRET_KEY to a key that begins with sk_test_ or rk_test_.");
  process.exit(2);
}

const returnUrl = "https://crm.example.com/";
let failed = 0;

/** Tells whether Stripe did what was asked. */
async function check<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    const result = await work();
    console.log(`✓ ${name}`);
    return result;
  } catch (error) {
    failed += 1;
    const cause = error instanceof StripeRefusal ? error : error instanceof Error ? (error.cause ?? error) : error;
    console.log(`✗ ${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return undefined;
  }
}

const account = await check("an account for an owner is created", () =>
  callStripe(connection, (stripe) =>
    stripe.accounts.create({
      controller: {
        fees: { payer: "application" },
        losses: { payments: "application" },
        requirement_collection: "stripe",
        stripe_dashboard: { type: "express" },
      },
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
    }),
  ),
);
if (account !== undefined) {
  await check("a link completes it", () =>
    callStripe(connection, (stripe) =>
      stripe.accountLinks.create({
        account: account.id,
        type: "account_onboarding",
        refresh_url: returnUrl,
        return_url: returnUrl,
      }),
    ),
  );
  await check("it is deleted again", () => callStripe(connection, (stripe) => stripe.accounts.del(account.id)));
}
const session = await check("a checkout of a subscription with a trial is opened", () =>
  callStripe(connection, (stripe) =>
    stripe.checkout.sessions.create({
      mode: "subscription",
      allowed_payment_method_types: ["card"],
      payment_method_collection: "always",
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: "usd",
            unit_amount: 2900,
            recurring: { interval: "month" },
            product_data: { name: "Ledgerline" },
          },
        },
      ],
      subscription_data: { trial_period_days: 14, metadata: { checkout: "test" } },
      success_url: returnUrl,
      cancel_url: returnUrl,
    }),
  ),
);
if (session !== undefined)
  await check("it is expired", () => callStripe(connection, (stripe) => stripe.checkout.sessions.expire(session.id)));
await check("lists are read as reconciliation reads them", () =>
  callStripe(connection, async (stripe) => {
    await stripe.events.list({ limit: 100 });
    await stripe.subscriptions.list({ status: "all", limit: 100 });
    await stripe.charges.list({ limit: 100, expand: ["data.transfer"] });
    await stripe.refunds.list({ limit: 100, expand: ["data.transfer_reversal"] });
    await stripe.disputes.list({ limit: 100 });
  }),
);
process.exit(failed === 0 ? 0 : 1);
