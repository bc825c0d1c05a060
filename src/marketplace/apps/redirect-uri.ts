/** Judges where an app wants people sent back to, when it is registered. */
import { faultOfAddress } from "./web-address.ts";

/** What is wrong with `text` as a redirect URI, as the end of a sentence; undefined for one that is taken (RFC 6749, 3.1.2). */
export function faultOfRedirectUri(text: string): string | undefined {
  return faultOfAddress(text, "https://app.example.com/callback");
}
