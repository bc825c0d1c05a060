/** Judges where a webhook is to go, before it is registered. */
import type { TargetGuard } from "../../outbound/target-guard.ts";
import { Invalid } from "../../vocabulary/errors.ts";

/** Refuses, on `target_url`, what no delivery could go to, in words that say nothing of what runs there. */
export async function judgeHookTarget(targets: TargetGuard, targetUrl: string): Promise<void> {
  const fault = await targets.judge(targetUrl);
  if (fault !== undefined) throw new Invalid({ target_url: [`The target url field ${fault}`] });
}
