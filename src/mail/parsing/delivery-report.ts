/** Reads reports about undelivered mails: RFC 3464, and the usual shapes without one (Exim, qmail, Exchange). */
import { oneLine, truncate } from "../../kit/text.ts";
import { toMessageId } from "../message-id.ts";
import type { FindHeader } from "./automatic.ts";
import type { DeliveryReport, MailPart } from "./parsed-mail.ts";

interface Reported {
  readonly header: FindHeader;
  readonly from: string;
  readonly subject: string | null;
  readonly text: string;
  readonly parts: readonly MailPart[];
}

const daemon = /^(mailer-daemon|postmaster|mail-daemon)@/i;
const subjects =
  /undeliver|delivery (status notification|has failed|failure)|returned mail|failure notice|mail delivery (failed|system)|unzustellbar|nicht zugestellt|non remis|échec de la remise|no se puede entregar/i;
const reportTypes: ReadonlySet<string> = new Set(["message/delivery-status", "message/global-delivery-status"]);
const originalTypes: ReadonlySet<string> = new Set([
  "message/rfc822",
  "message/global",
  "text/rfc822-headers",
  "message/rfc822-headers",
]);
const idHeader = /^[> \t]*Message-ID:\s*(<[^<>\s]{1,400}>)/gim;
/** An SMTP reply of permanent failure, as servers quote it. */
const refusal = /\b5\d\d[ -](?:5\.\d{1,3}\.\d{1,3}\b)?[^\n]{3,}|\b5\.\d{1,3}\.\d{1,3}\b[^\n]{3,}/;
/** An address alone on its line. */
const lonely = /^[ \t]*<?([^\s<>@:]{1,64}@[^\s<>@:]{1,190})>?:?[ \t]*$/m;
const mostReason = 300;
/** Bytes of a returned mail that are searched for its Message-ID. */
const mostOriginal = 262_144;
const mostIds = 20;

/** Undefined for a mail that is no report. */
export function readDeliveryReport({ header, from, subject, text, parts }: Reported): DeliveryReport | undefined {
  const status = parts.find(({ contentType }) => reportTypes.has(contentType));
  const failed = header("x-failed-recipients");
  const looksLikeOne = failed !== undefined || (daemon.test(from) && subjects.test(subject ?? ""));
  if (status === undefined && !looksLikeOne) return undefined;
  const fields = status === undefined ? "" : textOf(status);
  const field = (name: string): string | undefined =>
    new RegExp(String.raw`^${name}:\s*(.+(?:\r?\n[ \t]+.+)*)`, "im").exec(fields)?.[1];
  const action = field("Action")?.trim().toLowerCase() ?? "failed";
  const originals = parts.filter(({ contentType }) => originalTypes.has(contentType)).map(textOf);
  const named = [...originals, text].flatMap((one) => [...one.matchAll(idHeader)].map(([, id]) => id!));
  const threaded = `${header("in-reply-to") ?? ""} ${header("references") ?? ""}`.match(/<[^<>\s]{1,400}>/g) ?? [];
  const ids = [...named, ...threaded].flatMap((id) => toMessageId(id) ?? []);
  const diagnostic = withoutType(field("Diagnostic-Code")) ?? refusal.exec(text)?.[0] ?? field("Status");
  const recipient =
    withoutType(field("Final-Recipient") ?? field("Original-Recipient")) ??
    failed?.split(",")[0] ??
    lonely.exec(text)?.[1];
  return {
    isFinal: action === "failed",
    reason: truncate(oneLine(diagnostic ?? subject ?? "The mail was not delivered."), mostReason),
    messageIds: [...new Set(ids)].slice(0, mostIds),
    recipient: recipient === undefined ? null : oneLine(recipient).replaceAll(/^<|>$/g, ""),
  };
}

/** Whether a part belongs to the report, and is no attachment. */
export function isPartOfReport({ contentType }: MailPart): boolean {
  return reportTypes.has(contentType) || contentType === "text/rfc822-headers";
}

/** "smtp; 550 …" and "rfc822; ada@example.com" without their type. */
function withoutType(value: string | undefined): string | undefined {
  return value?.replace(/^\s*[\w-]+\s*;\s*/, "");
}

function textOf({ content }: MailPart): string {
  return Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, mostOriginal)).toString("utf8");
}
