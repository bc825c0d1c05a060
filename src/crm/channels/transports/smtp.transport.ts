/** smtp: sends messages by a mail server. */
import { readSmtpServer } from "../../../mail/server-url.ts";
import { judgeHost } from "../../../operation/targets.ts";
import type { NetworkTransport } from "./transports.ts";

export const smtpTransport: NetworkTransport = {
  name: "smtp",
  accepts: "queued",
  kinds: ["email"],
  title: "Mail server (SMTP)",
  about: "a mail server",
  summary: "uses a mail server",
  urlForms: ["smtps://USER@HOST", "smtp://HOST:PORT"],
  secret: "password",
  secretSummary: "the mail server's password",
  reportsReceipts: false,
  faultsOf({ address, outboundAddress = null, url, secret }) {
    const lacksAddress = address === "" && outboundAddress === null;
    return {
      ...(lacksAddress ? { address: "is required for the transport smtp: mail is sent from it." } : {}),
      ...(url === null ? {} : faultsOfServer(url, secret)),
    };
  },
  async judge(reader, outside, url) {
    if (/^https?:/i.test(url)) return undefined;
    const server = readSmtpServer(url);
    // faultsOf refuses an invalid URL, with the other faults of the channel.
    return typeof server === "string" ? undefined : judgeHost(reader, outside, server.host);
  },
  open: async () => (await import("./smtp-sender.ts")).openSmtpSender(),
};

function faultsOfServer(url: string, secret: string | null) {
  const server = readSmtpServer(url);
  if (typeof server === "string") return { transport_url: server };
  if (server.user !== null && secret === null)
    return { transport_secret: "is required: the URL names a user, and this is its password." };
  return server.user === null && secret !== null
    ? { transport_url: "must name the user whose password was given: smtps://USER@HOST." }
    : {};
}
