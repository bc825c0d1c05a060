/** Sends mails in the background: no response waits for the mail server, and a bounded queue holds what one that hangs leaves over. */
import { createSemaphore } from "../kit/waiting/semaphore.ts";
import type { Letter, Mailer } from "./mailer.ts";

/** Composes a mail when its turn comes; undefined for none. */
type Compose = () => Letter | Promise<Letter | undefined>;

export interface MailQueue {
  /** Returns immediately. Failures are logged; `what` names the mail there. */
  enqueue(what: string, compose: Compose): void;
}

interface MailQueueDeps {
  readonly mailer: Mailer;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

/** Limits of the queue: in flight, and with those that wait. */
const atOnce = 4;
const mostWaiting = 100;

export function createMailQueue({ mailer, log }: MailQueueDeps): MailQueue {
  const gate = createSemaphore(atOnce);
  let waiting = 0;

  async function send(compose: Compose): Promise<void> {
    const letter = await compose();
    if (letter !== undefined) await mailer.send(letter);
  }

  return {
    enqueue(what, compose) {
      if (waiting >= mostWaiting) {
        log.warn(`${what} not mailed: the mail queue is full`, {});
        return;
      }
      waiting += 1;
      gate(() => send(compose))
        .catch((error: unknown) => log.warn(`${what} not mailed`, { error }))
        .finally(() => (waiting -= 1));
    },
  };
}
