/** The text of a message: what stands on the command line, or what is piped in. */
import { text } from "node:stream/consumers";
import { WrongUsage } from "../../failures.ts";

/** Throws where nothing is given and nobody pipes anything in. */
export async function readMessageBody(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (process.stdin.isTTY) throw new WrongUsage("What to write is missing: give it as BODY, or pipe it in.");
  return text(process.stdin);
}
