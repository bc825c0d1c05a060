/** Validates a redirect URI at registration. */
import { faultOfAddress } from "./web-address.ts";

/** The fault of `text` as a predicate; undefined for a valid redirect URI (RFC 6749, 3.1.2). */
export function faultOfRedirectUri(text: string): string | undefined {
  return faultOfAddress(text, "https://app.example.com/callback");
}
