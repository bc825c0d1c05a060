/** Collects the chunks of a body in memory of about their size, however small they are. */

/** A chunk takes some 300 bytes besides its content, and a client may send chunks of one byte: this many small ones are joined. */
const mostLoose = 64;
/** Bytes. */
const smallChunk = 512;

export class Chunks {
  readonly #pieces: Buffer[] = [];
  #loose: Buffer[] = [];
  #size = 0;

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (chunk.length >= smallChunk) this.#settle();
    this.#loose.push(chunk);
    if (chunk.length >= smallChunk || this.#loose.length === mostLoose) this.#settle();
  }

  /** What was added, in order, not copied into one. */
  pieces(): readonly Buffer[] {
    this.#settle();
    return this.#pieces;
  }

  joined(): Buffer {
    const pieces = this.pieces();
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, this.#size);
  }

  #settle(): void {
    if (this.#loose.length === 0) return;
    this.#pieces.push(this.#loose.length === 1 ? this.#loose[0]! : Buffer.concat(this.#loose));
    this.#loose = [];
  }
}
