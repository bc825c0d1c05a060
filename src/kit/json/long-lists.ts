/**
 * Serializes long lists in chunks, yielding to the event loop in between, and one body at a time to bound memory. Lists
 * are marked as long when they are read.
 */
import { cutText, pieceSize, TextPieces } from "./text-pieces.ts";
import { awaitPieceTurn, createSerialQueue, yieldToEventLoop } from "../waiting/fair-lock.ts";

const long = new WeakSet<object>();
const lines = { read: createSerialQueue(), change: createSerialQueue() };
const turns = { read: awaitPieceTurn, change: yieldToEventLoop };

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

/**
 * Resolves when the bodies that are queued now are written. Await it before building another body with long lists: bodies that were built and
 * wait would fill the memory.
 */
export async function awaitWritten(): Promise<void> {
  await lines.read(async () => {});
}

/**
 * The JSON of a body with long lists: the same text as JSON.stringify, as bytes. Within a change it waits for no reads: others wait for the locks
 * that the change holds.
 */
export function writeInPieces(body: object, within: keyof typeof lines = "read"): Promise<TextPieces> {
  return lines[within](async () => {
    const pieces: Buffer<ArrayBuffer>[] = [];
    let text = "{";
    async function encode(part: string): Promise<void> {
      await turns[within]();
      pieces.push(Buffer.from(part));
    }

    let isFirst = true;
    for (const [name, value] of Object.entries(body)) {
      // Omitted, as by JSON.stringify.
      if (value === undefined) continue;
      text += `${isFirst ? "" : ","}${JSON.stringify(name)}:`;
      isFirst = false;
      if (!Array.isArray(value) || !long.has(value)) {
        text += JSON.stringify(value);
        continue;
      }
      text += "[";
      for (const [place, item] of value.entries()) {
        if (place > 0) text += ",";
        text += JSON.stringify(item);
        if (text.length < pieceSize) continue;
        const parts = [...cutText(text)];
        text = parts.pop()!;
        for (const part of parts) await encode(part);
      }
      text += "]";
    }
    text += "}";
    for (const part of cutText(text)) await encode(part);
    return new TextPieces(pieces);
  });
}
