/** The archive of a backup: it frees the memory of spent parts, and of no other. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BackupFault } from "../../src/backup/backup-fault.ts";
import { createCompression, packParts, unpackParts } from "../../src/backup/archive.ts";
import type { ArchivePart } from "../../src/backup/archive.ts";

const bytesOf = (letter: string): Uint8Array => new Uint8Array(70_000).fill(letter.charCodeAt(0));

test("spent parts are freed once they are compressed, and arrive whole", async () => {
  const parts: ArchivePart[] = [
    { name: "kept", bytes: bytesOf("k") },
    { name: "spent", bytes: bytesOf("s"), isSpent: true },
    { name: "last", bytes: bytesOf("l") },
  ];
  const packed = await buffer(Readable.from(packParts(Readable.from(parts), new Date(0))).pipe(createCompression()));
  expect(parts.map(({ bytes }) => bytes.length)).toEqual([70_000, 0, 70_000]);

  const arrived: Record<string, Uint8Array> = {};
  for await (const { name, bytes } of unpackParts(Readable.from([packed]))) arrived[name] = bytes;
  expect(arrived).toEqual({ kept: bytesOf("k"), spent: bytesOf("s"), last: bytesOf("l") });
});

async function packed(): Promise<Buffer> {
  const parts: ArchivePart[] = [1, 2, 3].map((n) => ({ name: `part ${n}`, bytes: randomBytes(5000) }));
  return buffer(Readable.from(packParts(Readable.from(parts), new Date(0))).pipe(createCompression()));
}

const archives: Readonly<Record<string, (zstd: Buffer) => Buffer>> = {
  zstd: (zstd) => zstd,
  gzip: (zstd) => gzipSync(zstdDecompressSync(zstd)),
  tar: (zstd) => zstdDecompressSync(zstd),
};

const damages: Readonly<Record<string, (whole: Buffer) => Buffer>> = {
  "cut off in its first header": (whole) => whole.subarray(0, 9),
  "cut off in the middle": (whole) => whole.subarray(0, whole.length / 2),
  "cut off near its end": (whole) => whole.subarray(0, whole.length - 2000),
  "with other bytes in the middle": (whole) => Buffer.from(whole).fill(0x5a, 40, 600),
};

describe.each(Object.entries(archives))("an archive as %s", (_form, toForm) => {
  test.each(Object.entries(damages))("%s is refused", async (_damage, toDamaged) => {
    const damaged = toDamaged(toForm(await packed()));
    for (const pieces of [[damaged], piecesOf(damaged)])
      await expect(drain(unpackParts(Readable.from(pieces)))).rejects.toThrow(BackupFault);
  });

  test("whose source fails fails as its source", async () => {
    const whole = toForm(await packed());
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield whole.subarray(0, 4000);
      throw new BackupFault("it cannot be read (EIO)");
    }
    await expect(drain(unpackParts(failing()))).rejects.toThrow("it cannot be read (EIO)");
  });
});

function piecesOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, n) => bytes.subarray(n * 1000, n * 1000 + 1000));
}

async function drain(parts: AsyncIterable<ArchivePart>): Promise<void> {
  for await (const _ of parts);
}
