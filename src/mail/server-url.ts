/** Parses the URL of a mail server, for sending (SMTP) or receiving (IMAP): host, user, encryption, and the folder of a mailbox. */
import { isIP } from "node:net";

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: TLS from the first byte. `required`: STARTTLS or nothing is sent. `offered`: STARTTLS if available,
   * with any certificate, so a man in the middle could read along.
   */
  readonly tls: "implicit" | "required" | "offered";
  readonly user: string | null;
}

export type SmtpServer = MailServer;

export interface ImapMailbox extends MailServer {
  readonly user: string;
  readonly folder: string;
}

interface Protocol {
  readonly scheme: "smtp" | "imap";
  readonly accepted: string;
  /** With TLS from the first byte, and with STARTTLS. */
  readonly ports: readonly [implicit: number, startTls: number];
  readonly hasFolder: boolean;
}

const smtp: Protocol = {
  scheme: "smtp",
  accepted: "must be smtp://[USER@]HOST[:PORT] or smtps://[USER@]HOST[:PORT]",
  ports: [465, 587],
  hasFolder: false,
};
const imap: Protocol = {
  scheme: "imap",
  accepted: "must be imaps://USER@HOST[:PORT][/FOLDER] or imap://USER@HOST[:PORT][/FOLDER]",
  ports: [993, 143],
  hasFolder: true,
};
const longest = 2048;

/**
 * Parses the URL, or returns its fault as a predicate, such as "must be …". `smtps:` is TLS from the first byte (port
 * 465), `smtp:` is STARTTLS (port 587), optional only for a local server or with `?tls=optional` for a trusted one.
 * Passwords are refused: URLs are displayed and appear in argv.
 */
export function readSmtpServer(text: string): SmtpServer | string {
  const server = readServer(text, smtp);
  return typeof server === "string" ? server : server.server;
}

/** The same for `imaps:` (port 993) and `imap:` (port 143), with a user, and a folder: by default INBOX. */
export function readImapMailbox(text: string): ImapMailbox | string {
  const read = readServer(text, imap);
  if (typeof read === "string") return read;
  const { server, folder } = read;
  if (server.user === null) return `${imap.accepted}.`;
  return { ...server, user: server.user, folder: folder === "" ? "INBOX" : folder };
}

function readServer(
  text: string,
  { scheme, accepted, ports, hasFolder }: Protocol,
): { readonly server: MailServer; readonly folder: string } | string {
  const url = text.length > longest || /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (url === null || !new RegExp(`^${scheme}s?://[^/]`, "i").test(text)) return `${accepted}.`;
  if (url.password !== "") return "must not carry a password: it is a separate secret.";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const rest = [...url.searchParams];
  const isOptional = rest.length === 1 && rest[0]![0] === "tls" && rest[0]![1] === "optional";
  const isPlain = (hasFolder || url.pathname === "" || url.pathname === "/") && url.hash === "";
  if (host === "" || !isPlain || (rest.length > 0 && !isOptional))
    return `${accepted}, with ?tls=optional for a server without TLS.`;
  if (isIP(host) === 0 && !/^[a-z\d]([a-z\d_.-]{0,251}[a-z\d])?$/i.test(host)) return `${accepted}.`;
  const [user, folder] = [decode(url.username), decode(url.pathname.slice(1))];
  if (user === undefined) return "must have a percent-encoded user name.";
  if (folder === undefined) return "must have a percent-encoded folder.";
  const isImplicit = url.protocol === `${scheme}s:`;
  if (isImplicit && isOptional) return `must be ${scheme}:// for a server without TLS.`;
  if (isOptional && user !== "" && !isLoopback(host))
    return "must not name a user where TLS is optional: the password could be read along.";
  const clear = isOptional || isLoopback(host) ? "offered" : "required";
  const server: MailServer = {
    host,
    port: url.port === "" ? ports[isImplicit ? 0 : 1] : Number(url.port),
    tls: isImplicit ? "implicit" : clear,
    user: user === "" ? null : user,
  };
  return { server, folder };
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
