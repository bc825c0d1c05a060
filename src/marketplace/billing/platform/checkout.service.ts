/** Checkout sessions at Stripe: at most one is open per customer and app, so that two tabs pay once. */
import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import { callStripe, StripeRefusal } from "../../../outbound/stripe.ts";
import type { Writer } from "../../../storage/rows.ts";
import type { CheckoutStatus } from "../../../vocabulary/states.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import type { PlatformDeps } from "./platform-deps.ts";
import { idOf } from "./stripe-objects.ts";
import { refreshSubscription } from "./subscription-state.service.ts";

export interface CheckoutOffer {
  readonly priceCents: number;
  readonly trialDays: number;
}

const abandonText =
  "update platform_checkouts set status = 'expired' where app_subscription_id = ? and status = 'intended'";
const beginText = `insert into platform_checkouts (key, app_subscription_id, pending_install_id, status, price_cents, trial_days, created_at)
  values (?, ?, ?, 'intended', ?, ?, ?)`;

/** Records the intent to open a checkout, and abandons earlier ones. The subscription must be locked. */
export function beginCheckout(
  change: Writer,
  { subscriptionId, pendingInstallId }: { readonly subscriptionId: number; readonly pendingInstallId: number },
  { priceCents, trialDays }: CheckoutOffer,
  now: Date,
): void {
  change.send(abandonText, [subscriptionId]);
  const key = `checkout-${randomUUID()}`;
  change.send(beginText, [key, subscriptionId, pendingInstallId, priceCents, trialDays, now]);
}

interface CheckoutRow {
  readonly id: number;
  readonly key: string;
  readonly app_subscription_id: number;
  readonly pending_install_id: number;
  readonly status: CheckoutStatus;
  readonly price_cents: number;
  readonly trial_days: number;
  readonly session_id: string | null;
  readonly app_name: string;
  readonly client_id: string;
  readonly account_id: string | null;
  readonly customer_id: string | null;
  readonly workspace_id: number;
  readonly location_id: number | null;
}

const selectText = `select k.id, k.key, k.app_subscription_id, k.pending_install_id, k.status, k.price_cents, k.trial_days, k.session_id,
    a.name as app_name, a.client_id, a.account_id, s.customer_id, s.workspace_id, s.location_id
  from platform_checkouts k join app_subscriptions s on s.id = k.app_subscription_id join apps a on a.id = s.app_id`;
const ofInstallText = `${selectText} where k.pending_install_id = ? and s.app_id = ? order by k.id desc limit 1`;
const othersText = `${selectText} where k.app_subscription_id = ? and k.status = 'open' and k.id <> ?`;
const bySessionText = `${selectText} where k.session_id = ?`;

/** The state of a pending install: paid, waiting for the payment at `url`, or without an open checkout. */
export type CheckoutOutcome = { readonly paid: true } | { readonly paid: false; readonly url: string | null };

export interface PendingPayment {
  /** The pending install and its app. */
  readonly id: number;
  readonly appId: number;
}

/** The current state of a pending install's checkout at Stripe. */
export async function readCheckout(deps: PlatformDeps, pending: PendingPayment): Promise<CheckoutOutcome> {
  const row = await findCheckout(deps, pending);
  if (row?.status === "complete") return { paid: true };
  return row?.status === "open" ? readSession(deps, row) : { paid: false, url: null };
}

interface CheckoutCustomer {
  readonly email: string;
  /** The URL to which Stripe redirects afterwards, paid or not. */
  readonly returnUrl: string;
}

/** Starts a new checkout for a pending install whose checkout was abandoned. False if the price has changed since the consent. */
export async function beginAgain(
  change: Writer,
  subscriptionId: number,
  pending: PendingPayment,
  offer: CheckoutOffer,
  now: Date,
): Promise<boolean> {
  const [last] = await change.rows<CheckoutRow>(ofInstallText, [pending.id, pending.appId]);
  const isSame = last === undefined || (last.price_cents === offer.priceCents && last.trial_days === offer.trialDays);
  if (isSame && (last === undefined || last.status === "expired"))
    beginCheckout(change, { subscriptionId, pendingInstallId: pending.id }, offer, now);
  return isSame;
}

/** Opens the recorded checkout, idempotently. `url` is null if another tab has opened a newer one. */
export async function openCheckout(
  deps: PlatformDeps,
  pending: PendingPayment,
  payer: CheckoutCustomer,
): Promise<CheckoutOutcome> {
  const row = await findCheckout(deps, pending);
  if (row === undefined || row.status !== "intended") return readCheckout(deps, pending);
  for (const other of await deps.database.rows<CheckoutRow>(othersText, [row.app_subscription_id, row.id]))
    if ((await closeSession(deps, other)).paid) return { paid: true };
  return createSession(deps, row, payer);
}

async function findCheckout({ database }: PlatformDeps, { id, appId }: PendingPayment) {
  const [row] = await database.rows<CheckoutRow>(ofInstallText, [id, appId]);
  return row;
}

const openedText =
  "update platform_checkouts set status = 'open', session_id = ? where id = ? and status = 'intended' returning id";
const closedText = "update platform_checkouts set status = 'expired' where id = ? and status in ('intended', 'open')";

async function createSession(deps: PlatformDeps, row: CheckoutRow, payer: CheckoutCustomer): Promise<CheckoutOutcome> {
  const { database, stripe, log } = deps;
  let session: Stripe.Checkout.Session;
  try {
    session = await callStripe(stripe, (client) =>
      client.checkout.sessions.create(toSession(row, payer), { idempotencyKey: row.key }),
    );
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    log.error("Stripe refused a checkout", { app: row.client_id, error: error.message });
    await database.transaction(async (change) => change.send(closedText, [row.id]));
    throw new Refusal("platform_account_incomplete", {}, { cause: error });
  }
  const opened = await database.transaction((change) => change.rows(openedText, [session.id, row.id]));
  if (opened.length === 1) return { paid: false, url: session.url };
  // A race with another tab: it has opened this checkout, which is the same session, or has begun a newer one.
  return (await findBySession(deps, session.id)) === undefined
    ? expire(deps, session.id)
    : { paid: false, url: session.url };
}

/** The parameters of the session. The metadata maps the subscription at Stripe to the subscription here. */
function toSession(row: CheckoutRow, { email, returnUrl }: CheckoutCustomer): Stripe.Checkout.SessionCreateParams {
  const payer: Record<string, string> =
    row.location_id === null ? { company: String(row.workspace_id) } : { location: String(row.location_id) };
  return {
    mode: "subscription",
    allowed_payment_method_types: ["card"],
    payment_method_collection: "always",
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: "usd",
          unit_amount: row.price_cents,
          recurring: { interval: "month" },
          product_data: { name: row.app_name },
        },
      },
    ],
    subscription_data: {
      ...(row.trial_days > 0 ? { trial_period_days: row.trial_days } : {}),
      transfer_data: { destination: row.account_id ?? "" },
      metadata: { install: String(row.pending_install_id), app: row.client_id, ...payer, checkout: row.key },
    },
    client_reference_id: String(row.pending_install_id),
    ...(row.customer_id === null ? { customer_email: email } : { customer: row.customer_id }),
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
}

async function readSession(deps: PlatformDeps, row: CheckoutRow): Promise<CheckoutOutcome> {
  const session = await callStripe(deps.stripe, (client) => client.checkout.sessions.retrieve(row.session_id!));
  return settle(deps, row.id, session);
}

/** Expires a checkout that another one replaces. */
async function closeSession(deps: PlatformDeps, row: CheckoutRow): Promise<CheckoutOutcome> {
  const found = await readSession(deps, row);
  if (found.paid || found.url === null) return found;
  await expire(deps, row.session_id!);
  // A session that cannot be expired has been completed meanwhile.
  return readSession(deps, row);
}

async function expire({ stripe }: PlatformDeps, sessionId: string): Promise<CheckoutOutcome> {
  try {
    await callStripe(stripe, (client) => client.checkout.sessions.expire(sessionId));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
  }
  return { paid: false, url: null };
}

/** Stores the state of a session. */
async function settle(
  deps: PlatformDeps,
  checkoutId: number,
  session: Stripe.Checkout.Session,
): Promise<CheckoutOutcome> {
  if (session.status === "open") return { paid: false, url: session.url };
  const subscription = idOf(session.subscription);
  if (session.status === "complete" && subscription !== null) {
    await refreshSubscription(deps, subscription);
    return { paid: true };
  }
  await deps.database.transaction(async (change) => change.send(closedText, [checkoutId]));
  return { paid: false, url: null };
}

async function findBySession({ database }: PlatformDeps, sessionId: string): Promise<CheckoutRow | undefined> {
  const [row] = await database.rows<CheckoutRow>(bySessionText, [sessionId]);
  return row;
}

/** Stores a session that a webhook names. False for a session of another service. */
export async function refreshCheckout(deps: PlatformDeps, sessionId: string): Promise<boolean> {
  const row = await findBySession(deps, sessionId);
  if (row === undefined) return false;
  if (row.status === "open") await readSession(deps, row);
  return true;
}
