/** Where a form may lead in the end: browsers judge every redirect after it by the policy of the page that it stands on. */

/**
 * The sources of the policy for an app's redirect URI, and for its payment page where there is one. A payment page sends people on to whoever takes
 * the money, at addresses that nobody here knows: any that is https. On a developer's own
 * machine it may be http itself.
 */
export function formActionOf(redirectUri: string, paymentPageUrl: string | null): string {
  if (paymentPageUrl === null) return sourceOf(redirectUri);
  const sources = [sourceOf(redirectUri), "https:"];
  if (!paymentPageUrl.startsWith("https:")) sources.push(sourceOf(paymentPageUrl));
  return sources.join(" ");
}

/** There is no source for an address of IPv6. */
function sourceOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  return hostname.startsWith("[") ? protocol : origin;
}
