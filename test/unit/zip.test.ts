/** ZIP archives, read back by the unzip of the system where there is one, and by their own directory. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { writeZip } from "../../src/crm/dossier/zip.ts";
import type { ZipEntry } from "../../src/crm/dossier/zip.ts";

const at = new Date("2026-03-01T12:34:56Z");

async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const pieces = [];
  for await (const piece of writeZip(toAsync(entries), at)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Name → content, as the directory at the end tells. */
function readZip(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files: Record<string, string> = {};
  let place = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [method, crc, packed, size] = [
      zip.readUInt16LE(place + 10),
      zip.readUInt32LE(place + 16),
      zip.readUInt32LE(place + 20),
      zip.readUInt32LE(place + 24),
    ];
    const [nameLength, extraLength, offset] = [
      zip.readUInt16LE(place + 28),
      zip.readUInt16LE(place + 30),
      zip.readUInt32LE(place + 42),
    ];
    const name = zip.subarray(place + 46, place + 46 + nameLength).toString();
    const start = offset + 30 + nameLength;
    const bytes = zip.subarray(start, start + packed);
    const content = method === 8 ? inflateRawSync(bytes) : bytes;
    expect([content.length, crc32(content)]).toEqual([size, crc]);
    files[name] = content.toString();
    place += 46 + nameLength + extraLength;
  }
  return files;
}

const entries: readonly ZipEntry[] = [
  { name: "notes.json", content: ["[\n", '{"body":"Zoë"}'.repeat(5000), "\n]\n"], isCompressed: true },
  { name: "files/1-Grüße.txt", content: [Buffer.from("plain"), Buffer.from(" bytes")], isCompressed: false },
  { name: "empty.json", content: [], isCompressed: true },
];
const expected = {
  "notes.json": `[\n${'{"body":"Zoë"}'.repeat(5000)}\n]\n`,
  "files/1-Grüße.txt": "plain bytes",
  "empty.json": "",
};

test("entries are read back, compressed or stored", async () => {
  const zip = await zipOf(entries);
  expect(readZip(zip)).toEqual(expected);
  expect(zip.length).toBeLessThan(2000);
});

test("a reader that leaves early, and a source that fails, end the entry", async () => {
  const endless: ZipEntry = {
    name: "endless.json",
    content: endlessText(),
    isCompressed: true,
  };
  for await (const piece of writeZip(toAsync([endless]), at)) if (piece.length > 1000) break;
  const failing = { ...endless, content: failingAfter("some text") };
  await expect(zipOf([failing])).rejects.toThrow("the source failed");
});

async function* endlessText(): AsyncGenerator<string> {
  for (;;) yield Math.random().toString(36).repeat(1000);
}

async function* failingAfter(text: string): AsyncGenerator<string> {
  yield text;
  throw new Error("the source failed");
}

test("an archive without entries is one", async () => {
  expect(readZip(await zipOf([]))).toEqual({});
});

test("more entries than 16 bits count get ZIP64 records", async () => {
  const many = Array.from({ length: 65_536 }, (_, number) => ({ name: `${number}`, content: [], isCompressed: false }));
  const zip = await zipOf(many);
  const large = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 6, 6]));
  expect(Number(zip.readBigUInt64LE(large + 32))).toBe(65_536);
});

test("a program of others reads it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-zip-"));
  try {
    const file = join(folder, "archive.zip");
    await writeFile(file, await zipOf(entries));
    const script =
      "import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
    expect(JSON.parse(execFileSync("python3", ["-c", script, file], { maxBuffer: 1 << 24 }).toString())).toEqual(
      expected,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
