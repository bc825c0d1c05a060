/** Message-IDs (RFC 5322), by which mail programs refer to each other's mails. */
import { randomUUID } from "node:crypto";
import { domainToASCII } from "node:url";

const form = /^<?([^\s<>@]{1,200}@[^\s<>@]{1,200})>?$/;

/** A Message-ID in angle brackets; undefined for an invalid one. */
export function toMessageId(text: string): string | undefined {
  const [, id] = form.exec(text.trim()) ?? [];
  // A non-ASCII ID would be encoded and never match.
  return id !== undefined && /^[\x21-\x7e]+$/.test(id) ? `<${id}>` : undefined;
}

/** A new Message-ID at the host of the sender's address. */
export function mintMessageId(from: string): string {
  const host = domainToASCII(from.slice(from.lastIndexOf("@") + 1));
  return `<${randomUUID()}@${host === "" ? "localhost" : host}>`;
}
