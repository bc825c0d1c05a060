/** Installs that wait for a payment: held when somebody has allowed an app that they have to pay for, finished once when they come back. */
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
import type { GrantablePlace } from "./consent.queries.ts";
import type { HeldRequest } from "./consent.service.ts";
import { toPaymentAddress } from "./payment-address.ts";
import type { Payer } from "../billing/payer.ts";
import { beginCheckout } from "../billing/platform/checkout.service.ts";
import type { PendingPayment } from "../billing/platform/checkout.service.ts";
import { lockPlatformSubscription, openSubscription } from "../billing/subscription.service.ts";

const lockText = `
  insert into pending_installs (hash, app_id, user_id, location_id, ${authorizationColumns}, created_at, expires_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`;

/** Of many that one person leaves open the oldest go; and whatever they have finished, which takes no place of those that wait. */
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
  readonly place: GrantablePlace;
}

/** A checkout of platform billing that is begun, and the path at which the person comes back from it. */
export interface PaymentStep {
  readonly payment: PendingPayment;
  readonly path: `/${string}`;
}

/** Who pays for an app that is installed at `place`. */
export function payerOf({ installType }: Pick<Client, "installType">, { id, workspaceId }: GrantablePlace): Payer {
  return { workspaceId, locationId: installType === "location" ? id : null };
}

/**
 * Where the person pays for what they allowed at `place`: the payment page of an app with external billing, or the checkout of an app
 * with platform billing. Undefined where there is nothing to pay: the app costs nothing, or the payer has an active subscription.
 */
export async function sendToPayment(
  change: Writer,
  allowed: Allowed,
  { links, now }: { links: Links; now: Date },
): Promise<string | PaymentStep | undefined> {
  const { client, place } = allowed;
  const payer = payerOf(client, place);
  if (client.price !== null) {
    const { id, isLiving } = await lockPlatformSubscription(change, client.id, payer, now);
    if (isLiving) return undefined;
    const { token, pendingInstallId } = await keepInstall(change, allowed, now);
    const { cents: priceCents, trialDays } = client.price;
    beginCheckout(change, { subscriptionId: id, pendingInstallId }, { priceCents, trialDays }, now);
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

/** Keeps what was allowed until the person comes back; the token names it in the address. */
async function keepInstall(
  change: Writer,
  { client, held, session, place }: Allowed,
  now: Date,
): Promise<{ token: string; pendingInstallId: number }> {
  const token = mintSecret("crm_install_");
  const [pending] = await change.rows<{ id: number }>(lockText, [
    hashSecret(token),
    client.id,
    session.userId,
    place.id,
    ...toAuthorizationValues(held),
    now,
    new Date(now.getTime() + limits.billing.pendingInstallSeconds * 1000),
  ]);
  change.send(trimText, [session.userId, session.userId]);
  return { token, pendingInstallId: pending!.id };
}

/** Where somebody comes back to from a payment page. */
export function pendingInstallPath(token: string): `/${string}` {
  return `/oauth/installs/${token}`;
}

/** What was allowed, and who may finish it. */
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

/** Undefined for a token that nobody was sent away with, and for an install that was finished or is too old. */
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

/** False when somebody else came first: the same address opened twice gives nothing twice. */
export async function markFinished(rows: Rows, { id }: PendingInstall, now: Date): Promise<boolean> {
  return (await rows.rows(finishText, [now, id])).length === 1;
}

const forgetPendingText = forgetText("pending_installs", "expires_at");

/** Forgets some of those whose time is over; resolves to how many. */
export function forgetPendingInstalls(rows: Rows, now: Date): Promise<number> {
  return forget(rows, forgetPendingText, now);
}
