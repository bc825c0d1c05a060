/** Mails password reset links. The request is answered before the account is looked up, so the response cannot be used to enumerate accounts. */
import type { Links } from "../../kit/links.ts";
import type { MailQueue } from "../../mail/mail-queue.ts";
import type { SessionDeps } from "../sessions/session.service.ts";
import { makeResetLinkByEmail } from "./account-link.service.ts";
import { resetLetter } from "./account-mail.ts";

export interface ForgottenPasswords {
  /** Returns immediately. Later failures are logged; the person can request another link. */
  mailLink(email: string): void;
}

interface ForgottenPasswordDeps extends SessionDeps {
  readonly links: Links;
  readonly mails: MailQueue;
}

export function createForgottenPasswords({ mails, ...deps }: ForgottenPasswordDeps): ForgottenPasswords {
  return {
    mailLink: (email) =>
      mails.enqueue("password reset link", async () => {
        const made = await makeResetLinkByEmail(deps, email);
        return made && resetLetter(made);
      }),
  };
}
