/** Sends the service's own mails, such as password links, through the server of CRM_SMTP_URL. */
import type { Settings } from "../../config/settings.ts";
import { readMailbox } from "../kit/input/mailbox.ts";
import type { Mailbox } from "../kit/input/mailbox.ts";
import type { Clock } from "../kit/time/clock.ts";
import { mintMessageId } from "./message-id.ts";
import { readSmtpServer } from "./server-url.ts";
import type { SmtpServer } from "./server-url.ts";
import type { Smtp } from "./smtp.ts";

export interface Letter {
  readonly to: Mailbox;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Resolves when the server has accepted it; throws an SmtpFault, whose message is a sentence, within a minute. */
  send(letter: Letter, signal?: AbortSignal): Promise<void>;
  /** Aborts pending mails and closes pooled connections. */
  close(): Promise<void>;
}

/** Null without a server. Throws one sentence for inconsistent settings. */
export function createMailer(
  { smtpUrl, mailFrom }: Pick<Settings, "smtpUrl" | "mailFrom">,
  clock: Clock,
): Mailer | null {
  if (smtpUrl === null) return null;
  const { server, password } = readSettings(smtpUrl);
  if (mailFrom === null) throw new Error("CRM_SMTP_URL is set but CRM_MAIL_FROM is not: set the sender address.");
  const from = readMailbox(mailFrom)!;
  const stop = new AbortController();
  // The mail composer is loaded on first use.
  let opening: Promise<Smtp> | undefined;
  return {
    async send({ to, subject, text }, signal) {
      const smtp = await (opening ??= import("./smtp.ts").then(({ createSmtp }) => createSmtp()));
      const mail = {
        from,
        to,
        replyTo: null,
        subject,
        text,
        html: null,
        attachments: [],
        isAutomatic: true,
        unsubscribeUrl: null,
        messageId: mintMessageId(from.address),
        inReplyTo: null,
        references: [],
        date: clock.now(),
      };
      await smtp.deliver({
        server,
        password,
        mail,
        signal: AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]),
      });
    },
    async close() {
      stop.abort();
      (await opening)?.close();
    },
  };
}

/** The password is part of the setting's URL, and separate below. */
function readSettings(smtpUrl: string): { server: SmtpServer; password: string | null } {
  const url = new URL(smtpUrl);
  const password = url.password === "" ? null : decodeURIComponent(url.password);
  url.password = "";
  const server = readSmtpServer(url.href);
  if (typeof server === "string") throw new Error(`CRM_SMTP_URL ${server}`);
  return { server, password };
}
