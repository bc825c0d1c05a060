/** Values of a node as its summary shows them: quoted, in one line, and cut off where they are long. */
import { truncate } from "../../../kit/text.ts";

/** Characters. */
const longest = 60;

export function excerpt(text: string): string {
  return truncate(text, longest);
}

/** A text in quotation marks; any other value as it is. */
export function quoted(value: unknown): string {
  return typeof value === "string" ? `"${excerpt(value.replaceAll(/\s+/g, " "))}"` : String(value);
}
