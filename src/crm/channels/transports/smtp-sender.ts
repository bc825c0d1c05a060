/** Sends messages as mail, with the headers that mail clients use for threading. */
import { toMessageId } from "../../../mail/mail.ts";
import type { Mail } from "../../../mail/mail.ts";
import { SmtpFault } from "../../../mail/smtp-fault.ts";
import { readSmtpServer } from "../../../mail/smtp-server.ts";
import { createSmtp } from "../../../mail/smtp.ts";
import type { EarlierMessage, OutgoingMessage, TransportSender } from "./transport.ts";

export function openSmtpSender(): TransportSender {
  const smtp = createSmtp();
  const send: TransportSender["send"] = async (message, { url, secret }, signal) => {
    const server = readSmtpServer(url);
    if (typeof server === "string")
      return { outcome: "unavailable", reason: `The URL of the mail server ${server}`, isOfChannel: true };
    try {
      await smtp.deliver({ server, password: secret, mail: toMail(message), signal });
      return { outcome: "taken" };
    } catch (error) {
      if (!(error instanceof SmtpFault)) throw error;
      if (error.isFinal) return { outcome: "refused", reason: error.message };
      return { outcome: "unavailable", reason: error.message, isOfChannel: error.isOfServer, detail: error.detail };
    }
  };
  return { send, close: async () => smtp.close() };
}

/** The References header holds at most this many Message-IDs, the newest. */
const mostReferences = 20;

function toMail(message: OutgoingMessage): Mail {
  const { from, to, contact, channel, earlier } = message;
  const ids = earlier.flatMap((one) => idOf(one, from) ?? []);
  const answered = earlier.findLast((one) => one.direction === "inbound" && idOf(one, from) !== undefined);
  return {
    from: { name: channel.name, address: from ?? "" },
    to: { name: contact?.name ?? null, address: to },
    replyTo: message.replyTo,
    subject: message.subject ?? channel.name,
    text: message.body,
    html: message.html,
    isAutomatic: message.isAutomatic,
    messageId: ownId(message, from),
    inReplyTo: (answered === undefined ? undefined : idOf(answered, from)) ?? ids.at(-1) ?? null,
    references: ids.slice(-mostReferences),
    date: new Date(message.createdAt),
  };
}

/** The Message-ID: the sender's for an inbound message, our own for an outbound one. */
function idOf(message: EarlierMessage, from: string | null): string | undefined {
  if (message.direction === "outbound") return ownId(message, message.from ?? from);
  return message.externalId === null ? undefined : toMessageId(message.externalId);
}

/** Our Message-ID, identical in every attempt. The time makes it unique across installations with the same address. */
function ownId({ id, createdAt }: { readonly id: number; readonly createdAt: number }, from: string | null): string {
  const domain = from?.slice(from.lastIndexOf("@") + 1) ?? "";
  const host = URL.parse(`http://${domain}`)?.hostname ?? "";
  return `<crm.${id}.${createdAt.toString(36)}@${host === "" ? "localhost" : host}>`;
}
