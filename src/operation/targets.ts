/** Prevents SSRF: restricts the servers that a caller may configure as targets of later connections. */
import { isIPv6 } from "node:net";
import type { Reader } from "../events/caller.ts";
import type { Outside } from "../outbound/outside.ts";

/**
 * Checks the host of a server that `reader` configures; returns the error as a predicate such as "must be …", or undefined. The operator
 * may use any host, since mail servers and gateways are often on the internal network. Other callers are limited like webhook targets.
 */
export async function judgeHost(
  { grant }: Pick<Reader, "grant">,
  { targets }: Outside,
  host: string,
): Promise<string | undefined> {
  if (grant.role === "operator") return undefined;
  // The URL parser normalizes the host as a connection would: 2130706433 is 127.0.0.1.
  return targets.judge(`https://${isIPv6(host) ? `[${host}]` : host}/`);
}
