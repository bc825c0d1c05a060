/** Sends a transactional mail if a mail server is configured, and returns whether it was sent. */
import type { Letter, Mailer } from "./mailer.ts";

interface LetterDeps {
  readonly mailer: Mailer | null;
  readonly log: { readonly warn: (sentence: string) => void };
}

/** For mails about committed changes: a failure undoes nothing and is logged. */
export function createLetters({ mailer, log }: LetterDeps): (letter: Letter) => Promise<boolean> {
  return async (letter) => {
    if (mailer === null) return false;
    try {
      await mailer.send(letter);
      return true;
    } catch (error) {
      log.warn(
        `“${letter.subject}” was not mailed to ${letter.to.address}. ${error instanceof Error ? error.message : ""}`.trim(),
      );
      return false;
    }
  };
}
