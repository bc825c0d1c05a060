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

you are invited to work in ${workspace}. Choose a password to begin, within a week:

${url}

The link works once. If you do not know why you get this, leave it: nothing happens without you.
`,
  };
}

/** To somebody who wants another password. */
export function resetLetter({ url, ...person }: Invited): Letter {
  return {
    to: mailboxOf(person),
    subject: "Choose another password",
    text: `Hello,

somebody asked for a link by which you choose another password, within a day:

${url}

The link works once. If it was not you, leave it: your password stays as it is.
`,
  };
}
