/** Opens a session of Stripe's customer portal: change the card, read invoices, pay an open one. */
import { callStripe } from "../../../outbound/stripe.ts";
import type { PlatformDeps } from "./platform-deps.ts";

const customerText = `select s.customer_id from app_installs i join locations l on l.id = i.location_id
  join app_subscriptions s on s.app_id = i.app_id and s.workspace_id = l.workspace_id
  where i.id = ? and (s.location_id = i.location_id or s.location_id is null) and s.customer_id is not null
  order by s.canceled_at is not null, s.location_id is null limit 1`;

/**
 * Every request creates a session of its own: a stored idempotency key would return a URL that has expired. Retries are safe by the package's own
 * key. Resolves to the short-lived portal URL for the payer of an install; undefined if the payer is no customer at Stripe.
 */
export async function openPortal(
  { database, stripe }: PlatformDeps,
  installId: number,
  returnUrl: string,
): Promise<string | undefined> {
  const [payer] = await database.rows<{ customer_id: string }>(customerText, [installId]);
  if (payer === undefined) return undefined;
  const { url } = await callStripe(stripe, (client) =>
    client.billingPortal.sessions.create({ customer: payer.customer_id, return_url: returnUrl }),
  );
  return url;
}
