/** Where a form may lead in the end: browsers judge every redirect after it by the policy of the page that it stands on. */

/**
 * The sources of the policy for an app's redirect URI, and for its payment page where there is one. A payment page sends people on to whoever takes
 * the money, at addresses that nobody here knows: any that is https.
 */
export function formActionOf(redirectUri: string, paymentPageUrl: string | null): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  // There is no source for an address of IPv6.
  const own = hostname.startsWith("[") ? protocol : origin;
  return paymentPageUrl === null ? own : `${own} https:`;
}
