/** A mailbox as mail names it: an address alone, or in angle brackets behind a name (RFC 5322, 3.4). */
import { isEmailAddress } from "./email-address.ts";

export interface Mailbox {
  readonly name: string | null;
  readonly address: string;
}

/** `Ada <ada@example.com>`, `"Ada L." <ada@example.com>` or what is no such thing, as an address without a name: it is not judged. */
export function splitMailbox(text: string): Mailbox {
  const [, before = "", bracketed] = /^([^<]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const name = before
    .trim()
    .replaceAll(/^["']|["']$/g, "")
    .trim();
  return { name: name === "" ? null : name, address: (bracketed ?? text).trim() };
}

/** Of a person whose address stands for the name where none is known. */
export function mailboxOf({ name, email }: { readonly name: string; readonly email: string }): Mailbox {
  return { name: name === email ? null : name, address: email };
}

/** The same as splitMailbox for an e-mail address; undefined for anything else. */
export function readMailbox(text: string): Mailbox | undefined {
  const mailbox = splitMailbox(text);
  return isEmailAddress(mailbox.address) && !/\p{Cc}/u.test(mailbox.name ?? "") ? mailbox : undefined;
}
