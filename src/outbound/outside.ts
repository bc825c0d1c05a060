/** Access to external systems (DNS, receivers), for work before a change, never inside its transaction. */
import type { Settings } from "../../config/settings.ts";
import { createResolve } from "./resolve.ts";
import { createTargetGuard } from "./target-guard.ts";
import type { TargetGuard } from "./target-guard.ts";

export interface Outside {
  /** Checks user-defined targets. */
  readonly targets: TargetGuard;
}

/** Refuses plain-http webhooks for a public service: they are for development, where `baseUrl` is local. */
export function refusePlainHttp({ webhookAllowHttp }: Pick<Settings, "webhookAllowHttp">, baseUrl: string): void {
  if (!webhookAllowHttp || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname)) return;
  throw new Error(
    `CRM_WEBHOOK_ALLOW_HTTP is on, but clients reach this service at ${baseUrl}; expected a loopback address such as http://127.0.0.1:3000.`,
  );
}

export function openOutside(settings: Pick<Settings, "webhookAllowedNetworks" | "webhookAllowHttp">): Outside {
  const { webhookAllowedNetworks: allowedNetworks, webhookAllowHttp: allowHttp } = settings;
  const resolve = createResolve({ asksSystem: allowedNetworks.length > 0 });
  return { targets: createTargetGuard({ allowedNetworks, allowHttp, resolve }) };
}
