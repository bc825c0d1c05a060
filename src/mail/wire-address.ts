/** The wire format of an address: ASCII, or UTF-8 for servers with SMTPUTF8 (RFC 6531). */
import { domainToASCII } from "node:url";

export interface WireAddress {
  readonly text: string;
  /** Whether it has no ASCII form. A non-ASCII domain has one (RFC 5891); a non-ASCII part before the @ has none. */
  readonly needsUtf8: boolean;
}

export function toWireAddress(address: string): WireAddress {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const ascii = isAscii(domain) ? domain : domainToASCII(domain);
  const needsUtf8 = !isAscii(local) || (ascii === "" && domain !== "");
  return needsUtf8 ? { text: address, needsUtf8 } : { text: `${local}@${ascii}`, needsUtf8 };
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
