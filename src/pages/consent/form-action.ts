/** The CSP directive form-action of consent pages: browsers check it for every redirect after a form. */
import type { Client } from "../../marketplace/oauth/client.queries.ts";
import type { StripeConnection } from "../../outbound/stripe.ts";

/**
 * The CSP sources of an app's redirect URI and payment page. A payment page may redirect to its payment provider at any
 * https URL, on a developer's machine also http. Stripe's pages use https.
 */
export function formActionOf(
  redirectUri: string,
  { paymentPageUrl, price }: Pick<Client, "paymentPageUrl" | "price">,
  stripe: Pick<StripeConnection, "pageSources"> | null,
): string {
  const sources = [sourceOf(redirectUri)];
  if (paymentPageUrl !== null || price !== null)
    sources.push(price === null ? "https:" : (stripe?.pageSources ?? "https:"));
  if (paymentPageUrl !== null && !paymentPageUrl.startsWith("https:")) sources.push(sourceOf(paymentPageUrl));
  return sources.join(" ");
}

/** CSP has no source expression for IPv6 addresses. */
function sourceOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  return hostname.startsWith("[") ? protocol : origin;
}
