/**
 * Serializes long lists in chunks, yielding to the event loop in between, and one body at a time to bound memory. Lists
 * are marked as long when they are read.
 */
import { createSerialQueue, yieldToEventLoop } from "./waiting/fair-lock.ts";

const long = new WeakSet<object>();
const line = createSerialQueue();

/** Characters of JSON per turn of the event loop: a millisecond or two. */
const pieceSize = 256 << 10;

export function markLong(list: object): void {
  long.add(list);
}

/** Returns `made`, marked as long if `list` is. */
export function asLongAs<List extends object>(list: object, made: List): List {
  if (long.has(list)) long.add(made);
  return made;
}

/** Whether a member of the body is a long list. */
export function hasLongLists(body: unknown): body is object {
  if (typeof body !== "object" || body === null) return false;
  for (const value of Object.values(body))
    if (typeof value === "object" && value !== null && long.has(value)) return true;
  return false;
}

/** The JSON of a body with long lists: the same text as JSON.stringify. */
export function writeInPieces(body: object): Promise<string> {
  return line(async () => {
    let text = "{";
    let written = 0;
    for (const [name, value] of Object.entries(body)) {
      // Omitted, as by JSON.stringify.
      if (value === undefined) continue;
      if (text.length > 1) text += ",";
      text += `${JSON.stringify(name)}:`;
      if (!Array.isArray(value) || !long.has(value)) {
        text += JSON.stringify(value);
        continue;
      }
      text += "[";
      for (const [place, item] of value.entries()) {
        if (place > 0) text += ",";
        text += JSON.stringify(item);
        if (text.length - written <= pieceSize) continue;
        written = text.length;
        await yieldToEventLoop();
      }
      text += "]";
    }
    return `${text}}`;
  });
}
