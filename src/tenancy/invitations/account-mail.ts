/** The account mails, in plain text: invitation and password reset. */
import { plainName } from "../../kit/input/name.ts";
import { mailboxOf } from "../../kit/input/mailbox.ts";
import type { Letter } from "../../mail/mailer.ts";

interface LinkRecipient {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** For an invited person, who chooses a password or signs in with theirs. */
export function invitationLetter({
  url,
  workspace,
  hasPassword,
  ...person
}: LinkRecipient & { readonly workspace: string; readonly hasPassword: boolean }): Letter {
  return {
    to: mailboxOf(person),
    subject: `You are invited to ${plainName(workspace)}`,
    text: `Hello,

You have been invited to join ${workspace}. ${hasPassword ? "Open this link within a week, and sign in with your password" : "Choose a password within a week"}:

${url}

The link works once. If you did not expect this invitation, ignore this message.
`,
  };
}

/** For a person who requested a password reset. */
export function resetLetter({ url, ...person }: LinkRecipient): Letter {
  return {
    to: mailboxOf(person),
    subject: "Choose a new password",
    text: `Hello,

A password reset was requested for your account. Choose a new password within a day:

${url}

The link works once. If you did not request this, ignore this message: your password has not changed.
`,
  };
}
