/** Validates the payment page of an app with external billing. */
import { faultOfAddress } from "./web-address.ts";

/** Parameters added at an install. */
const ours = new Set(["clientId", "installType", "locationId", "companyId", "return_url"]);

/** The fault of `text` as a predicate; undefined if valid: it must not already have one of the parameters. */
export function faultOfPaymentPage(text: string): string | undefined {
  const fault = faultOfAddress(text, "https://app.example.com/pay");
  if (fault !== undefined) return fault;
  const taken = [...new URL(text).searchParams.keys()].find((name) => ours.has(name));
  return taken === undefined ? undefined : `must not have the parameter ${taken}, which is added at an install.`;
}
