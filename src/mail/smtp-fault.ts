/** Why a mail server did not take a mail, in a sentence, and whose fault it is. */
import { beginningOf, oneLine } from "../kit/text.ts";
import type { SmtpServer } from "./smtp-server.ts";

export class SmtpFault extends Error {
  /** The same mail will be refused again. */
  readonly isFinal: boolean;
  /** It is the server, or the way to it, and no mail would pass. */
  readonly isOfServer: boolean;
  /** Where the server is and what the system says of the way there, as ECONNREFUSED 127.0.0.1:25: for operators alone. */
  readonly detail: string | null;
  constructor(
    message: string,
    { isFinal = false, isOfServer = false, detail = null }: Partial<Omit<SmtpFault, keyof Error>> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.isOfServer = isOfServer;
    this.detail = detail;
  }
}

export const tooSlow = (): SmtpFault => new SmtpFault("The mail server did not answer in time.", { isOfServer: true });

/** Characters of what a server said: it may be long, and may be anything. */
const mostSaid = 500;

interface SmtpReply {
  readonly code: string;
  readonly command: string;
  /** 0: the server said nothing. */
  readonly status: number;
  readonly response: string;
}

/** Commands that are about one mail; what is refused before them is refused for all. */
const aboutMail = /^(MAIL|RCPT|DATA)/;
/** A server that wants to know who sends has nothing against the mail itself (RFC 4954). */
const wantsLogin = 530;
/** It is about to close, whatever was asked (RFC 5321). */
const closing = 421;

/** The fault that an error of a connection to this server is. */
export function toSmtpFault(error: unknown, server: Pick<SmtpServer, "host" | "port">): SmtpFault {
  const fault = judge(error);
  if (!fault.isOfServer) return fault;
  return new SmtpFault(fault.message, { isOfServer: true, detail: detailOf(error, server) }, fault.cause);
}

/** How the system names a fault: ECONNREFUSED, ENOTFOUND. */
const systemFault = /\bE[A-Z]{4,}\b/;

function detailOf(error: unknown, { host, port }: Pick<SmtpServer, "host" | "port">): string {
  const fields: Record<string, unknown> = error instanceof Error ? { ...error } : {};
  const [name = ""] = systemFault.exec(messageOf(error)) ?? [];
  // Of several addresses of a name the one that was tried.
  const tried = typeof fields["address"] === "string" ? fields["address"] : host;
  return `${name} ${tried.includes(":") ? `[${tried}]` : tried}:${port}`.trim();
}

function judge(error: unknown): SmtpFault {
  if (error instanceof SmtpFault) return error;
  const told = read(error);
  const { code, command, status } = told;
  const said = status === 0 ? "" : ` ${beginningOf(oneLine(told.response), mostSaid)}`;
  const ofServer = (sentence: string): SmtpFault => new SmtpFault(sentence, { isOfServer: true }, error);
  if (aboutMail.test(command) && status !== 0 && status !== wantsLogin && status !== closing) {
    const isFinal = status >= 500;
    return new SmtpFault(`The mail server ${isFinal ? "refused it" : "put it off"}:${said}`, { isFinal }, error);
  }
  if (code === "EAUTH" || code === "ENOAUTH" || status === wantsLogin)
    return ofServer(`The mail server does not accept the user name and the password.${said}`);
  if (code === "ETLS" || /certificate|TLS|SSL/i.test(messageOf(error)))
    return ofServer(`The mail server could not be reached over TLS.${said}`);
  if (code === "EDNS") return ofServer("The mail server's name has no address.");
  if (code === "ETIMEDOUT") return tooSlow();
  // Addresses that the server cannot take, and sizes: judged here, before anything is sent.
  if ((code === "EENVELOPE" || code === "EMESSAGE") && told.response === "")
    return new SmtpFault(`The mail server cannot take it: ${oneLine(messageOf(error))}`, { isFinal: true }, error);
  return ofServer(status === 0 ? "The connection to the mail server failed." : `The mail server is not ready:${said}`);
}

function read(error: unknown): SmtpReply {
  const fields: Record<string, unknown> = error instanceof Error ? { ...error } : {};
  const textOf = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  const status = typeof fields["responseCode"] === "number" ? fields["responseCode"] : 0;
  return { code: textOf("code"), command: textOf("command"), status, response: textOf("response") };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
