/** Reads JSON given inline, from a file by @, or from stdin by a dash. */
import { text } from "node:stream/consumers";
import { showValue } from "../../../src/kit/input/shown-value.ts";
import { WrongUsage } from "../../failures.ts";
import { readNamedFile } from "./named-file.ts";
import { findRepeatedMember } from "./repeated-member.ts";

/** The value of `--name` or of the argument `NAME`. Refuses invalid JSON, duplicate members, and an unreadable file. */
export async function readGivenJson(name: string, given: string): Promise<unknown> {
  const [source, read] = await readSource(name, given);
  const json = read.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new WrongUsage(`${source} is not valid JSON: ${(error as Error).message}.`);
  }
  const repeated = findRepeatedMember(json);
  if (repeated === undefined) return value;
  throw new WrongUsage(
    `${source} has ${showValue(repeated.name)} twice in one object, the second time in line ${repeated.line}: one of them would be lost.`,
  );
}

async function readSource(name: string, given: string): Promise<[source: string, read: string]> {
  const source = asWritten(name);
  if (given === "-") return [`${source} from stdin`, await text(process.stdin)];
  if (!given.startsWith("@")) return [source, given];
  const path = given.slice(1);
  return [`${source} from ${path}`, await readNamedFile(source, path)];
}

/** Flags are lower case, arguments upper case, as in the help. */
function asWritten(name: string): string {
  return name === name.toUpperCase() ? name : `--${name}`;
}
