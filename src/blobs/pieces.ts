/** Regroups a stream of chunks into pieces of one size; the last one may be shorter. A piece is valid until the next one is taken. */
export async function* toPieces(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(bytes);
  let filled = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(bytes - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < bytes) continue;
      yield piece;
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
