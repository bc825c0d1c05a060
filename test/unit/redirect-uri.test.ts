/** What an app may register as the address that people are sent back to. */
import { expect, test } from "vitest";
import { faultOfRedirectUri } from "../../src/marketplace/apps/redirect-uri.ts";

test.each([
  "https://app.example.com/callback",
  "https://app.example.com",
  "https://app.example.com/",
  "https://app.example.com:8443/callback?tenant=7&mode=a%20b",
  "https://xn--bcher-kva.example/",
  "http://localhost/callback",
  "http://localhost:4000/callback",
  "http://127.0.0.1:4000/callback",
  "http://[::1]:4000/callback",
])("%s is taken", (uri) => expect(faultOfRedirectUri(uri)).toBeUndefined());

const scheme = "must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1].";
const whole = "must be a whole address, such as https://app.example.com/callback.";
const ascii = "must be written in ASCII without spaces, other characters percent-encoded.";
const user = "must not have a user or a password in it.";

test.each([
  ["", ascii],
  ["app.example.com/callback", whole],
  ["/callback", whole],
  ["//app.example.com/callback", whole],
  ["https:/app.example.com/callback", whole],
  ["https:app.example.com", whole],
  ["https:///app.example.com", whole],
  ["https://", whole],
  ["http://app.example.com/callback", scheme],
  ["http://127.0.0.2/callback", scheme],
  ["http://localhost.example.com/callback", scheme],
  ["javascript:alert(1)", scheme],
  ["data:text/html,x", scheme],
  ["file:///etc/passwd", scheme],
  ["ledgerline://callback", scheme],
  ["https://*.example.com/callback", "must not have a wildcard: register each address."],
  ["https://app.example.com/*", "must not have a wildcard: register each address."],
  ["https://app.example.com/callback#", "must not have a fragment (#…)."],
  ["https://app.example.com/callback#token", "must not have a fragment (#…)."],
  ["https://ada@app.example.com/", user],
  ["https://ada:secret@app.example.com/", user],
  ["https://@app.example.com/", user],
  ["https://app.example.com\\@evil.example/", ascii],
  ["https://app.example.com/call back", ascii],
  [" https://app.example.com/", ascii],
  ["https://app.example.com/\n", ascii],
  ["https://bücher.example/", ascii],
  ["HTTPS://app.example.com/", whole],
  ["https://APP.example.com/", "must be written as browsers resolve it: https://app.example.com/"],
  ["https://app.example.com:443/", "must be written as browsers resolve it: https://app.example.com/"],
  ["https://app.example.com/a/../b", "must be written as browsers resolve it: https://app.example.com/b"],
  ["https://app.example.com/%2e%2e/b", "must be written as browsers resolve it: https://app.example.com/b"],
  ["http://127.1/callback", "must be written as browsers resolve it: http://127.0.0.1/callback"],
  [`https://app.example.com/${"a".repeat(2048)}`, "must not be longer than 2048 characters."],
])("%j is refused", (uri, fault) => expect(faultOfRedirectUri(uri)).toBe(fault));
