/**
 * Completes a consent: checks the app as it is now, the location and the payment, and issues the code, in one
 * transaction.
 */
import type { Links } from "../../kit/links.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { recordAudit } from "../../operation/audit/record-audit.ts";
import { missingScopes } from "../../operation/grant-limits.ts";
import { rightsOf } from "../../operation/roles.ts";
import type { StripeConnection } from "../../outbound/stripe.ts";
import type { Database } from "../../storage/database.ts";
import type { Writer } from "../../storage/rows.ts";
import type { Session } from "../../tenancy/sessions/session.service.ts";
import { requireBillable } from "../apps/app.billing.ts";
import { watchSubscriptions } from "../billing/subscription-news.ts";
import { beginAgain } from "../billing/platform/checkout.service.ts";
import { markInstalls, paymentDueAt } from "../billing/platform/subscription-state.service.ts";
import { lockPlatformSubscription } from "../billing/subscription.service.ts";
import { revalidate, toRedirect } from "../oauth/authorization-request.ts";
import { lockClientForCheckout, lockClientOf } from "../oauth/client.queries.ts";
import type { Client } from "../oauth/client.queries.ts";
import { OauthError } from "../oauth/oauth-error.ts";
import { issuerOf } from "../oauth/oauth.routes.ts";
import { lockGrantableLocation } from "./consent.queries.ts";
import type { GrantableLocation } from "./consent.queries.ts";
import { allow, markAnswered } from "./consent.service.ts";
import type { HeldRequest } from "./consent.service.ts";
import { tellInstalled } from "./install-news.ts";
import { findOffer, markFinished, payerOf, sendToPayment } from "./pending-install.service.ts";
import type { PaymentStep, PendingInstall } from "./pending-install.service.ts";

export interface InstallDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
  /** Null without a payment processor. */
  readonly stripe: StripeConnection | null;
  /** CRM_BILLING_GRACE_DAYS. */
  readonly graceDays: number;
}

interface ConsentDecision {
  readonly session: Session;
  /** The IP address of the browser. */
  readonly address: string;
  readonly held: HeldRequest;
  readonly isAllowed: boolean;
  /** The selected location; undefined for none. */
  readonly locationId: number | undefined;
}

/**
 * The next step: a redirect, a checkout, the client again if no location was selected, or nothing if the request was
 * already answered. The request is validated against the app as it is now, and against the person's permissions in the
 * location. Throws Untrusted and OauthError.
 */
export function answerConsent(
  deps: InstallDeps,
  answer: ConsentDecision,
): Promise<string | PaymentStep | Client | undefined> {
  const [issuer, now] = [issuerOf(deps.links), deps.clock.now()];
  return deps.database.transaction(async (change: Writer) => {
    const { session, address, held, isAllowed, locationId } = answer;
    const client = await lockClientForCheckout(change, held.appId);
    if (client === undefined) return undefined;
    revalidate(client, held);
    if (!isAllowed) {
      const error = new OauthError("access_denied", "The person did not allow it.");
      return (await markAnswered(change, held, now)) ? toRedirect(held, issuer, { error }) : undefined;
    }
    requireBillable(client, deps.stripe !== null);
    const location = await lockGrantableLocation(change, session.userId, client, locationId);
    if (location === undefined) return client;
    requireGivable(location, held);
    if (!(await markAnswered(change, held, now))) return undefined;
    const tellChanges = await watch(change, client, location);
    const payment = await sendToPayment(change, { client, held, session, location }, { links: deps.links, now });
    if (payment !== undefined) return payment;
    const code = await install(deps, change, { client, held, session, address, location });
    await tellChanges(now);
    return toRedirect(held, issuer, { code });
  });
}

/**
 * The redirect to the app after a payment, with a code; undefined if a concurrent request was first. Everything is
 * validated again, since up to a day has passed. Throws Untrusted and OauthError.
 */
export function finishInstall(
  deps: InstallDeps,
  {
    pending,
    session,
    address,
  }: { readonly pending: PendingInstall; readonly session: Session; readonly address: string },
): Promise<string | undefined> {
  const now = deps.clock.now();
  return deps.database.transaction(async (change: Writer) => {
    const client = await lockClientOf(change, pending.appId);
    if (client === undefined) return undefined;
    revalidate(client, pending);
    requireBillable(client, deps.stripe !== null);
    const location = await lockGrantableLocation(change, session.userId, client, pending.locationId);
    if (location === undefined) throw new OauthError("access_denied", "The location was lost meanwhile.");
    requireGivable(location, pending);
    if (!(await markFinished(change, pending, now))) return undefined;
    const tellChanges = await watch(change, client, location);
    const code = await install(deps, change, { client, held: pending, session, address, location });
    await tellChanges(now);
    return toRedirect(pending, issuerOf(deps.links), { code });
  });
}

/**
 * Prepares the checkout of a pending install. `paid`: a subscription that started meanwhile covers it. `lost`: the app,
 * its price or the location has changed since the consent.
 */
export function prepareCheckout(
  deps: InstallDeps,
  { pending, session }: { readonly pending: PendingInstall; readonly session: Session },
): Promise<"ready" | "paid" | "lost"> {
  const now = deps.clock.now();
  return deps.database.transaction(async (change: Writer) => {
    const client = await lockClientForCheckout(change, pending.appId);
    if (client === undefined || client.price === null) return "lost";
    requireBillable(client, deps.stripe !== null);
    const location = await lockGrantableLocation(change, session.userId, client, pending.locationId);
    if (location === undefined) return "lost";
    const payer = payerOf(client, location);
    const tellChanges = await watch(change, client, location);
    const { id, isLiving } = await lockPlatformSubscription(change, client.id, payer, now);
    if (isLiving) {
      await tellChanges(now);
      return "paid";
    }
    const offer = await findOffer(change, client, payer, id, now);
    return (await beginAgain(change, id, pending, offer, now)) ? "ready" : "lost";
  });
}

/** A paid subscription may resume by the install. */
function watch(change: Writer, { id: appId }: Client, { id: locationId, workspaceId }: GrantableLocation) {
  return watchSubscriptions(change, { appId, workspaceId, locationId });
}

interface Install {
  readonly client: Client;
  readonly held: Parameters<typeof allow>[1];
  readonly session: Session;
  readonly address: string;
  readonly location: GrantableLocation;
}

/** Issues the code, and records from when an app with platform billing must be paid. */
async function install(
  { clock, graceDays }: InstallDeps,
  change: Writer,
  { client, held, session, address, location }: Install,
): Promise<string> {
  const now = clock.now();
  recordAudit(change, now, {
    operation: "installApp",
    actor: { type: "user", id: session.userId },
    address,
    workspaceId: location.workspaceId,
    locationId: location.id,
    subject: { noun: "app", id: client.id },
    details: { scopes: held.scopes },
  });
  const installed = { appId: client.id, workspaceId: location.workspaceId, locationId: location.id, now };
  if (client.price === null) {
    const code = await allow(change, held, { session, location, now });
    await tellInstalled(change, installed, held.scopes);
    return code;
  }
  const payer = payerOf(client, location);
  const { isLiving, status, pastDueSince } = await lockPlatformSubscription(change, client.id, payer, now);
  if (!isLiving) throw new OauthError("access_denied", "The payment was not completed.");
  const code = await allow(change, held, { session, location, now });
  const dueAt = paymentDueAt({ status: status!, pastDueSince }, graceDays, now);
  markInstalls(change, { app_id: client.id, workspace_id: payer.workspaceId, location_id: payer.locationId }, dueAt);
  await tellInstalled(change, installed, held.scopes);
  return code;
}

/** A person can grant at most their own permissions. */
function requireGivable({ role }: GrantableLocation, { scopes }: Pick<HeldRequest, "scopes">): void {
  const beyond = missingScopes(rightsOf[role], scopes);
  if (beyond.length > 0)
    throw new OauthError("access_denied", `The person does not hold what the app asks for: ${beyond.join(", ")}.`);
}
