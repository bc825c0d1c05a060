/** The archive of a backup: it frees the memory of spent parts, and of no other. */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
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
