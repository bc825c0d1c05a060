/** The text of a message: an argument, or stdin. */
import { text } from "node:stream/consumers";
import { WrongUsage } from "../../failures.ts";

/** Throws if neither is given. */
export async function readMessageBody(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (process.stdin.isTTY) throw new WrongUsage("The text is missing: give BODY, or pipe it in.");
  return text(process.stdin);
}
