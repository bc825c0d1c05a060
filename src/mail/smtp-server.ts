/** Parses the URL of a mail server: host, user and encryption. */
import { isIP } from "node:net";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: TLS from the first byte. `required`: STARTTLS or nothing is sent. `offered`: STARTTLS if available,
   * with any certificate, so a man in the middle could read along.
   */
  readonly tls: "implicit" | "required" | "offered";
  readonly user: string | null;
}

const accepted = "must be smtp://[USER@]HOST[:PORT] or smtps://[USER@]HOST[:PORT]";
const longest = 2048;

/**
 * Parses the URL, or returns its fault as a predicate, such as "must be …". `smtps:` is TLS from the first byte (port
 * 465), `smtp:` is STARTTLS (port 587), optional only for a local server or with `?tls=optional` for a trusted one.
 * Passwords are refused: URLs are displayed and appear in argv.
 */
export function readSmtpServer(text: string): SmtpServer | string {
  const url = text.length > longest || /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (url === null || !/^smtps?:\/\/[^/]/i.test(text)) return `${accepted}.`;
  if (url.password !== "") return "must not carry a password: it is a separate secret.";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const rest = [...url.searchParams];
  const isOptional = rest.length === 1 && rest[0]![0] === "tls" && rest[0]![1] === "optional";
  const isPlain = (url.pathname === "" || url.pathname === "/") && url.hash === "";
  if (host === "" || !isPlain || (rest.length > 0 && !isOptional))
    return `${accepted}, with ?tls=optional for a server without TLS.`;
  if (isIP(host) === 0 && !/^[a-z\d]([a-z\d_.-]{0,251}[a-z\d])?$/i.test(host)) return `${accepted}.`;
  const user = decode(url.username);
  if (user === undefined) return "must have a percent-encoded user name.";
  const isImplicit = url.protocol === "smtps:";
  if (isImplicit && isOptional) return "must be smtp:// for a server without TLS.";
  if (isOptional && user !== "" && !isLoopback(host))
    return "must not name a user where TLS is optional: the password could be read along.";
  const clear = isOptional || isLoopback(host) ? "offered" : "required";
  return {
    host,
    port: url.port === "" ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? "implicit" : clear,
    user: user === "" ? null : user,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
