/** The http transport: posts messages to the user's gateway, which reports delivery receipts. */
import type { NetworkTransport } from "./transports.ts";

export const httpTransport: NetworkTransport = {
  name: "http",
  accepts: "queued",
  kinds: null,
  title: "Gateway (HTTP)",
  about: "a gateway: a small program of yours in front of a provider of SMS, WhatsApp and the like",
  summary: "your gateway",
  urlForms: ["https://HOST/PATH"],
  secret: "signing",
  secretSummary: "the gateway's signing secret",
  reportsReceipts: true,
  faultsOf: ({ url }) =>
    url === null || /^https?:\/\//i.test(url) ? {} : { transport_url: "must be a valid https:// address." },
  // Applies to the operator too, since every message repeats the check of the target.
  judge: async (_reader, { targets }, url) => (/^https?:/i.test(url) ? targets.judge(url) : undefined),
  open: async (deps) => (await import("./http-sender.ts")).openHttpSender(deps),
};
