/** The bytes of a CSV file as text, whatever program wrote them and in whatever pieces they come. */
import { expect, test } from "vitest";
import { Decoded } from "../../src/crm/contacts/transfer/csv-text.ts";

const text = "first_name,city\nZoë,Łódź\n😀,x\n";
const little = Buffer.from(text, "utf16le");
const big = Buffer.from(little).swap16();

test.each<[name: string, bytes: Buffer, encoding: string, expected: string]>([
  ["UTF-8", Buffer.from(text), "utf-8", text],
  ["UTF-8 with its mark", Buffer.from(`\uFEFF${text}`), "utf-8", text],
  ["UTF-16 with its mark", Buffer.concat([Buffer.of(0xff, 0xfe), little]), "utf-8", text],
  ["UTF-16 the other way round, with its mark", Buffer.concat([Buffer.of(0xfe, 0xff), big]), "utf-8", text],
  ["UTF-16 without a mark", little, "utf-8", text],
  ["UTF-16 the other way round, without a mark", big, "utf-8", text],
  ["an encoding that is named", Buffer.from("first_name\nZoë\n", "latin1"), "windows-1252", "first_name\nZoë\n"],
  ["a single letter", Buffer.from("a"), "utf-8", "a"],
  ["nothing", Buffer.alloc(0), "utf-8", ""],
])("%s, whole and byte by byte", async (_name, bytes, encoding, expected) => {
  for (const size of [1, 3, Math.max(1, bytes.length)]) {
    const file = async function* (): AsyncGenerator<Buffer> {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
    };
    let read = "";
    for await (const piece of new Decoded(file(), encoding).chunks()) read += piece;
    expect(read, `by ${size}`).toBe(expected);
  }
});
