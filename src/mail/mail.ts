/** Composes a mail as raw bytes (RFC 5322). Its texts cannot inject headers or recipients. */
import MailComposer from "nodemailer/lib/mail-composer";
import type { Mailbox } from "../kit/input/mailbox.ts";
import { oneLine } from "../kit/text.ts";

export interface Mail {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  /** Whether it is automatic: it is then marked (RFC 3834), so that no auto-reply is sent. */
  readonly isAutomatic: boolean;
  /** In angle brackets, like the references. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly date: Date;
}

export function composeMail(mail: Mail): Promise<Buffer> {
  return new MailComposer({
    from: toBox(mail.from),
    to: toBox(mail.to),
    replyTo: mail.replyTo === null ? undefined : toBox({ name: null, address: mail.replyTo }),
    subject: oneLine(mail.subject),
    text: mail.text ?? undefined,
    html: mail.html ?? undefined,
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo ?? undefined,
    references: [...mail.references],
    date: mail.date,
    headers: mail.isAutomatic ? { "Auto-Submitted": "auto-generated" } : {},
    newline: "\r\n",
    // Texts are literal, never files or URLs to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

function toBox({ name, address }: Mailbox): { name: string; address: string } {
  return { name: oneLine(name ?? ""), address };
}

const form = /^<?([^\s<>@]{1,200}@[^\s<>@]{1,200})>?$/;

/** A Message-ID in angle brackets; undefined for an invalid one. */
export function toMessageId(text: string): string | undefined {
  const [, id] = form.exec(text.trim()) ?? [];
  // A non-ASCII ID would be encoded and never match.
  return id !== undefined && /^[\x21-\x7e]+$/.test(id) ? `<${id}>` : undefined;
}
