/** Payment reports as apps send them, and their effects: the ledger, and the payers' subscriptions to the app. */
import { listSubscriptions } from "../../src/marketplace/billing/subscription.queries.ts";
import type { SubscriptionView } from "../../src/marketplace/billing/subscription.view.ts";
import type { Service } from "../../src/service.ts";
import { request } from "./client.ts";
import type { HttpAnswer } from "./client.ts";
import type { TestApp } from "./marketplace.ts";

type Credentials = Pick<TestApp, "client_id" | "client_secret">;

/** A valid report but for its payer; fields that are undefined are omitted. */
export function reportOf({ client_id }: Credentials, fields: Record<string, unknown>): Record<string, unknown> {
  const whole = {
    clientId: client_id,
    authType: "location",
    amount: 29,
    status: "COMPLETED",
    paymentType: "recurring",
  };
  return { ...whole, ...fields };
}

export function sendReport(
  url: string,
  app: Credentials,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const own = { "x-service-client-key": app.client_id, "x-service-client-secret": app.client_secret };
  const asked = { method: "POST", path: "/api/oauth/billing/webhook", body, headers: { ...own, ...headers } };
  return request(url, asked);
}

/** Sends a report that is valid but for `fields`. */
export function report(url: string, app: Credentials, fields: Record<string, unknown>): Promise<HttpAnswer> {
  return sendReport(url, app, reportOf(app, fields));
}

export interface LedgerRow {
  readonly location_id: number | null;
  readonly workspace_id: number;
  readonly status: string;
  readonly amount_cents: number;
  readonly payment_type: string;
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
}

/** The ledger of an app, in the order of arrival. */
export function ledgerOf({ database }: Pick<Service, "database">, { client_id }: Credentials): Promise<LedgerRow[]> {
  return database.rows<LedgerRow>(
    `select s.location_id, s.workspace_id, r.status, r.amount_cents, r.payment_type, r.payment_id, r.subscription_id
    from billing_reports r join app_subscriptions s on s.id = r.app_subscription_id join apps a on a.id = s.app_id
    where a.client_id = ? order by r.id`,
    [client_id],
  );
}

/** The subscriptions to an app that are visible to a workspace. */
export async function subscriptionsOf(
  service: Service,
  workspaceId: number,
  { client_id }: Credentials,
): Promise<SubscriptionView[]> {
  const { data } = await listSubscriptions(service.inWorkspace(workspaceId), {});
  return data.filter(({ app }) => app.client_id === client_id);
}
