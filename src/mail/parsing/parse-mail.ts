/** Parses a raw mail (RFC 5322). Never fails: a structure that is too deep, or broken, is kept as an attachment. */
import PostalMime from "postal-mime";
import type { Address, Attachment, Email } from "postal-mime";
import { isEmailAddress } from "../../kit/input/email-address.ts";
import type { Mailbox } from "../../kit/input/mailbox.ts";
import { codePointLength, oneLine, splitAt, truncate } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { toMessageId } from "../message-id.ts";
import { isAutomaticMail, takesNoReplies } from "./automatic.ts";
import type { FindHeader } from "./automatic.ts";
import { boundMail, headerLength, mailBounds } from "./bound-mail.ts";
import { isPartOfReport, readDeliveryReport } from "./delivery-report.ts";
import { textOfHtml } from "./html-text.ts";
import type { MailPart, ParsedMail } from "./parsed-mail.ts";
import { cutQuotes } from "./quotes.ts";
import { sanitizeMailHtml } from "./sanitize-html.ts";

const mostReferences = 50;

export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const email = await readStructure(boundMail(raw), raw);
  const header: FindHeader = (name) => email.headers.find(({ key }) => key === name)?.value;
  const subject = textOrNull(truncate(oneLine(email.subject ?? ""), limits.subject));
  const rawHtml = textOrNull(cleanText(email.html ?? "").trimEnd());
  const html = rawHtml === null ? null : textOrNull(sanitizeMailHtml(rawHtml));
  const plain = cleanText(email.text ?? "");
  const text = plain.trim() === "" && rawHtml !== null ? textOfHtml(rawHtml) : plain;
  const all = email.attachments.map(toPart);
  const from = toMailbox(email.from) ?? toMailbox(email.sender) ?? { name: null, address: email.returnPath ?? "" };
  const report = readDeliveryReport({ header, from: from.address, subject, text, parts: all }) ?? null;
  const { text: body, isShortened } = cutQuotes(text, subject);
  const shown = fitTexts(body, html);
  return {
    sender: takesNoReplies(from.address, header) ? (firstMailbox(email.replyTo) ?? from) : from,
    to: firstMailbox(email.to)?.address ?? null,
    subject,
    messageId: (email.messageId === undefined ? undefined : toMessageId(email.messageId)) ?? null,
    references: readReferences(email),
    body: shown.body,
    isShortened,
    html: shown.html,
    isAutomatic: report !== null || isAutomaticMail(header),
    report,
    parts: [...(report === null ? all : all.filter((part) => !isPartOfReport(part))), ...shown.parts],
  };
}

const options = {
  maxNestingDepth: mailBounds.depth,
  maxHeadersSize: mailBounds.headerBytes * 2,
  forceRfc822Attachments: true,
};

async function readStructure(bytes: Buffer, raw: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, options);
  } catch {
    const email = await PostalMime.parse(Buffer.from(bytes.subarray(0, headerLength(bytes))));
    const whole: Attachment = {
      filename: "message.eml",
      mimeType: "message/rfc822",
      disposition: "attachment",
      content: new Uint8Array(raw),
    };
    return { ...email, text: "", html: "", attachments: [whole] };
  }
}

function toMailbox(address: Address | undefined): Mailbox | undefined {
  if (address === undefined) return undefined;
  if (address.group !== undefined) return toMailbox(address.group[0]);
  const name = oneLine(address.name.replaceAll(/[<>"]/g, ""));
  const { address: mailbox } = address;
  return isEmailAddress(mailbox)
    ? { name: name === "" || name === mailbox ? null : name, address: mailbox }
    : undefined;
}

function firstMailbox(addresses: readonly Address[] = []): Mailbox | undefined {
  for (const address of addresses) {
    const mailbox = toMailbox(address);
    if (mailbox !== undefined) return mailbox;
  }
  return undefined;
}

function readReferences({ inReplyTo = "", references = "" }: Email): string[] {
  const idsOf = (text: string): string[] => text.match(/<[^<>\s]{1,400}>/g) ?? [];
  const ids = [...idsOf(inReplyTo), ...idsOf(references).toReversed()];
  return [...new Set(ids.flatMap((id) => toMessageId(id) ?? []))].slice(0, mostReferences);
}

function toPart({ filename, mimeType, contentId, content }: Attachment): MailPart {
  return {
    name: filename,
    contentType: mimeType.toLowerCase(),
    contentId: contentId?.replaceAll(/^<|>$/g, "") ?? null,
    content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
  };
}

/** A text that is too long is truncated or left out, and attached in full. */
function fitTexts(body: string, html: string | null) {
  const parts: MailPart[] = [];
  const attach = (name: string, contentType: string, text: string): void =>
    void parts.push({ name, contentType, contentId: null, content: Buffer.from(text) });
  const isLong = codePointLength(body) > limits.messageBody;
  if (isLong) attach("message.txt", "text/plain; charset=utf-8", body);
  const hasLongHtml = html !== null && codePointLength(html) > limits.messageHtml;
  if (hasLongHtml) attach("message.html", "text/html; charset=utf-8", html);
  return {
    body: textOrNull(isLong ? splitAt(body, limits.messageBody)[0] : body),
    html: hasLongHtml ? null : html,
    parts,
  };
}

/** Without NUL, which no database stores, and other control characters; lines end in LF. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\t\n]/gu, "");
}

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text;
}
