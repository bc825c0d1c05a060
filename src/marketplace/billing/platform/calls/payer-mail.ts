/** Mails to payers. Mails have no idempotency key: a lease prevents that two workers send the same one. */
import { isOpenCall } from "./stripe-call.service.ts";
import type { Letter } from "../../../../mail/mailer.ts";
import type { CallDeps, IntendedCall } from "./intended-call.ts";

/** In milliseconds: longer than a call to Stripe with its retries and a mail together. */
const lease = 180_000;

const claimText = `update stripe_calls set due_at = ? where id = ? and due_at = ? and ${isOpenCall} returning id`;

/** Leases the call. False if another worker has, or if the call was given up. */
export async function claimMail({ database, clock }: CallDeps, { id, due_at }: IntendedCall): Promise<boolean> {
  const until = new Date(clock.now().getTime() + lease);
  return database.transaction(async (change) => {
    const claimed = await change.rows(claimText, [until, id, new Date(due_at)]);
    return claimed.length === 1;
  });
}

export interface PayerMail extends Omit<Letter, "to"> {
  /** The customer's address at Stripe. */
  readonly email: string | null;
  /** What the payer is not notified of, if it cannot be mailed, and what the log says besides. */
  readonly about: string;
  readonly logged: object;
}

/** Without a mail server or an address, the log says what the operator has to pass on. Throws an SmtpFault. */
export async function mailPayer({ mailer, log }: CallDeps, mail: PayerMail): Promise<void> {
  const { email, subject, text, about, logged } = mail;
  if (mailer !== null && email !== null) return mailer.send({ to: { address: email, name: null }, subject, text });
  const reason = mailer === null ? "set CRM_SMTP_URL" : "the customer at Stripe has no email address";
  log.warn(`a payer was not notified of ${about}: ${reason}`, { to: email, subject, ...logged });
}
