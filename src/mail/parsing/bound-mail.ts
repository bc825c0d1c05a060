/** Bounds the structure of a mail before it is parsed: the bytes of its headers, and the number of its parts and lines. */
import { createHash } from "node:crypto";
import type { MailPart } from "./parsed-mail.ts";

export const mailBounds = { headerBytes: 262_144, parts: 200, depth: 20, shortLines: 50_000 } as const;

export interface BoundedMail {
  readonly bytes: Buffer;
  readonly hasAllLines: boolean;
}

/** Bounds the headers by cutting them, and the parts and lines by cutting the mail before the first one too many. */
export function boundMail(raw: Buffer): BoundedMail {
  const mail = cutParts(cutHeaders(raw));
  const bytes = cutLines(mail);
  return { bytes, hasAllLines: bytes.length === mail.length };
}

/** A mail as its own attachment, for one that cannot be read in full. */
export function wholeMail(raw: Buffer): MailPart {
  return { name: "message.eml", contentType: "message/rfc822", contentId: null, content: new Uint8Array(raw) };
}

/** Identifies a mail by its bytes. */
export function digestOf(raw: Uint8Array): string {
  return `sha256:${createHash("sha256").update(raw).digest("hex")}`;
}

/** The bytes of the header block, without the empty line behind it. */
export function headerLength(raw: Buffer): number {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => raw.indexOf(end)).filter((at) => at !== -1);
  return ends.length === 0 ? raw.length : Math.min(...ends);
}

function cutHeaders(raw: Buffer): Buffer {
  const end = headerLength(raw);
  if (end <= mailBounds.headerBytes) return raw;
  return Buffer.concat([raw.subarray(0, mailBounds.headerBytes), raw.subarray(end)]);
}

const delimiter = "\n--";
/** RFC 2046 allows 70 characters. */
const longestBoundary = 200;
const declaration = /boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi;

function cutParts(raw: Buffer): Buffer {
  let parts = 0;
  let boundaries: Set<string> | undefined;
  let candidates = 0;
  for (let at = raw.indexOf(delimiter); at !== -1; at = raw.indexOf(delimiter, at + 1)) {
    candidates += 1;
    if (candidates <= mailBounds.parts) continue;
    // Most mails have fewer such lines, whatever they are. Otherwise counting starts over.
    if (boundaries === undefined) {
      const named = raw.toString("latin1").matchAll(declaration);
      boundaries = new Set([...named].map(([, quoted, plain]) => quoted ?? plain!));
      at = -1;
      continue;
    }
    const [line = ""] = raw
      .toString("latin1", at + delimiter.length, at + delimiter.length + longestBoundary + 2)
      .split(/\r?\n/, 1);
    if (!boundaries.has(line.trimEnd())) continue;
    parts += 1;
    if (parts > mailBounds.parts) return raw.subarray(0, at + 1);
  }
  return raw;
}

/** Bytes, with the end of the line. Encoded files have longer lines. */
const shortLine = 60;
const lineFeed = 0x0a;

/** The parser takes some microseconds for each line, however short. */
function cutLines(mail: Buffer): Buffer {
  if (mail.length <= mailBounds.shortLines) return mail;
  let short = 0;
  let start = 0;
  for (let end = mail.indexOf(lineFeed); end !== -1; end = mail.indexOf(lineFeed, start)) {
    if (end - start < shortLine) short += 1;
    start = end + 1;
    if (short > mailBounds.shortLines) return mail.subarray(0, start);
  }
  return mail;
}
