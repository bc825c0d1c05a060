/** CRM_TRUSTED_PROXIES: too few, and all clients share one address; too many, and a client chooses its own. */
import { ok, warning } from "../check.ts";
import type { Check, Machine } from "../check.ts";

/** Networks with more addresses than a private one has. */
const isWide = (network: string): boolean => {
  const [address = "", bits] = network.split("/");
  return bits !== undefined && Number(bits) < (address.includes(":") ? 7 : 8);
};

export const trustedProxies: Check<Machine> = {
  name: "trusted proxies",
  async examine({ settings: { baseUrl, trustedProxies: proxies } }) {
    const wide = proxies.filter(isWide);
    if (wide.length > 0)
      return warning(
        `CRM_TRUSTED_PROXIES trusts ${wide.join(", ")}: a client there chooses the address that it is counted under`,
        "name the addresses of your proxies only",
      );
    if (baseUrl?.startsWith("https:") && proxies.length === 0)
      return warning(
        "CRM_BASE_URL is https, and no proxy is trusted: failed sign-ins of all clients count as those of one",
        "set CRM_TRUSTED_PROXIES to the address of the proxy",
      );
    return ok(proxies.length === 0 ? "no proxy" : proxies.join(", "));
  },
};
