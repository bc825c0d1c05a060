/** Network access of operations: before a change or after its commit, never inside its transaction. */
import type { Blobs } from "../blobs/blobs.ts";
import type { Letter } from "../mail/mailer.ts";
import type { MailParser } from "../mail/parsing/mail-parser.ts";
import type { Outside } from "../outbound/outside.ts";
import type { StripeConnection } from "../outbound/stripe.ts";

export interface Network extends Outside {
  /** The payment processor of platform billing; null if none is configured. */
  readonly stripe: StripeConnection | null;
  /** Where files are stored. */
  readonly blobs: Blobs;
  /** Whether the letter was mailed. False if no mail server is configured or the server refused it, which is logged. */
  mail(letter: Letter): Promise<boolean>;
  /** Sanitises html outside of the event loop. */
  readonly mails: Pick<MailParser, "readHtml">;
}
