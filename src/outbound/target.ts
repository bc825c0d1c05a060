/** Reads the address that somebody wants requests to go to, before any name is resolved. */
import { isIP } from "node:net";

export interface Target {
  readonly url: URL;
  /** A name in lower case without a dot at its end, or an IP address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
}

const longest = 2048;

/** What DNS can hold (RFC 1035, 2.3.4): labels of 1 to 63 characters, 253 together; the last is no number, or it were an address. */
const label = /^[a-z0-9_-]{1,63}$/;
const longestName = 253;

function isName(host: string): boolean {
  return host.length <= longestName && host.split(".").every((part) => label.test(part));
}

/** The target, or what is wrong with it as a predicate, such as "must be …", for whoever sent it. */
export function readTarget(text: string, { allowHttp }: { allowHttp: boolean }): Target | string {
  if (text.length > longest) return `must not be longer than ${longest} characters.`;
  const url = URL.parse(text);
  // The parser would take blanks and line ends out without a word.
  if (url === null || /[\s\p{Cc}]/u.test(text) || !/^[a-z]+:\/\/[^/\\]/i.test(text))
    return "must be a valid https:// address.";
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) return "must be an https:// address.";
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#\\]*@/i.test(text))
    return "must not carry a user name or a password.";
  if (text.includes("#")) return "must not carry a fragment.";
  // The parser has made one spelling of all: octal, hex and short addresses, foreign digits and dots.
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") return "must be a valid https:// address.";
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isName(host)) return "must have a host name that DNS can hold.";
  if (url.port === "0") return "must not use port 0.";
  return { url, host, isAddress };
}

/** Names that mean this machine or its neighbours, whatever a name server says of them. */
export function isInsideName(name: string): boolean {
  return !name.includes(".") || /\.(localhost|local|internal)$/.test(name);
}
