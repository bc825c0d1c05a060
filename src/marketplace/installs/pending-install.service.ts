/** Pending installs: created when a person allows an app that requires a payment, completed once when they return. */
import type { Links } from "../../kit/links.ts";
import { hashSecret, isWellFormedSecret, mintSecret } from "../../kit/secrets/secret.ts";
import { forget, forgetText } from "../../storage/forget.ts";
import type { Rows, Writer } from "../../storage/rows.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { limits } from "../../vocabulary/limits.ts";
import {
  authorizationColumns,
  readAuthorizationParameters,
  toAuthorizationValues,
} from "../oauth/authorization-parameters.ts";
import type { AuthorizationParameters, AuthorizationParametersRow } from "../oauth/authorization-parameters.ts";
import type { Client } from "../oauth/client.queries.ts";
import type { GrantableLocation } from "./consent.queries.ts";
import type { HeldRequest } from "./consent.service.ts";
import { toPaymentAddress } from "./payment-address.ts";
import type { Payer } from "../billing/payer.ts";
import { beginCheckout } from "../billing/platform/checkout.service.ts";
import type { CheckoutOffer, PendingPayment } from "../billing/platform/checkout.service.ts";
import { findTrialDays } from "../billing/platform/trial.queries.ts";
import { lockPlatformSubscription, openSubscription } from "../billing/subscription.service.ts";

const lockText = `
  insert into pending_installs (hash, app_id, user_id, location_id, ${authorizationColumns}, created_at, expires_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`;

/** Maximum pending installs per person: the oldest are dropped; completed ones do not count. */
const mostOpen = 20;
const trimText = `
  delete from pending_installs where user_id = ? and id not in (
    select id from (
      select id from pending_installs where user_id = ? and finished_at is null order by id desc limit ${mostOpen}) as newest)`;

/** What a person allowed, and where. */
interface Allowed {
  readonly client: Client;
  readonly held: HeldRequest;
  readonly session: Session;
  readonly location: GrantableLocation;
}

/** An open checkout of platform billing, and the path of its return URL. */
export interface PaymentStep {
  readonly payment: PendingPayment;
  readonly path: `/${string}`;
}

/** The payer of an app installed at `location`. */
export function payerOf({ installType }: Pick<Client, "installType">, { id, workspaceId }: GrantableLocation): Payer {
  return { workspaceId, locationId: installType === "location" ? id : null };
}

/**
 * The payment of an install at `location`: the payment page with external billing, or the checkout with platform billing.
 * Undefined if nothing is due: the app is free, or the payer has an active subscription.
 */
export async function sendToPayment(
  change: Writer,
  allowed: Allowed,
  { links, now }: { links: Links; now: Date },
): Promise<string | PaymentStep | undefined> {
  const { client, location } = allowed;
  const payer = payerOf(client, location);
  if (client.price !== null) {
    const { id, isLiving } = await lockPlatformSubscription(change, client.id, payer, now);
    if (isLiving) return undefined;
    const { token, pendingInstallId } = await keepInstall(change, allowed, now);
    beginCheckout(
      change,
      { subscriptionId: id, pendingInstallId },
      await findOffer(change, client, payer, id, now),
      now,
    );
    return { payment: { id: pendingInstallId, appId: client.id }, path: pendingInstallPath(token) };
  }
  const { clientId, installType, paymentPageUrl } = client;
  if (paymentPageUrl === null) return undefined;
  if (await openSubscription(change, client.id, payer, now)) return undefined;
  const { token } = await keepInstall(change, allowed, now);
  return toPaymentAddress(paymentPageUrl, {
    clientId,
    installType,
    payerId: payer.locationId ?? payer.workspaceId,
    returnUrl: links.to(pendingInstallPath(token)),
  });
}

/** What a checkout offers to a subscription: the app's price, and its trial unless the workspace has used it. */
export async function findOffer(
  change: Writer,
  { id: appId, price }: Pick<Client, "id" | "price">,
  { workspaceId }: Payer,
  subscriptionId: number,
  now: Date,
): Promise<CheckoutOffer> {
  const { cents: priceCents, trialDays } = price!;
  return { priceCents, trialDays: await findTrialDays(change, { appId, workspaceId, subscriptionId }, trialDays, now) };
}

/** Stores the consent until the person returns; the token identifies it in the URL. */
async function keepInstall(
  change: Writer,
  { client, held, session, location }: Allowed,
  now: Date,
): Promise<{ token: string; pendingInstallId: number }> {
  const token = mintSecret("crm_install_");
  const [pending] = await change.rows<{ id: number }>(lockText, [
    hashSecret(token),
    client.id,
    session.userId,
    location.id,
    ...toAuthorizationValues(held),
    now,
    new Date(now.getTime() + limits.billing.pendingInstallSeconds * 1000),
  ]);
  change.send(trimText, [session.userId, session.userId]);
  return { token, pendingInstallId: pending!.id };
}

/** The return URL of a payment page. */
export function pendingInstallPath(token: string): `/${string}` {
  return `/oauth/installs/${token}`;
}

/** The pending install, and the person who may complete it. */
export interface PendingInstall extends AuthorizationParameters {
  readonly id: number;
  readonly appId: number;
  readonly userId: number;
  readonly locationId: number;
}

interface PendingRow extends AuthorizationParametersRow {
  readonly id: number;
  readonly app_id: number;
  readonly user_id: number;
  readonly location_id: number;
}

const findText = `
  select id, app_id, user_id, location_id, ${authorizationColumns} from pending_installs
  where hash = ? and finished_at is null and expires_at > ?`;

/** Undefined for an unknown token, and for a completed or expired install. */
export async function findPendingInstall(rows: Rows, token: string, now: Date): Promise<PendingInstall | undefined> {
  if (!isWellFormedSecret("crm_install_", token)) return undefined;
  const [row] = await rows.rows<PendingRow>(findText, [hashSecret(token), now]);
  return (
    row && {
      id: row.id,
      appId: row.app_id,
      userId: row.user_id,
      locationId: row.location_id,
      ...readAuthorizationParameters(row),
    }
  );
}

const finishText = "update pending_installs set finished_at = ? where id = ? and finished_at is null returning id";

/** False if a concurrent request was first: opening the URL twice has no effect. */
export async function markFinished(rows: Rows, { id }: PendingInstall, now: Date): Promise<boolean> {
  return (await rows.rows(finishText, [now, id])).length === 1;
}

const forgetPendingText = forgetText("pending_installs", "expires_at");

/** Deletes a batch of expired ones; resolves to their number. */
export function forgetPendingInstalls(rows: Rows, now: Date): Promise<number> {
  return forget(rows, forgetPendingText, now);
}
