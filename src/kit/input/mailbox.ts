/** A mailbox (RFC 5322, 3.4): an address alone, or a name with the address in angle brackets. */
import { isEmailAddress } from "./email-address.ts";

export interface Mailbox {
  readonly name: string | null;
  readonly address: string;
}

/**
 * Splits `Ada <ada@example.com>` or `"Ada L." <ada@example.com>`; anything else is an address without a name,
 * unvalidated.
 */
export function splitMailbox(text: string): Mailbox {
  const [, before = "", bracketed] = /^([^<]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const name = before
    .trim()
    .replaceAll(/^["']|["']$/g, "")
    .trim();
  return { name: name === "" ? null : name, address: (bracketed ?? text).trim() };
}

/** The mailbox of a person; their address stands in for a missing name. */
export function mailboxOf({ name, email }: { readonly name: string; readonly email: string }): Mailbox {
  return { name: name === email ? null : name, address: email };
}

/** Like splitMailbox, but undefined unless the address is a valid e-mail address. */
export function readMailbox(text: string): Mailbox | undefined {
  const mailbox = splitMailbox(text);
  return isEmailAddress(mailbox.address) && !/\p{Cc}/u.test(mailbox.name ?? "") ? mailbox : undefined;
}
