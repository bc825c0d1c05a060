/** http: posts messages to a gateway of the user, which reports their deliveries. */
import type { NetworkTransport } from "./transports.ts";

export const httpTransport: NetworkTransport = {
  name: "http",
  accepts: "queued",
  kinds: null,
  about: "a gateway: a small program of yours in front of a provider of SMS, WhatsApp and the like",
  summary: "your gateway",
  urlForms: ["https://HOST/PATH"],
  secret: "signing",
  secretSummary: "the gateway's signing secret",
  reportsReceipts: true,
  faultsOf: ({ url }) =>
    url === null || /^https?:\/\//i.test(url) ? {} : { transport_url: "must be a valid https:// address." },
  // Even for the operator: the guard judges the gateway again with each message.
  judge: async (_reader, { targets }, url) => (/^https?:/i.test(url) ? targets.judge(url) : undefined),
  open: async (deps) => (await import("./http-sender.ts")).openHttpSender(deps),
};
