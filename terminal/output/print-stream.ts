/** Streams an unbounded result to stdout with backpressure. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";

/** Characters per write: a write per line would cost more than the line. */
const pieceLength = 65_536;

interface PrintOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether output is interactive: each text is then written immediately. */
  readonly atOnce?: boolean;
}

/** Writes `texts` to stdout in order; ends silently when the reader, such as `head`, closes the pipe. */
export function printStream(
  texts: AsyncIterable<string>,
  { signal, atOnce = false }: PrintOptions = {},
): Promise<void> {
  return printBytes(atOnce ? texts : inPieces(texts), { signal });
}

/** The same for bytes. */
export async function printBytes(
  pieces: AsyncIterable<string | Uint8Array>,
  { signal }: Pick<PrintOptions, "signal"> = {},
): Promise<void> {
  const options = { end: false, ...(signal === undefined ? {} : { signal }) };
  try {
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
    // SQLite and files never yield: without a pause no signal would be handled before the end.
    await setImmediate();
  }
  if (piece !== "") yield piece;
}
