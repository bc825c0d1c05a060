/** Mails a letter where the service can, and says whether it did. */
import type { Letter, Mailer } from "./mailer.ts";

interface LetterDeps {
  readonly mailer: Mailer | null;
  readonly log: { readonly warn: (sentence: string) => void };
}

/** For letters about what is committed already: a server that refuses undoes nothing, and the log says why. */
export function createLetters({ mailer, log }: LetterDeps): (letter: Letter) => Promise<boolean> {
  return async (letter) => {
    if (mailer === null) return false;
    try {
      await mailer.send(letter);
      return true;
    } catch (error) {
      log.warn(
        `The link was not mailed to ${letter.to.address}. ${error instanceof Error ? error.message : ""}`.trim(),
      );
      return false;
    }
  };
}
