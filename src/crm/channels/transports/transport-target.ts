/** Judges the transport URL of a channel before the change: it resolves names, which must not happen in a transaction. */
import type { Reader } from "../../../events/caller.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { channelTransports } from "./all.ts";

/**
 * Refuses, on `transport_url`, a target that no message may be sent to, or that is not the caller's to choose. Every transport judges the
 * URLs of its own form: which one the channel has is known for certain in the change alone.
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
