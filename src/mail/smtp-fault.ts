/** Why a mail was not accepted, as a sentence, and whether the mail or the server is the cause. */
import { truncate, oneLine } from "../kit/text.ts";
import type { SmtpServer } from "./server-url.ts";

export class SmtpFault extends Error {
  /** Permanent: the same mail will be refused again. */
  readonly isFinal: boolean;
  /** The server or the connection fails: no mail would pass. */
  readonly isOfServer: boolean;
  /** Address and system error, such as ECONNREFUSED 127.0.0.1:25; for operators only. */
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

export const tooSlow = (): SmtpFault => new SmtpFault("The mail server did not respond in time.", { isOfServer: true });

/** Maximum characters of a server's response that are quoted. */
const mostSaid = 500;

interface SmtpReply {
  readonly code: string;
  readonly command: string;
  /** 0: no response. */
  readonly status: number;
  readonly response: string;
}

/** SMTP commands about one mail; a refusal of any earlier command applies to all mails. */
const aboutMail = /^(MAIL|RCPT|DATA)/;
/** Authentication required: not a fault of the mail (RFC 4954). */
const wantsLogin = 530;
/** The server is closing, whatever the command (RFC 5321). */
const closing = 421;

/** Maps an error of a connection to this server to a fault. */
export function toSmtpFault(error: unknown, server: Pick<SmtpServer, "host" | "port">): SmtpFault {
  const fault = judge(error);
  if (!fault.isOfServer) return fault;
  return new SmtpFault(fault.message, { isOfServer: true, detail: detailOf(error, server) }, fault.cause);
}

/** Error codes of the system: ECONNREFUSED, ENOTFOUND. */
const systemFault = /\bE[A-Z]{4,}\b/;

function detailOf(error: unknown, { host, port }: Pick<SmtpServer, "host" | "port">): string {
  const fields: Record<string, unknown> = error instanceof Error ? { ...error } : {};
  const [name = ""] = systemFault.exec(messageOf(error)) ?? [];
  // Of several addresses, the one that was tried.
  const tried = typeof fields["address"] === "string" ? fields["address"] : host;
  return `${name} ${tried.includes(":") ? `[${tried}]` : tried}:${port}`.trim();
}

function judge(error: unknown): SmtpFault {
  if (error instanceof SmtpFault) return error;
  const fault = read(error);
  const { code, command, status } = fault;
  const said = status === 0 ? "" : ` ${truncate(oneLine(fault.response), mostSaid)}`;
  const ofServer = (sentence: string): SmtpFault => new SmtpFault(sentence, { isOfServer: true }, error);
  if (aboutMail.test(command) && status !== 0 && status !== wantsLogin && status !== closing) {
    const isFinal = status >= 500;
    return new SmtpFault(`The mail server ${isFinal ? "refused it" : "deferred it"}:${said}`, { isFinal }, error);
  }
  if (code === "EAUTH" || code === "ENOAUTH" || status === wantsLogin)
    return ofServer(`The mail server rejected the user name or password.${said}`);
  if (code === "ETLS" || /certificate|TLS|SSL/i.test(messageOf(error)))
    return ofServer(`The mail server could not be reached over TLS.${said}`);
  if (code === "EDNS") return ofServer("The mail server's name does not resolve.");
  if (code === "ETIMEDOUT") return tooSlow();
  // Unsupported addresses and sizes: detected here before sending.
  if ((code === "EENVELOPE" || code === "EMESSAGE") && fault.response === "")
    return new SmtpFault(`The mail server cannot accept it: ${oneLine(messageOf(error))}`, { isFinal: true }, error);
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
