/** Network access of operations: before a change or after its commit, never inside its transaction. */
import type { Letter } from "../mail/mailer.ts";
import type { Outside } from "../outbound/outside.ts";

export interface Network extends Outside {
  /** Whether the letter was mailed. False if no mail server is configured or the server refused it, which is logged. */
  mail(letter: Letter): Promise<boolean>;
}
