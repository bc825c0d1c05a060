/** Reads a secret from stdin: everything but the final line break. */
import { text } from "node:stream/consumers";

export async function readSecret(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}
