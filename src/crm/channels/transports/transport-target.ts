/** Judges where a channel's gateway is, before the channel is changed: names are asked for, which is nothing for a transaction. */
import type { TargetGuard } from "../../../outbound/target-guard.ts";
import { Invalid } from "../../../vocabulary/errors.ts";

/**
 * Refuses, on `transport_url`, a gateway that no message could go to. A mail server is not judged: it is the operator's own, and mostly
 * stands inside.
 */
export async function judgeGateway(targets: TargetGuard, url: string | null | undefined): Promise<void> {
  if (url === undefined || url === null || !/^https?:/i.test(url)) return;
  const fault = await targets.judge(url);
  if (fault !== undefined) throw new Invalid({ transport_url: [`The transport url field ${fault}`] });
}
