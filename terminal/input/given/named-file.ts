/** Reads a text file that a flag or an argument names. */
import { readFile, stat } from "node:fs/promises";
import { WrongUsage } from "../../failures.ts";

/** `source`: the flag or argument as written. Throws for a file that cannot be read, or is surely longer than `most` characters. */
export async function readNamedFile(source: string, path: string, most = Number.POSITIVE_INFINITY): Promise<string> {
  try {
    // A character takes at most three bytes for each of its UTF-16 code units.
    if ((await stat(path)).size <= most * 3) return await readFile(path, "utf8");
  } catch (error) {
    throw new WrongUsage(`${source} names the file "${path}", which cannot be read: ${(error as Error).message}.`);
  }
  throw new WrongUsage(`${source} names the file "${path}", which is longer than ${most} characters.`);
}
