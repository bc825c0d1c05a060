/** Where somebody is sent to pay for an app (Limits, "External billing"). */
import type { InstallType } from "../../vocabulary/states.ts";

interface PaymentParameters {
  readonly clientId: string;
  readonly installType: InstallType;
  /** The id of the location or the company that pays. */
  readonly payerId: number;
  /** Where they come back to: our extension. */
  readonly returnUrl: string;
}

/** The payment page with these parameters and no other; a query that the app has registered stays. */
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
