/** Checks the target of an app's own webhook, before the transaction: it queries DNS. */
import type { TargetGuard } from "../../outbound/target-guard.ts";
import { judgeHookTarget } from "../../webhooks/hooks/hook-target.ts";

/** Refuses, on `webhook_url`, a target that no delivery could reach. */
export async function judgeAppWebhook(
  targets: TargetGuard,
  { webhook_url: url }: { readonly webhook_url?: string | null | undefined },
): Promise<void> {
  if (typeof url === "string") await judgeHookTarget(targets, url, "webhook_url");
}
