/** The mails about a change of a person's second factor, in plain text, so that a change by another person is noticed. */
import { mailboxOf } from "../../kit/input/mailbox.ts";
import type { Links } from "../../kit/links.ts";
import type { MailQueue } from "../../mail/mail-queue.ts";
import type { Letter } from "../../mail/mailer.ts";

const texts = {
  on: {
    subject: "Two-factor sign-in is on",
    text: "Two-factor sign-in was turned on for your account. Signing in takes your password and a code of your authenticator app.",
  },
  off: {
    subject: "Two-factor sign-in is off",
    text: "Two-factor sign-in was turned off for your account. Your password alone signs you in.",
  },
  removed: {
    subject: "Two-factor sign-in is off",
    text: "The operator of this service turned two-factor sign-in off for your account. Your password alone signs you in.",
  },
  renewed: {
    subject: "Your recovery codes were replaced",
    text: "New recovery codes were made for your account. The earlier ones no longer work.",
  },
  recovered: {
    subject: "A recovery code was used",
    text: "A recovery code was used to sign in to your account. It does not work again.",
  },
} as const;

type SecondFactorNews = keyof typeof texts;

interface Recipient {
  readonly name: string;
  readonly email: string;
}

/** Mails a person in the background. */
export type MailSecondFactor = (news: SecondFactorNews, person: Recipient) => void;

/** Without `mails`, there is no mail server. */
export function createSecondFactorMails(deps: {
  readonly mails: MailQueue | undefined;
  readonly links: Links;
}): MailSecondFactor {
  return (news, { name, email }) =>
    deps.mails?.enqueue("notice of two-factor sign-in", () => secondFactorLetter(news, { name, email, ...deps }));
}

export function secondFactorLetter(
  news: SecondFactorNews,
  { name, email, links }: Recipient & { readonly links: Links },
): Letter {
  const { subject, text } = texts[news];
  return {
    to: mailboxOf({ name, email }),
    subject,
    text: `Hello,

${text}

If this was not you, choose a new password, and look at your sessions:

${links.to("/me")}
`,
  };
}
