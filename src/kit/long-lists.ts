/**
 * Lists whose JSON is long, by what was counted when they were read: it is written in pieces, so that others have their turn in between,
 * and for one body at a time, since the pieces of many would fill the memory.
 */
import { createSerialQueue, yieldToEventLoop } from "./waiting/fair-lock.ts";

const long = new WeakSet<object>();
const line = createSerialQueue();

/** Characters of JSON that are written in one turn of the event loop: a millisecond or two. */
const pieceSize = 256 << 10;

export function markLong(list: object): void {
  long.add(list);
}

/** `made`, which is long where the list that it was made of is. */
export function asLongAs<List extends object>(list: object, made: List): List {
  if (long.has(list)) long.add(made);
  return made;
}

/** Whether one of its members is such a list. */
export function hasLongLists(body: unknown): body is object {
  if (typeof body !== "object" || body === null) return false;
  for (const value of Object.values(body))
    if (typeof value === "object" && value !== null && long.has(value)) return true;
  return false;
}

/** The JSON of a body that has long lists; the same text as JSON.stringify gives. */
export function writeInPieces(body: object): Promise<string> {
  return line(async () => {
    let text = "{";
    let written = 0;
    for (const [name, value] of Object.entries(body)) {
      // As JSON.stringify does.
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
