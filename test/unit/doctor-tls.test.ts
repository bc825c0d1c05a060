/** `crm doctor` on the files of TLS: each fault is named, with what mends it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../config/settings.loading.ts";
import { tlsFiles } from "../../src/doctor/settings/tls-files.ts";

const pem = (name: string): string => join(import.meta.dirname, "../support/certificates", name);
const good = { CRM_TLS_CERT: pem("good.pem"), CRM_TLS_KEY: pem("good.key") };
const expired = { CRM_TLS_CERT: pem("expired.pem"), CRM_TLS_KEY: pem("expired.key") };
const today = "2027-01-01T12:00:00Z";

test.each<[what: string, environment: Record<string, string>, now: string, verdict: string, found: RegExp]>([
  ["no TLS", {}, today, "ok", /^plain HTTP/],
  ["a pair", good, today, "ok", /^the certificate is valid until 2120-01-01$/],
  ["its host", { ...good, CRM_BASE_URL: "https://hooks.example.com" }, today, "ok", /valid until/],
  [
    "another host",
    { ...good, CRM_BASE_URL: "https://crm.example.com" },
    today,
    "failure",
    /is not for crm\.example\.com/,
  ],
  ["soon over", good, "2119-12-25T00:00:00Z", "warning", /expires on 2120-01-01$/],
  ["expired", expired, today, "failure", /expired on 2020-01-02$/],
  ["not valid yet", good, "2019-12-31T00:00:00Z", "failure", /is valid from 2020-01-01T00:00:00.000Z only$/],
  ["another key", { ...good, CRM_TLS_KEY: pem("expired.key") }, today, "failure", /^The key in \S+ does not belong to/],
  ["no key", { CRM_TLS_CERT: pem("good.pem") }, today, "failure", /^CRM_TLS_CERT is set alone$/],
  ["no certificate", { CRM_TLS_KEY: pem("good.key") }, today, "failure", /^CRM_TLS_KEY is set alone$/],
  ["a missing file", { ...good, CRM_TLS_CERT: pem("none.pem") }, today, "failure", /cannot be read \(ENOENT\)$/],
  ["a folder", { ...good, CRM_TLS_CERT: pem(".") }, today, "failure", /cannot be read \(EISDIR\)$/],
  ["no PEM", { ...good, CRM_TLS_CERT: import.meta.filename }, today, "failure", /holds no certificate in PEM format$/],
])("%s", async (_what, environment, now, verdict, found) => {
  const settings = loadSettings({ environment, directory: "/" });
  const clock = { now: () => new Date(now) };
  const finding = await tlsFiles.examine({ settings, clock, unknownSettings: [], nodeVersion: "24.0.0" });
  expect([finding.verdict, finding.found]).toEqual([verdict, expect.stringMatching(found)]);
  expect(finding.remedy === null).toBe(verdict === "ok");
});
