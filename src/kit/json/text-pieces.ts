/** A long text as bytes in pieces, so that none of making, hashing and sending it holds the event loop. */

/** In characters; each step takes a millisecond or less for as many. */
export const pieceSize = 128 << 10;

export class TextPieces {
  readonly pieces: readonly Buffer<ArrayBuffer>[];
  readonly byteLength: number;
  constructor(pieces: readonly Buffer<ArrayBuffer>[]) {
    this.pieces = pieces;
    this.byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  toBuffer(): Buffer<ArrayBuffer> {
    return Buffer.concat(this.pieces, this.byteLength);
  }

  toString(): string {
    return this.toBuffer().toString();
  }
}

/** Parts of the text with at most `pieceSize` characters; none ends within a surrogate pair, which would be encoded as two errors. */
export function* cutText(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + pieceSize);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
