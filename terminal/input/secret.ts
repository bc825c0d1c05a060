/** Reads a secret that comes by stdin: the whole of it, but for the end of its line. */
import { text } from "node:stream/consumers";

export async function readSecret(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}
