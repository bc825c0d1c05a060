/** Mails a link to whoever forgot a password. Whoever asks is answered before anything is looked up, and so learns nothing of any account. */
import { createSemaphore } from "../../kit/waiting/semaphore.ts";
import type { Links } from "../../kit/links.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { SessionDeps } from "../sessions/session.service.ts";
import { makeOwnResetLink } from "./account-link.service.ts";
import { resetLetter } from "./account-mail.ts";

export interface ForgottenPasswords {
  /** Comes back at once. What goes wrong later is logged, and the person asks again. */
  mailLink(email: string): void;
}

interface ForgottenPasswordDeps extends SessionDeps {
  readonly links: Links;
  readonly mailer: Mailer;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** Mails that are under way at once, and those that may wait for them: a server that hangs holds no more. */
const atOnce = 4;
const mostWaiting = 100;

export function createForgottenPasswords({ mailer, log, ...deps }: ForgottenPasswordDeps): ForgottenPasswords {
  const gate = createSemaphore(atOnce);
  let waiting = 0;

  async function mail(email: string): Promise<void> {
    const made = await makeOwnResetLink(deps, email);
    if (made !== undefined) await mailer.send(resetLetter(made));
  }

  return {
    mailLink(email) {
      if (waiting >= mostWaiting) {
        log.warn("a link to another password was not mailed: too many wait for the mail server", {});
        return;
      }
      waiting += 1;
      gate(() => mail(email))
        .catch((error: unknown) => log.warn("a link to another password could not be mailed", { error }))
        .finally(() => (waiting -= 1));
    },
  };
}
