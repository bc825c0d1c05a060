/** JSON that is written in pieces: the same text and tag, and others have their turn meanwhile. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toEntityTag, toRecordTag } from "../../src/http/request/preconditions.ts";
import { pieceSize, TextPieces } from "../../src/kit/json/text-pieces.ts";
import { asLongAs, hasLongLists, markLong, writeInPieces } from "../../src/kit/json/long-lists.ts";

const body = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined)));

test("the text is that of JSON.stringify, whichever lists are long", async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.array(fc.boolean()), async (given, marks) => {
      const values = Object.values(given);
      values.forEach((value, place) => {
        if (Array.isArray(value) && marks[place] === true) markLong(value);
      });
      expect(String(await writeInPieces(given))).toBe(JSON.stringify(given));
    }),
  );
});

test("a body has long lists where one of its members is marked, or made of one that is", () => {
  const list = [{ text: "a" }];
  expect(hasLongLists({ data: list })).toBe(false);
  markLong(list);
  expect(hasLongLists({ data: list })).toBe(true);
  expect(hasLongLists({ data: asLongAs(list, [...list]) })).toBe(true);
  for (const none of [null, "text", undefined, { data: null }, { data: [...list] }])
    expect(hasLongLists(none)).toBe(false);
});

/** A text with pairs of surrogates at every boundary of pieces, and items longer than a piece. */
test("the bytes of a long body are those of its text, and no piece is long", async () => {
  const data = ["", "a"].map((before) => ({ text: `${before}${"😀".repeat(2 * pieceSize)}` }));
  markLong(data);
  const { pieces, byteLength } = await writeInPieces({ data });
  const expected = Buffer.from(JSON.stringify({ data }));
  expect(Buffer.concat(pieces).equals(expected)).toBe(true);
  expect(byteLength).toBe(expected.length);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(4 * pieceSize);
  expect(await toRecordTag(new TextPieces(pieces), undefined)).toBe(toEntityTag(JSON.stringify({ data })));
});

test("between two pieces others have their turn, and bodies are written one after the other", async () => {
  const data = Array.from({ length: 40 }, () => ({ text: "x".repeat(100_000) }));
  markLong(data);
  let turns = 0;
  let goesOn = true;
  const count = (): void => {
    turns += 1;
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  const done: number[] = [];
  await Promise.all([0, 1].map(async (number) => writeInPieces({ data }).then(() => done.push(number))));
  goesOn = false;
  expect(turns).toBeGreaterThanOrEqual(20);
  expect(done).toEqual([0, 1]);
});
