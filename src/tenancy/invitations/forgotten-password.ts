/** Mails password reset links. The request is answered before the account is looked up, so the response cannot be used to enumerate accounts. */
import { createSemaphore } from "../../kit/waiting/semaphore.ts";
import type { Links } from "../../kit/links.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { SessionDeps } from "../sessions/session.service.ts";
import { makeResetLinkByEmail } from "./account-link.service.ts";
import { resetLetter } from "./account-mail.ts";

export interface ForgottenPasswords {
  /** Returns immediately. Later failures are logged; the person can request another link. */
  mailLink(email: string): void;
}

interface ForgottenPasswordDeps extends SessionDeps {
  readonly links: Links;
  readonly mailer: Mailer;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** Limits of the mail queue, in flight and waiting: a hanging mail server cannot make it grow. */
const atOnce = 4;
const mostWaiting = 100;

export function createForgottenPasswords({ mailer, log, ...deps }: ForgottenPasswordDeps): ForgottenPasswords {
  const gate = createSemaphore(atOnce);
  let waiting = 0;

  async function mail(email: string): Promise<void> {
    const made = await makeResetLinkByEmail(deps, email);
    if (made !== undefined) await mailer.send(resetLetter(made));
  }

  return {
    mailLink(email) {
      if (waiting >= mostWaiting) {
        log.warn("password reset link not mailed: the mail queue is full", {});
        return;
      }
      waiting += 1;
      gate(() => mail(email))
        .catch((error: unknown) => log.warn("password reset link not mailed", { error }))
        .finally(() => (waiting -= 1));
    },
  };
}
