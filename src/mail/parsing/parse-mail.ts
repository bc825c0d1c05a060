/** Parses a raw mail (RFC 5322). Never fails: a mail that is too deep, too long or broken is also kept as an attachment of itself. */
import type { Address, Attachment, Email } from "postal-mime";
import { isEmailAddress } from "../../kit/input/email-address.ts";
import type { Mailbox } from "../../kit/input/mailbox.ts";
import { isLongerThan, oneLine, splitAt, truncate } from "../../kit/text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { toMessageId } from "../message-id.ts";
import { MimeParser } from "./mime-parser.ts";
import { isAutomaticMail, takesNoReplies } from "./automatic.ts";
import type { FindHeader } from "./automatic.ts";
import { boundMail, digestOf, headerLength, mailBounds, wholeMail } from "./bound-mail.ts";
import { isPartOfReport, readDeliveryReport } from "./delivery-report.ts";
import { textOfHtml } from "./html-text.ts";
import type { MailPart, ParsedMail } from "./parsed-mail.ts";
import { cutQuotes } from "./quotes.ts";
import { keepHtml } from "./read-html.ts";

const mostReferences = 50;

export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const { email, plain, html: givenHtml, isComplete } = await readStructure(raw);
  const header: FindHeader = (name) => email.headers.find(({ key }) => key === name)?.value;
  const subject = textOrNull(truncate(oneLine(email.subject ?? ""), limits.subject));
  const { html, excess } = givenHtml === "" ? { html: null, excess: null } : keepHtml(givenHtml, "received");
  const text = plain.trim() === "" ? textOfHtml(givenHtml) : plain;
  const all = email.attachments.map(toPart);
  const from = toMailbox(email.from) ?? toMailbox(email.sender) ?? { name: null, address: email.returnPath ?? "" };
  const report = readDeliveryReport({ header, from: from.address, subject, text, parts: all }) ?? null;
  const files = report === null ? all : all.filter((part) => !isPartOfReport(part));
  const { text: body, isShortened } = cutQuotes(text, subject);
  return {
    digest: digestOf(raw),
    sender: takesNoReplies(from.address, header) ? (firstMailbox(email.replyTo) ?? from) : from,
    to: firstMailbox(email.to)?.address ?? null,
    subject,
    messageId: (email.messageId === undefined ? undefined : toMessageId(email.messageId)) ?? null,
    references: readReferences(email),
    body: textOrNull(splitAt(body, limits.messageBody)[0]),
    isShortened,
    html,
    isAutomatic: report !== null || isAutomaticMail(header),
    report,
    parts: [...(isComplete ? files : [wholeMail(raw)]), ...excessParts(body, excess)],
  };
}

const options = {
  maxNestingDepth: mailBounds.depth,
  maxHeadersSize: mailBounds.headerBytes * 2,
  forceRfc822Attachments: true,
};

interface Structure {
  readonly email: Email;
  readonly plain: string;
  readonly html: string;
  readonly isComplete: boolean;
}

/** Of a mail that is too deep, or broken, only the header. */
async function readStructure(raw: Buffer): Promise<Structure> {
  const { bytes, hasAllLines } = boundMail(raw);
  const parser = new MimeParser(options);
  try {
    const email = await parser.parse(bytes);
    const html = cleanText(parser.html()).trimEnd();
    return { email, plain: cleanText(parser.plain()), html, isComplete: hasAllLines };
  } catch {
    const email = await new MimeParser().parse(Buffer.from(bytes.subarray(0, headerLength(bytes))));
    return { email, plain: "", html: "", isComplete: false };
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
    contentId: contentId === undefined ? null : oneLine(contentId).replaceAll(/^<|>$/g, ""),
    content: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
  };
}

/** A text that is truncated, and html that is left out, are attached in full. */
function excessParts(body: string, html: string | null): MailPart[] {
  const toText = (name: string, contentType: string, text: string): MailPart => ({
    name,
    contentType: `${contentType}; charset=utf-8`,
    contentId: null,
    content: Buffer.from(text),
  });
  return [
    ...(isLongerThan(body, limits.messageBody) ? [toText("message.txt", "text/plain", body)] : []),
    ...(html === null ? [] : [toText("message.html", "text/html", html)]),
  ];
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
