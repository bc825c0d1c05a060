/** What asks somebody outside of this process (name servers, receivers): for what runs before a change, never inside of its transaction. */
import type { Settings } from "../../config/settings.ts";
import { createResolve } from "./resolve.ts";
import { createTargetGuard } from "./target-guard.ts";
import type { TargetGuard } from "./target-guard.ts";

export interface Outside {
  /** Judges targets that users choose. */
  readonly targets: TargetGuard;
}

/**
 * Refuses to serve the world with webhooks that go out in clear: for development, where `baseUrl`, the address that clients use, is
 * this machine's own.
 */
export function refusePlainHttp({ webhookAllowHttp }: Pick<Settings, "webhookAllowHttp">, baseUrl: string): void {
  if (!webhookAllowHttp || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname)) return;
  throw new Error(
    `CRM_WEBHOOK_ALLOW_HTTP is on, and clients reach this service at ${baseUrl}: accepted is only a loopback address, such as http://127.0.0.1:3000.`,
  );
}

export function openOutside(settings: Pick<Settings, "webhookAllowedNetworks" | "webhookAllowHttp">): Outside {
  const { webhookAllowedNetworks: allowedNetworks, webhookAllowHttp: allowHttp } = settings;
  const resolve = createResolve({ asksSystem: allowedNetworks.length > 0 });
  return { targets: createTargetGuard({ allowedNetworks, allowHttp, resolve }) };
}
