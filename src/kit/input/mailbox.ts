/** A mailbox as mail names it: an address alone, or behind a name in angle brackets (RFC 5322, 3.4). */
import { isEmailAddress } from "./email-address.ts";

export interface Mailbox {
  readonly name: string | null;
  readonly address: string;
}

/** `ada@example.com`, `Ada <ada@example.com>` or `"Ada L." <ada@example.com>`; undefined for what is none. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, plain, inBrackets] = /^(?:"([^"]*)"|([^"<>]*?))\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  const name = (quoted ?? plain ?? "").trim();
  return isEmailAddress(address) && !/\p{Cc}/u.test(name) ? { name: name === "" ? null : name, address } : undefined;
}
