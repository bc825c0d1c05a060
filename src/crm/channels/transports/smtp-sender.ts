/** Sends messages as mail, with the headers that mail clients use for threading. */
import { BlobFault } from "../../../blobs/blobs.ts";
import { AttachmentFault } from "../../../mail/mail.ts";
import type { Mail } from "../../../mail/mail.ts";
import { mintMessageId } from "../../../mail/message-id.ts";
import { SmtpFault } from "../../../mail/smtp-fault.ts";
import { readSmtpServer } from "../../../mail/server-url.ts";
import { createSmtp } from "../../../mail/smtp.ts";
import { showsPicture } from "../../../mail/inline-pictures.ts";
import type { Attempt, OutgoingMessage, TransportSender } from "./transport.ts";

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
      if (error instanceof AttachmentFault) return toAttempt(error);
      if (!(error instanceof SmtpFault)) throw error;
      if (error.isFinal) return { outcome: "refused", reason: error.message };
      return { outcome: "unavailable", reason: error.message, isOfChannel: error.isOfServer, detail: error.detail };
    }
  };
  return { send, close: async () => smtp.close() };
}

/** A file that is gone stays gone; a store that is unavailable says nothing about the channel. */
function toAttempt({ message, cause }: AttachmentFault): Attempt {
  if (cause instanceof BlobFault && cause.kind === "gone")
    return { outcome: "refused", reason: `${message} Its content is no longer stored.` };
  return { outcome: "unavailable", reason: message, isOfChannel: false };
}

/** The References header holds at most this many Message-IDs, the newest. */
const mostReferences = 20;

function toMail(message: OutgoingMessage): Mail {
  const { from, to, contact, channel, earlier } = message;
  const thread = earlier.flatMap(({ direction, messageId }) => (messageId === null ? [] : [{ direction, messageId }]));
  const answered = thread.findLast(({ direction }) => direction === "inbound") ?? thread.at(-1);
  return {
    from: { name: channel.name, address: from ?? "" },
    to: { name: contact?.name ?? null, address: to },
    replyTo: message.replyTo,
    subject: message.subject ?? channel.name,
    text: message.body,
    html: message.html,
    attachments: message.attachments.map((file) => ({
      ...file,
      contentId: message.html !== null && showsPicture(message.html, file.name) ? file.name : null,
    })),
    isAutomatic: message.isAutomatic,
    unsubscribeUrl: message.unsubscribeUrl,
    messageId: message.messageId ?? mintMessageId(from ?? ""),
    inReplyTo: answered?.messageId ?? null,
    references: thread.slice(-mostReferences).map(({ messageId }) => messageId),
    date: new Date(message.createdAt),
  };
}
