/** Names and types of files from outside: harmless names, and the few types that browsers may show. */
import { splitAt } from "../../../kit/text.ts";
import { limits } from "../../../vocabulary/limits.ts";

/** Control characters, and marks that change the direction or have no visible form. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]/gu;

/** The last segment of a path, without hidden characters; `fallback` for a name without a visible character. */
export function toFileName(given: string | null, fallback = "attachment"): string {
  const segment = (given ?? "").toWellFormed().split(/[/\\]/).at(-1)!;
  const name = splitAt(segment.replaceAll(hidden, "").replaceAll(/\s+/gu, " ").trim(), limits.attachmentName)[0];
  return /^\.*$/.test(name) ? fallback : name;
}

const unknownType = "application/octet-stream";
const typeForm = /^[a-z0-9][\w.+-]{0,99}\/[a-z0-9][\w.+-]{0,99}$/;

/** The media type in lower case without its parameters. */
export function toMediaType(given: string | null): string {
  const type = (given ?? "").split(";", 1)[0]!.trim().toLowerCase();
  // curl sends it for any file.
  return typeForm.test(type) && type !== "application/x-www-form-urlencoded" ? type : unknownType;
}

/** The first bytes of pictures, as Latin-1. */
const signatures: readonly (readonly [type: string, ...beginnings: string[]])[] = [
  ["image/png", "\x89PNG\r\n\x1A\n"],
  ["image/jpeg", "\xFF\xD8\xFF"],
  ["image/gif", "GIF87a", "GIF89a"],
];

function pictureType(start: string): string | undefined {
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return "image/webp";
  return signatures.find(([, ...beginnings]) => beginnings.some((beginning) => start.startsWith(beginning)))?.[0];
}

/** The type under which browsers may show a file, by its first bytes; undefined: it is only downloaded. */
export function shownType(declared: string, firstBytes: Uint8Array): string | undefined {
  const start = Buffer.from(firstBytes.subarray(0, 512)).toString("latin1");
  const image = pictureType(start);
  if (image !== undefined) return image;
  const isText = declared === "text/plain" && !/[^\P{Cc}\t\r\n\f\x80-\x9f]/u.test(start);
  return isText ? "text/plain; charset=utf-8" : undefined;
}
