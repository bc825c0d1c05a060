/** Stores files as pieces of 1 MiB: unstorage reads and writes whole values, so memory holds one piece of a file, whatever its size. */
import { createHash } from "node:crypto";
import { toPieces } from "./pieces.ts";

export interface StoredBlob {
  /** Names its pieces: KEY/0, KEY/1, … */
  readonly key: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** The bytes from `start` to `end`, inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** `gone`: a piece is missing or damaged. `unavailable`: the store cannot be reached now. */
export class BlobFault extends Error {
  readonly kind: "gone" | "unavailable";
  constructor(kind: "gone" | "unavailable", options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? `: ${options.cause.message}` : ".";
    super(kind === "gone" ? "A stored file is missing or damaged." : `The file store is unavailable${reason}`, options);
    this.kind = kind;
  }
}

export interface Blobs {
  /** Writes the pieces in order and resolves when they are durable. Removes them if `source` or the store fails. */
  write(key: string, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob>;
  /** Reads piece by piece. A whole blob is compared with its hash before its last piece is returned. Throws a BlobFault. */
  read(blob: StoredBlob, range?: ByteRange): AsyncGenerator<Uint8Array>;
  /** Writes one piece, as a backup holds it. */
  writePiece(key: string, number: number, bytes: Uint8Array): Promise<void>;
  /** One piece as it is stored, without comparing a hash; undefined if it is missing. */
  readPiece(key: string, number: number): Promise<Uint8Array | undefined>;
  /** Whether its first and last pieces are there, without reading them. */
  has(blob: Pick<StoredBlob, "key" | "size">): Promise<boolean>;
  /** Every key of the store, and when it was last written. */
  list(): AsyncGenerator<ListedKey>;
  /** Removes whatever pieces there are. */
  remove(key: string): Promise<void>;
}

export interface ListedKey {
  readonly key: string;
  readonly changedAt: Date;
}

/** A store of whole values, by name. */
export interface PieceStore {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is none. */
  get(name: string): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** The names before the slash. */
  list(): AsyncGenerator<ListedKey>;
}

/** A UUID; the store may hold other files. */
const keyForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const pieceBytes = 1_048_576;

export function createBlobs(open: () => Promise<PieceStore>): Blobs {
  let opened: Promise<PieceStore> | undefined;
  /** Opened with the first file, and again after a failure. */
  function openOnce(): Promise<PieceStore> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }
  async function attempt<Result>(work: (store: PieceStore) => Promise<Result>): Promise<Result> {
    try {
      return await work(await openOnce());
    } catch (error) {
      throw new BlobFault("unavailable", { cause: error });
    }
  }
  const nameOf = (key: string, number: number): string => `${key}/${number}`;
  const put = (key: string, number: number, bytes: Uint8Array): Promise<void> =>
    attempt((store) => store.put(nameOf(key, number), bytes));
  const get = (key: string, number: number): Promise<Uint8Array | undefined> =>
    attempt((store) => store.get(nameOf(key, number)));

  /** The last piece first: an interrupted removal leaves a sequence that the next one finds. */
  async function remove(key: string): Promise<void> {
    let count = 0;
    while (await attempt((store) => store.has(nameOf(key, count)))) count += 1;
    for (let number = count - 1; number >= 0; number--) await attempt((store) => store.remove(nameOf(key, number)));
  }

  return {
    async write(key, source) {
      const hash = createHash("sha256");
      let [size, number] = [0, 0];
      try {
        for await (const piece of toPieces(source, pieceBytes)) {
          hash.update(piece);
          size += piece.length;
          await put(key, number++, piece);
        }
      } catch (error) {
        await remove(key).catch(() => {});
        throw error;
      }
      return { key, size, sha256: hash.digest("hex") };
    },
    async *read({ key, size, sha256 }, { start, end } = { start: 0, end: size - 1 }) {
      const hash = start === 0 && end === size - 1 ? createHash("sha256") : undefined;
      const last = Math.floor(end / pieceBytes);
      for (let number = Math.floor(start / pieceBytes); number <= last; number++) {
        const piece = await get(key, number);
        if (piece?.length !== Math.min(pieceBytes, size - number * pieceBytes)) throw new BlobFault("gone");
        hash?.update(piece);
        if (number === last && hash !== undefined && hash.digest("hex") !== sha256) throw new BlobFault("gone");
        const offset = number * pieceBytes;
        yield piece.subarray(Math.max(0, start - offset), end - offset + 1);
      }
    },
    writePiece: put,
    readPiece: get,
    async has({ key, size }) {
      const last = Math.max(0, Math.ceil(size / pieceBytes) - 1);
      for (const number of new Set([0, last]))
        if (size > 0 && !(await attempt((store) => store.has(nameOf(key, number))))) return false;
      return true;
    },
    async *list() {
      const store = await openOnce();
      try {
        for await (const listed of store.list()) if (keyForm.test(listed.key)) yield listed;
      } catch (error) {
        throw new BlobFault("unavailable", { cause: error });
      }
    },
    remove,
  };
}
