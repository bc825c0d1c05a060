/** Where a form may lead in the end: browsers judge every redirect after it by the policy of the page that it stands on. */
import type { Client } from "../../marketplace/oauth/client.queries.ts";
import type { StripeConnection } from "../../outbound/stripe.ts";

/**
 * The sources of the policy for an app's redirect URI, and for where its customers pay. A payment page sends people on to whoever takes
 * the money, at addresses that nobody here knows: any that is https. On a developer's own machine it may be http itself. Stripe's pages are https.
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

/** There is no source for an address of IPv6. */
function sourceOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  return hostname.startsWith("[") ? protocol : origin;
}
