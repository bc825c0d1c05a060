/** The container of a backup: a tar of small parts, compressed as a whole, which ordinary tools can open. */
import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import type { Transform } from "node:stream";
import { constants, createGunzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { BackupFault } from "./backup-fault.ts";

/** A file of the archive, which is small enough to be held in memory. */
export interface ArchivePart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether nothing reads the bytes again once they are part of the archive. */
  readonly isSpent?: boolean;
}

/** More than any part that a backup writes: of a larger one the archive is no backup. */
const mostPartBytes = 64 * 1_048_576;

/** The memory of parts that are compressed for good. */
const spent = new WeakSet<ArrayBufferLike>();

/** The bytes of the archive; those of a part are passed on, not copied. */
export async function* packParts(parts: AsyncIterable<ArchivePart>, at: Date): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  async function pack(): Promise<void> {
    for await (const { name, bytes, isSpent } of parts) {
      if (isSpent) spent.add(bytes.buffer);
      const body = controller.add({ name, size: bytes.length, type: "file", mode: 0o600, mtime: at }).getWriter();
      await body.write(bytes);
      await body.close();
    }
    controller.finalize();
  }
  const packing = pack().catch((error: unknown) => controller.error(error));
  yield* readable as unknown as AsyncIterable<Uint8Array>;
  await packing;
}

/**
 * Zstandard with a checksum of its own; level 3 keeps up with the database. Frees the bytes of spent parts behind it: V8 lets tens of megabytes of
 * buffers gather before it collects them.
 */
export function createCompression(): Transform {
  const compression = createZstdCompress({
    chunkSize: 262_144,
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  // oxlint-disable eslint/no-underscore-dangle -- Node's name of what says when a chunk is consumed
  const compress = compression._transform.bind(compression);
  compression._transform = (bytes: Uint8Array<ArrayBuffer>, encoding, done) =>
    compress(bytes, encoding, (...result) => {
      if (spent.has(bytes.buffer)) bytes.buffer.transfer(0);
      done(...result);
    });
  // oxlint-enable eslint/no-underscore-dangle
  return compression;
}

/** The parts of an archive, in its order: compressed with zstd or gzip, or not at all. Throws a BackupFault for anything else. */
export async function* unpackParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivePart> {
  const entries = Readable.toWeb(Readable.from(decompress(source), { objectMode: false })).pipeThrough(
    createTarDecoder({ strict: true }) as unknown as ReadableWritablePair<TarEntry, Uint8Array>,
  );
  try {
    for await (const { header, body } of entries) {
      if (header.size > mostPartBytes) throw new BackupFault(`its part ${JSON.stringify(header.name)} is too large`);
      const bytes = new Uint8Array(header.size);
      let filled = 0;
      for await (const piece of body) {
        bytes.set(piece, filled);
        filled += piece.length;
      }
      if (header.type === "file") yield { name: header.name, bytes };
    }
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault("it is damaged or cut off", { cause: error });
  }
}

interface TarEntry {
  readonly header: { readonly name: string; readonly size: number; readonly type?: string };
  readonly body: AsyncIterable<Uint8Array>;
}

type ReadableWritablePair<Out, In> = {
  readonly readable: ReadableStream<Out>;
  readonly writable: WritableStream<In>;
};

const magics: readonly (readonly [string, () => Transform])[] = [
  ["28b52ffd", createZstdDecompress],
  ["1f8b", createGunzip],
];

async function* decompress(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) throw new BackupFault("it is empty");
  const all = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  const start = Buffer.from(first.value.subarray(0, 4)).toString("hex");
  const createDecompression = magics.find(([magic]) => start.startsWith(magic))?.[1];
  if (createDecompression === undefined) return yield* all;
  const decompression = createDecompression();
  // Its errors are thrown by the iteration; `compose` would leave those of the end to no listener.
  pipeline(all, decompression, () => {});
  yield* decompression as AsyncIterable<Uint8Array>;
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
