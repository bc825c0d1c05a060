/** Composes one mail as the bytes that go over the wire (RFC 5322). Whatever its texts hold, they make no header and no recipient of their own. */
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
  /** Whether no person wrote it: then it says so (RFC 3834), and no out-of-office reply comes back. */
  readonly isAutomatic: boolean;
  /** In angle brackets, as are those that it refers to. */
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
    // A text is a text, never a file or an address to read.
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

/** The id of a message as mail has it, in angle brackets; undefined for what is none. */
export function toMessageId(text: string): string | undefined {
  const [, id] = form.exec(text.trim()) ?? [];
  // What is not ASCII would be encoded, and recognised by nobody.
  return id !== undefined && /^[\x21-\x7e]+$/.test(id) ? `<${id}>` : undefined;
}
