/** Which servers a caller may choose for what the service connects to later. */
import { isIPv6 } from "node:net";
import type { Reader } from "../events/caller.ts";
import type { Outside } from "../outbound/outside.ts";

/**
 * What is wrong with the host of a server that `reader` chooses, as a predicate such as "must be …"; undefined where nothing is. The operator
 * may choose any: most stand inside of their own network. What others choose is judged as the targets of webhooks are.
 */
export async function judgeHost(
  { grant }: Pick<Reader, "grant">,
  { targets }: Outside,
  host: string,
): Promise<string | undefined> {
  if (grant.role === "operator") return undefined;
  // In a URL a host is read as a connection reads it: 2130706433 is 127.0.0.1.
  return targets.judge(`https://${isIPv6(host) ? `[${host}]` : host}/`);
}
