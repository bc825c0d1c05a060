/** The URL of the payment page for an install (Limits, "External billing"). */
import type { InstallType } from "../../vocabulary/states.ts";

interface PaymentParameters {
  readonly clientId: string;
  readonly installType: InstallType;
  /** The ID of the paying location or company. */
  readonly payerId: number;
  /** The return URL: our extension. */
  readonly returnUrl: string;
}

/** The payment page with these parameters; its registered query is kept. */
export function toPaymentAddress(
  page: string,
  { clientId, installType, payerId, returnUrl }: PaymentParameters,
): string {
  const parameters = new URLSearchParams({
    clientId,
    installType,
    [`${installType}Id`]: String(payerId),
    return_url: returnUrl,
  });
  return `${page}${page.includes("?") ? "&" : "?"}${parameters.toString()}`;
}
