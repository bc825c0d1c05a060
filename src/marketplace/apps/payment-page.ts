/** Judges the page at which an app with external billing takes payments, when it is registered. */
import { faultOfAddress } from "./web-address.ts";

/** What is added to it at an install. */
const ours = new Set(["clientId", "installType", "locationId", "companyId", "return_url"]);

/** What is wrong with `text`, as the end of a sentence; undefined for one that is taken, which has no parameter that would be there twice. */
export function faultOfPaymentPage(text: string): string | undefined {
  const fault = faultOfAddress(text, "https://app.example.com/pay");
  if (fault !== undefined) return fault;
  const taken = [...new URL(text).searchParams.keys()].find((name) => ours.has(name));
  return taken === undefined ? undefined : `must not have the parameter ${taken}, which is added at an install.`;
}
