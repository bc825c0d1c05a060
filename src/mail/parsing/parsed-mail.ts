/** A received mail, as the product needs it: plain data, which crosses from a worker thread. */
import type { Mailbox } from "../../kit/input/mailbox.ts";

/** A part that is no text of the message. */
export interface MailPart {
  /** As the sender wrote it; null for a part without a name. */
  readonly name: string | null;
  /** As the sender declared it, in lower case. */
  readonly contentType: string;
  /** By which the html shows it, without angle brackets. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/** A report that a mail was not, or not yet, delivered. */
export interface DeliveryReport {
  /** False for a delay: the server keeps trying. */
  readonly isFinal: boolean;
  readonly reason: string;
  /** The Message-IDs that the report names, the most reliable first. */
  readonly messageIds: readonly string[];
  /** The address that could not be reached. */
  readonly recipient: string | null;
}

export interface ParsedMail {
  /** Of all its bytes: identifies a mail without a Message-ID. */
  readonly digest: string;
  /** Who replies go to: From, or Reply-To if From is a mailing list or takes no replies. */
  readonly sender: Mailbox;
  readonly to: string | null;
  readonly subject: string | null;
  /** In angle brackets. */
  readonly messageId: string | null;
  /** The Message-IDs of In-Reply-To, then of References, newest first. */
  readonly references: readonly string[];
  readonly body: string | null;
  /** Whether the body lacks a quoted history or a signature. */
  readonly isShortened: boolean;
  readonly html: string | null;
  /** Whether a program wrote it (RFC 3834). */
  readonly isAutomatic: boolean;
  readonly report: DeliveryReport | null;
  readonly parts: readonly MailPart[];
}
