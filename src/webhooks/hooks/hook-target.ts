/** Checks the target of a webhook at registration. */
import type { TargetGuard } from "../../outbound/target-guard.ts";
import { Invalid } from "../../vocabulary/errors.ts";

/** Refuses, on `field`, a target no delivery could reach, without revealing anything about it. */
export async function judgeHookTarget(targets: TargetGuard, targetUrl: string, field = "target_url"): Promise<void> {
  const fault = await targets.judge(targetUrl);
  if (fault !== undefined) throw new Invalid({ [field]: [`The ${field.replaceAll("_", " ")} field ${fault}`] });
}
