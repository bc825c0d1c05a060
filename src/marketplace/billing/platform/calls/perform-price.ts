/** Changes the price of a subscription in two steps: notifies the payer, and 30 days later changes it at Stripe. */
import type { Stripe } from "stripe";
import { toDollars } from "../../../../kit/input/money.ts";
import { plainName } from "../../../../kit/input/name.ts";
import { callStripe } from "../../../../outbound/stripe.ts";
import { idOf, isLiving, toSubscriptionFacts } from "../stripe-objects.ts";
import { refreshSubscription } from "../subscription-state.service.ts";
import { claimMail, mailPayer } from "./payer-mail.ts";
import type { CallDeps, IntendedCall } from "./intended-call.ts";
import { isOpenCall, markDone, markFailed } from "./stripe-call.service.ts";

/** Days from the mail to the new price. */
const noticeDays = 30;

interface PricedSubscription {
  readonly app_name: string;
  readonly is_platform: boolean | number;
  readonly canceled_at: number | null;
}

const subscriptionText = `select a.name as app_name, a.billing = 'platform' as is_platform, s.canceled_at from stripe_calls k
  join app_subscriptions s on s.id = k.app_subscription_id join apps a on a.id = s.app_id where k.id = ?`;

/** The change is given up if the subscription has ended, or if the app was uninstalled before its payer was notified. */
export async function performPrice(deps: CallDeps, call: IntendedCall): Promise<void> {
  const { database, stripe } = deps;
  const found = await callStripe(stripe, (client) => client.subscriptions.retrieve(call.subject));
  const [sold] = await database.rows<PricedSubscription>(subscriptionText, [call.id]);
  if (!isLiving(toSubscriptionFacts(found).status)) return giveUp(deps, call, "The subscription has ended.");
  if (!sold!.is_platform) return giveUp(deps, call, "The app has no price any more.");
  if (call.notified_at !== null) return changePrice(deps, call, found);
  if (sold!.canceled_at !== null) return giveUp(deps, call, "The app was uninstalled.");
  await announce(deps, call, found, sold!.app_name);
}

async function giveUp({ database, clock }: CallDeps, { key }: IntendedCall, reason: string): Promise<void> {
  await database.transaction((change) => markFailed(change, key, reason, clock.now()));
}

const notifiedText = `update stripe_calls set notified_at = ?, due_at = ?, attempts = 0, error = null where id = ? and ${isOpenCall}`;

async function announce(deps: CallDeps, call: IntendedCall, found: Stripe.Subscription, name: string): Promise<void> {
  const { database, clock, stripe, links } = deps;
  if (!(await claimMail(deps, call))) return;
  const customer = await callStripe(stripe, (client) => client.customers.retrieve(idOf(found.customer)));
  const [now, from, to] = [clock.now(), toSubscriptionFacts(found).priceCents, call.amount_cents!];
  const dueAt = new Date(now.getTime() + noticeDays * 86_400_000);
  const app = plainName(name);
  const letter =
    from === to ? unchangedPriceLetter({ app, to }) : priceLetter({ app, from, to, dueAt, start: links.to("/") });
  const email = customer.deleted === true ? null : customer.email;
  await mailPayer(deps, { ...letter, email, about: "a price change", logged: { app, price_cents: to } });
  await database.transaction(async (change) => {
    if (from === to) markDone(change, call.key, null, now);
    else change.send(notifiedText, [now, dueAt, call.id]);
  });
}

const priceText = "update app_subscriptions set price_cents = ? where stripe_id = ?";

/** Applies from the next period on, without proration. */
async function changePrice(deps: CallDeps, call: IntendedCall, found: Stripe.Subscription): Promise<void> {
  const { key, subject, amount_cents } = call;
  const item = found.items.data[0]!;
  const price_data = {
    currency: "usd",
    product: idOf(item.price.product),
    recurring: { interval: "month" },
    unit_amount: amount_cents!,
  } as const;
  await callStripe(deps.stripe, (client) =>
    client.subscriptions.update(
      subject,
      { items: [{ id: item.id, price_data }], proration_behavior: "none" },
      { idempotencyKey: key },
    ),
  );
  await deps.database.transaction(async (change) => {
    change.send(priceText, [amount_cents, subject]);
    markDone(change, key, subject, deps.clock.now());
  });
  await refreshSubscription(deps, subject);
}

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

interface PriceNotice {
  readonly app: string;
  readonly from: number | null;
  readonly to: number;
  readonly dueAt: Date;
  /** The URL of the start page. */
  readonly start: string;
}

function priceLetter({ app, from, to, dueAt, start }: PriceNotice) {
  const before = from === null ? "" : `from ${toDollars(from)} `;
  return {
    subject: `The price of ${app} changes`,
    text: `Hello,

the price of ${app} changes ${before}to ${toDollars(to)} a month. Your first payment after ${day.format(dueAt)} has the new price.

If you do not agree, uninstall ${app} before:

${start}

`,
  };
}

function unchangedPriceLetter({ app, to }: { readonly app: string; readonly to: number }) {
  return {
    subject: `The price of ${app} stays the same`,
    text: `Hello,

the announced price change of ${app} is withdrawn. It continues to cost ${toDollars(to)} a month.

`,
  };
}
