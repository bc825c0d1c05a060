/** What operations may use of the network: before a change or after its commit, never inside of its transaction. */
import type { Letter } from "../mail/mailer.ts";
import type { Outside } from "../outbound/outside.ts";

export interface Network extends Outside {
  /** Whether the letter was mailed. False where no mail server is set, or where it refused, which the log then says. */
  mail(letter: Letter): Promise<boolean>;
}
