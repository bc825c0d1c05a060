/** Composes a mail as raw bytes (RFC 5322). Its texts cannot inject headers or recipients; its attachments are streamed. */
import { Readable } from "node:stream";
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
  readonly attachments: readonly MailAttachment[];
  /** Whether it is automatic: it is then marked (RFC 3834), so that no auto-reply is sent. */
  readonly isAutomatic: boolean;
  /** Where its recipient unsubscribes with one click (RFC 8058); null if there is nothing to unsubscribe from. */
  readonly unsubscribeUrl: string | null;
  /** In angle brackets, like the references. */
  readonly messageId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly date: Date;
}

export interface MailAttachment {
  readonly name: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** By which the html shows it, without angle brackets; null for a file beside the text. */
  readonly contentId: string | null;
  open(): AsyncIterable<Uint8Array>;
}

/** An attachment could not be read; the cause says why. */
export class AttachmentFault extends Error {}

export interface ComposedMail {
  /** In bytes; with attachments, at least what it has. */
  readonly size: number;
  /** The bytes, for one attempt. */
  open(): Buffer | Readable;
}

/** The most bytes of the headers of a part. */
const partHeader = 2048;
/** Base64 in lines of 76 characters. */
const encodedLength = (bytes: number): number => Math.ceil(bytes / 57) * 78;

export async function composeMail(mail: Mail): Promise<ComposedMail> {
  const raw = await compile({ ...mail, attachments: [] }).build();
  if (mail.attachments.length === 0) return { size: raw.length, open: () => raw };
  const size = mail.attachments.reduce((sum, file) => sum + partHeader + encodedLength(file.size), raw.length);
  return { size, open: () => compile(mail).createReadStream() };
}

function compile(mail: Mail) {
  return new MailComposer({
    from: toBox(mail.from),
    to: toBox(mail.to),
    replyTo: mail.replyTo === null ? undefined : toBox({ name: null, address: mail.replyTo }),
    subject: oneLine(mail.subject),
    text: mail.text ?? undefined,
    html: mail.html ?? undefined,
    attachments: mail.attachments.map((file) => ({
      filename: file.name,
      // Parts of these types must not be encoded in base64 (RFC 2046, 5).
      contentType: /^(message|multipart)\//.test(file.contentType) ? "application/octet-stream" : file.contentType,
      contentDisposition: file.contentId === null ? ("attachment" as const) : ("inline" as const),
      contentTransferEncoding: "base64" as const,
      ...(file.contentId === null ? {} : { cid: file.contentId }),
      content: Readable.from(readFile(file), { objectMode: false }),
    })),
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo ?? undefined,
    references: [...mail.references],
    date: mail.date,
    headers: {
      ...(mail.isAutomatic ? { "Auto-Submitted": "auto-generated" } : {}),
      ...(mail.unsubscribeUrl === null ? {} : unsubscribeHeaders(mail.unsubscribeUrl)),
    },
    newline: "\r\n",
    // Texts are literal, never files or URLs to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

async function* readFile({ name, open }: MailAttachment): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    throw new AttachmentFault(`The attachment ${name} could not be read.`, { cause: error });
  }
}

/** Prepared: programs that read them look for the URL as it is, in one line. */
function unsubscribeHeaders(url: string) {
  return {
    "List-Unsubscribe": { prepared: true, value: `<${new URL(url).href}>` },
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

function toBox({ name, address }: Mailbox): { name: string; address: string } {
  return { name: oneLine(name ?? ""), address };
}
