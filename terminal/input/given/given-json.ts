/** Reads JSON that a flag gives: in itself, from a file by @, or from stdin by a dash. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { WrongUsage } from "../../failures.ts";

/** The value of `--name`, or of the argument `NAME`. Refuses what is no JSON, and a file that cannot be read. */
export async function readGivenJson(name: string, given: string): Promise<unknown> {
  const [source, read] = await readSource(name, given);
  try {
    return JSON.parse(read.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new WrongUsage(`${asWritten(name)} ${source} no JSON: ${(error as Error).message}.`);
  }
}

async function readSource(name: string, given: string): Promise<[source: string, read: string]> {
  if (given === "-") return ["from stdin is", await text(process.stdin)];
  if (!given.startsWith("@")) return ["is", given];
  const path = given.slice(1);
  try {
    return [`from ${path} is`, await readFile(path, "utf8")];
  } catch (error) {
    throw new WrongUsage(
      `${asWritten(name)} names the file "${path}", which cannot be read: ${(error as Error).message}.`,
    );
  }
}

/** Flags are written in lower case, arguments in capital letters, as the pages of help have it. */
function asWritten(name: string): string {
  return name === name.toUpperCase() ? name : `--${name}`;
}
