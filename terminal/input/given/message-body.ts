/** The text of a message: an argument, or stdin; and its HTML version, from a file. */
import { readFile, stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { limits } from "../../../src/vocabulary/limits.ts";
import { WrongUsage } from "../../failures.ts";

/** Throws if neither is given. */
export async function readMessageBody(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (process.stdin.isTTY) throw new WrongUsage("The text is missing: give BODY, or pipe it in.");
  return text(process.stdin);
}

/** Throws for a file that cannot be read, or is longer than any HTML version. */
export async function readHtmlFile(path: string): Promise<string> {
  try {
    // A character takes at most three bytes for each of its UTF-16 code units.
    if ((await stat(path)).size <= limits.messageHtml * 3) return await readFile(path, "utf8");
  } catch (error) {
    throw new WrongUsage(`--html names the file "${path}", which cannot be read: ${(error as Error).message}.`);
  }
  throw new WrongUsage(`--html names the file "${path}", which is longer than ${limits.messageHtml} characters.`);
}
