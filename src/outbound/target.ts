/** Parses and validates the URL of a target, without resolving its name. */
import { isIP } from "node:net";

export interface Target {
  readonly url: URL;
  /** A lower-case name without a trailing dot, or an IP address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
}

const longest = 2048;

/**
 * A valid DNS name (RFC 1035, 2.3.4): labels of 1 to 63 characters, 253 in total; a numeric last label would be an
 * address.
 */
const label = /^[a-z0-9_-]{1,63}$/;
const longestName = 253;

function isName(host: string): boolean {
  return host.length <= longestName && host.split(".").every((part) => label.test(part));
}

/** The target, or its fault as a predicate, such as "must be …". */
export function readTarget(text: string, { allowHttp }: { allowHttp: boolean }): Target | string {
  if (text.length > longest) return `must not be longer than ${longest} characters.`;
  const url = URL.parse(text);
  // The URL parser silently strips blanks and line breaks.
  if (url === null || /[\s\p{Cc}]/u.test(text) || !/^[a-z]+:\/\/[^/\\]/i.test(text))
    return "must be a valid https:// address.";
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) return "must be an https:// address.";
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#\\]*@/i.test(text))
    return "must not carry a user name or a password.";
  if (text.includes("#")) return "must not carry a fragment.";
  // The parser has normalized octal, hex and short addresses, and Unicode digits and dots.
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") return "must be a valid https:// address.";
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isName(host)) return "must have a valid host name.";
  if (url.port === "0") return "must not use port 0.";
  return { url, host, isAddress };
}

/** Names of this machine or local network, whatever DNS says. */
export function isInsideName(name: string): boolean {
  return !name.includes(".") || /\.(localhost|local|internal)$/.test(name);
}
