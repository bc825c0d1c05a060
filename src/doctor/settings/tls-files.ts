/** The files of CRM_TLS_CERT and CRM_TLS_KEY: a pair that the service can use, and not about to expire. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { readTlsPair } from "../../http/connection/tls.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Finding, Machine } from "../check.ts";

/** Two weeks, in milliseconds: certificates of 90 days are renewed a month before their end. */
const soon = 14 * 86_400_000;

export const tlsFiles: Check<Machine> = {
  name: "TLS files",
  async examine({ settings: { tlsCert: cert, tlsKey: key, baseUrl }, clock }): Promise<Finding> {
    if (cert === null && key === null) return ok("plain HTTP: a proxy is expected to terminate TLS");
    if (cert === null || key === null)
      return failure(`${cert === null ? "CRM_TLS_KEY" : "CRM_TLS_CERT"} is set alone`, "set both, or none");
    try {
      const certificate = new X509Certificate((await readTlsPair({ cert, key })).cert);
      const [from, until] = [certificate.validFromDate, certificate.validToDate];
      const day = until.toISOString().slice(0, 10);
      const now = clock.now();
      if (until <= now) return failure(`the certificate in ${cert} expired on ${day}`, renew);
      if (from > now) return failure(`the certificate in ${cert} is valid from ${from.toISOString()} only`, renew);
      const host = baseUrl === null ? undefined : new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, "$1");
      if (host !== undefined && !isFor(certificate, host))
        return failure(`the certificate in ${cert} is not for ${host}, the host of CRM_BASE_URL`, renew);
      return until.getTime() - now.getTime() < soon
        ? warning(`the certificate in ${cert} expires on ${day}`, renew)
        : ok(`the certificate is valid until ${day}`);
    } catch (error) {
      return failure((error as Error).message.replace(/\.$/, ""), "set CRM_TLS_CERT and CRM_TLS_KEY to a pair in PEM");
    }
  },
};

function isFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

const renew = "renew it; the service reads it within seconds";
