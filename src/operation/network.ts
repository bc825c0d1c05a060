/** Network access of operations: before a change or after its commit, never inside its transaction. */
import type { Letter } from "../mail/mailer.ts";
import type { Outside } from "../outbound/outside.ts";
import type { StripeConnection } from "../outbound/stripe.ts";

export interface Network extends Outside {
  /** The payment processor of platform billing; null if none is configured. */
  readonly stripe: StripeConnection | null;
  /** Whether the letter was mailed. False if no mail server is configured or the server refused it, which is logged. */
  mail(letter: Letter): Promise<boolean>;
}
