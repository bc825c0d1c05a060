/** Checks the transport URL of a channel (SSRF) before the change: it resolves host names, which must not happen in a transaction. */
import type { Reader } from "../../../events/caller.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { channelTransports } from "./all.ts";

/**
 * Refuses, on `transport_url`, a forbidden target, and one that the caller may not choose. Each transport checks the URLs of its own form,
 * since the channel's transport is certain only inside the change.
 */
export async function judgeTarget(
  reader: Reader,
  outside: Outside,
  url: string | null | undefined,
  transports = channelTransports,
): Promise<void> {
  if (url === undefined || url === null) return;
  for (const transport of transports.all) {
    const fault = transport.accepts === "queued" ? await transport.judge(reader, outside, url) : undefined;
    if (fault !== undefined) throw new Invalid({ transport_url: [`The transport url field ${fault}`] });
  }
}
