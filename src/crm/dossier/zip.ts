/**
 * Writes a ZIP archive as a stream, one entry after the other (APPNOTE.TXT of PKWARE). Sizes and checksums follow the content, so that nothing is
 * held in memory; ZIP64 records are added where the archive needs them. An entry has less than 4 GiB.
 */
import { pipeline, Readable } from "node:stream";
import { createDeflateRaw, crc32 } from "node:zlib";

export interface ZipEntry {
  /** With `/` between folders. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
  /** For contents that are not compressed already. */
  readonly isCompressed: boolean;
}

interface WrittenEntry {
  readonly header: Buffer;
  readonly name: Buffer;
  readonly sums: Sums;
  readonly offset: number;
}

interface Sums {
  crc: number;
  size: number;
  packed: number;
}

/** What 32 and 16 bits cannot hold is in the ZIP64 records. */
const most32 = 0xff_ff_ff_ff;
const most16 = 0xff_ff;

/** ZIP64, which no reader of this century lacks. */
const version = 45;
/** Sizes follow the content; names are UTF-8. */
const flags = 0x08_08;

export async function* writeZip(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  for await (const { name: text, content, isCompressed } of entries) {
    const name = Buffer.from(text);
    const header = toHeader(name, isCompressed, at);
    const sums: Sums = { crc: 0, size: 0, packed: 0 };
    written.push({ header, name, sums, offset });
    const start = Buffer.concat([bytes32(0x04_03_4b_50), header, bytes16(name.length, 0), name]);
    yield start;
    for await (const piece of isCompressed ? deflated(content, sums) : stored(content, sums)) {
      sums.packed += piece.length;
      yield piece;
    }
    const end = bytes32(0x08_07_4b_50, sums.crc, sums.packed, sums.size);
    yield end;
    offset += start.length + sums.packed + end.length;
  }
  const directory = written.map(toDirectoryEntry);
  yield* directory;
  yield toEnd(
    directory.length,
    offset,
    directory.reduce((sum, { length }) => sum + length, 0),
  );
}

/** The part that both headers of an entry have, up to the length of the name. */
function toHeader(name: Buffer, isCompressed: boolean, at: Date): Buffer {
  if (name.length > most16) throw new Error("a name in a ZIP archive has at most 65535 bytes");
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return Buffer.concat([bytes16(version, flags, isCompressed ? 8 : 0, time, date), bytes32(0, 0, 0)]);
}

function toDirectoryEntry({ header, name, sums, offset }: WrittenEntry): Buffer {
  header.writeUInt32LE(sums.crc, 10);
  header.writeUInt32LE(sums.packed, 14);
  header.writeUInt32LE(sums.size, 18);
  const extra = offset < most32 ? Buffer.alloc(0) : Buffer.concat([bytes16(1, 8), bytes64(offset)]);
  return Buffer.concat([
    bytes32(0x02_01_4b_50),
    bytes16((3 << 8) | version),
    header,
    bytes16(name.length, extra.length, 0, 0, 0),
    // Regular files, 0600.
    bytes32((0o100600 << 16) >>> 0, Math.min(offset, most32)),
    name,
    extra,
  ]);
}

function toEnd(count: number, offset: number, size: number): Buffer {
  const isLarge = count >= most16 || offset >= most32;
  const large = Buffer.concat([
    bytes32(0x06_06_4b_50),
    bytes64(44),
    bytes16((3 << 8) | version, version),
    bytes32(0, 0),
    bytes64(count, count, size, offset),
    bytes32(0x07_06_4b_50, 0),
    bytes64(offset + size),
    bytes32(1),
  ]);
  const few = Math.min(count, most16);
  const end = [
    bytes32(0x06_05_4b_50),
    bytes16(0, 0, few, few),
    bytes32(Math.min(size, most32), Math.min(offset, most32)),
    bytes16(0),
  ];
  return Buffer.concat([...(isLarge ? [large] : []), ...end]);
}

type Content = ZipEntry["content"];

async function* stored(content: Content, sums: Sums): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    sums.crc = crc32(bytes, sums.crc);
    sums.size += bytes.length;
    if (sums.size >= most32) throw new Error("an entry of a ZIP archive has less than 4 GiB");
    yield bytes;
  }
}

async function* deflated(content: Content, sums: Sums): AsyncGenerator<Uint8Array> {
  const output = createDeflateRaw();
  // Its error is that of the iteration below, which ends both if it is abandoned.
  pipeline(Readable.from(stored(content, sums), { objectMode: false }), output, () => {});
  yield* output as AsyncIterable<Buffer>;
}

function bytes16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, place) => bytes.writeUInt16LE(value, place * 2));
  return bytes;
}

function bytes32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, place) => bytes.writeUInt32LE(value, place * 4));
  return bytes;
}

function bytes64(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, place) => bytes.writeBigUInt64LE(BigInt(value), place * 8));
  return bytes;
}
