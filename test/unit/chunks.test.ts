/** Chunks of any sizes: their bytes stay in order, and small ones are joined. */
import { describe, expect, test } from "vitest";
import { Chunks } from "../../src/http/request/chunks.ts";

function collect(sizes: readonly number[]): { sent: Buffer; chunks: Chunks } {
  const sent = Buffer.from(Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, at) => at % 251));
  const chunks = new Chunks();
  let at = 0;
  for (const size of sizes) chunks.add(sent.subarray(at, (at += size)));
  return { sent, chunks };
}

describe("a body that arrives in", () => {
  test.each<[string, number[], number]>([
    ["no chunk", [], 0],
    ["one", [5], 1],
    ["one large", [4000], 1],
    ["large ones", [2000, 2000, 2000], 3],
    ["small ones", Array.from({ length: 640 }, () => 1), 10],
    ["small ones between large ones", [1, 2, 600, 3, 4, 5, 512, 511, 6], 5],
  ])("%s", (_what, sizes, pieces) => {
    const { sent, chunks } = collect(sizes);
    expect(chunks.size).toBe(sent.length);
    expect(chunks.pieces().length).toBe(pieces);
    expect(Buffer.concat(chunks.pieces())).toEqual(sent);
    expect(chunks.joined()).toEqual(sent);
  });
});
