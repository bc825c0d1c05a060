/** What is mailed to people about their account: links, each in a mail of a few plain lines. */
import type { Letter } from "../../mail/mailer.ts";

interface Invited {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** To somebody who was invited and has no password yet. */
export function invitationLetter({ name, email, url, workspace }: Invited & { readonly workspace: string }): Letter {
  return {
    to: { name: name === email ? null : name, address: email },
    subject: `You are invited to ${workspace}`,
    text: `Hello,

you are invited to work in ${workspace}. Choose a password to begin, within a week:

${url}

The link works once. If you do not know why you get this, leave it: nothing happens without you.
`,
  };
}

/** To somebody who wants another password. */
export function resetLetter({ name, email, url }: Invited): Letter {
  return {
    to: { name: name === email ? null : name, address: email },
    subject: "Choose another password",
    text: `Hello,

somebody asked for a link by which you choose another password, within a day:

${url}

The link works once. If it was not you, leave it: your password stays as it is.
`,
  };
}
