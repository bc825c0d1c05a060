/** What is mailed to people about their account: links, each in a mail of a few plain lines. */
import { plainName } from "../../kit/input/name.ts";
import { mailboxOf } from "../../kit/input/mailbox.ts";
import type { Letter } from "../../mail/mailer.ts";

interface Invited {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** To somebody who was invited and has no password yet. */
export function invitationLetter({ url, workspace, ...person }: Invited & { readonly workspace: string }): Letter {
  return {
    to: mailboxOf(person),
    subject: `You are invited to ${plainName(workspace)}`,
    text: `Hello,

you are invited to work in ${workspace}. Choose a password within a week:

${url}

The link works once. If you did not expect this invitation, ignore it.
`,
  };
}

/** To somebody who wants another password. */
export function resetLetter({ url, ...person }: Invited): Letter {
  return {
    to: mailboxOf(person),
    subject: "Choose a new password",
    text: `Hello,

a new password was requested for your account. Choose it within a day:

${url}

The link works once. If this was not you, ignore it: your password stays as it is.
`,
  };
}
