/** Prints a result that has no end in sight: piece by piece, no faster than it is read. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";

/** Characters that are written at once: a write for each line would cost more than the line. */
const pieceLength = 65_536;

interface PrintOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether somebody waits for each text. */
  readonly atOnce?: boolean;
}

/** Writes `texts` to stdout one after the other; ends without a word when whoever reads, such as `head`, has seen enough. */
export async function printStream(
  texts: AsyncIterable<string>,
  { signal, atOnce = false }: PrintOptions = {},
): Promise<void> {
  const options = { end: false, ...(signal === undefined ? {} : { signal }) };
  try {
    const pieces = atOnce ? texts : inPieces(texts);
    await pipeline(Readable.from(pieces, { objectMode: false }), process.stdout, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
    // SQLite and a file answer at once: without a pause no signal would be heard before the end.
    await setImmediate();
  }
  if (piece !== "") yield piece;
}
