/** Mails a link to whom it is for, where the service can; else the link is printed, and so is why. */
import type { Letter } from "../../src/mail/mailer.ts";
import type { Service } from "../../src/service.ts";

/** Whether it was mailed. After the commit that made the link: a server that refuses undoes nothing. */
export async function mailLink({ mailer, log }: Pick<Service, "mailer" | "log">, letter: Letter): Promise<boolean> {
  if (mailer === null) return false;
  try {
    await mailer.send(letter);
    return true;
  } catch (error) {
    log.warn(`The link was not mailed to ${letter.to.address}. ${error instanceof Error ? error.message : ""}`.trim());
    return false;
  }
}
