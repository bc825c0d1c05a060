/** CRM_BASE_URL against CRM_HOST: links in mails and OAuth redirects must reach the service. */
import { isIPv4 } from "node:net";
import { ok, warning } from "../check.ts";
import type { Check, Finding, Machine } from "../check.ts";

export const publicAddress: Check<Machine> = {
  name: "public address",
  async examine({ settings: { baseUrl, host } }): Promise<Finding> {
    const isPublic = !isLoopback(host);
    if (baseUrl === null)
      return isPublic
        ? warning(`the service listens on ${host} and CRM_BASE_URL is not set: links may not work elsewhere`, setIt)
        : ok(`clients of this machine reach the service on ${host}`);
    const url = new URL(baseUrl);
    if (isLoopback(url.hostname))
      return isPublic
        ? warning(
            `CRM_BASE_URL is ${baseUrl}, and the service listens on ${host}: links work on this machine only`,
            setIt,
          )
        : ok(`links begin with ${baseUrl}`);
    return url.protocol === "http:"
      ? warning(`CRM_BASE_URL is ${baseUrl}: passwords and keys are sent unencrypted`, "put TLS in front and use https")
      : ok(`links begin with ${baseUrl}`);
  },
};

const setIt = "set CRM_BASE_URL to the public URL";

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
}
