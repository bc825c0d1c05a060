/** Judges where an app wants people sent back to, when it is registered. */
import { faultOfAddress } from "./web-address.ts";

/**
 * What is wrong with `text` as a redirect URI, as the end of a sentence; undefined for one that is taken: https, or http on a
 * loopback address (RFC 8252, 7.3), without fragment (RFC 6749, 3.1.2), wildcard or user, and written as a browser resolves it.
 */
export function faultOfRedirectUri(text: string): string | undefined {
  return faultOfAddress(text, {
    example: "https://app.example.com/callback",
    faultOfScheme: (url) =>
      url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
        ? undefined
        : "must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1].",
  });
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname === "127.0.0.1";
}
