/** Cursors: they round-trip for the list that issued them, and their signature prevents forgery and changes. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createCursors } from "../../src/kit/cursor.ts";

const key = randomBytes(32);
const cursors = createCursors([key]);
const list = "listContacts:1";
const position = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.maxSafeInteger(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).filter((number) => !Object.is(number, -0)), // JSON has no -0
    fc.constant(null),
  ),
);

describe("a cursor", () => {
  it("carries any position there and back", () => {
    fc.assert(
      fc.property(fc.string(), position, (name, values) => {
        expect(cursors.decode(name, cursors.encode(name, values))).toEqual(values);
      }),
    );
  });

  it("is made of characters that a query string takes as they are", () => {
    fc.assert(fc.property(position, (values) => /^[\w-]+$/.test(cursors.encode(list, values))));
  });

  it("is undefined once a character is changed", () => {
    const cursor = cursors.encode(list, [1_767_225_600_000, 4711]);
    const accepted: string[] = [];
    for (let at = 0; at < cursor.length; at++) {
      for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ") {
        const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
        if (changed !== cursor && cursors.decode(list, changed) !== undefined) accepted.push(changed);
      }
    }
    expect(accepted).toEqual([]);
  });

  it("is undefined for whatever else a client sends", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => cursors.decode(list, text) === undefined),
    );
  });

  const cursor = cursors.encode(list, ["2026-01-01T00:00:00.000Z", 4711]);
  test.each([
    ["nothing", ""],
    ["a cut cursor", cursor.slice(0, -4)],
    ["one with more behind", `${cursor}AAAA`],
    ["one with padding", `${cursor}==`],
    ["one with a line end", `${cursor}\n`],
    ["the signature alone", cursor.slice(0, 22)],
    ["a payload signed by nobody", Buffer.concat([Buffer.alloc(16), Buffer.from("[1,2]")]).toString("base64url")],
    ["a cursor of another service", createCursors([randomBytes(32)]).encode(list, [1, 2])],
    ["a cursor of another list", cursors.encode("listContacts:2", [1, 2])],
  ])("is undefined for %s", (_what, text) => {
    expect(cursors.decode(list, text)).toBeUndefined();
  });

  it("does not pass for another list when its list's name is moved into the payload", () => {
    const minted = Buffer.from(cursors.encode("list[1]", [2]), "base64url");
    const moved = Buffer.concat([minted.subarray(0, 16), Buffer.from("[1]"), minted.subarray(16)]).toString(
      "base64url",
    );
    expect(cursors.decode("list", moved)).toBeUndefined();
  });

  it("outlives a rotation of the keys for as long as its key is in the list", () => {
    const newer = randomBytes(32);
    expect(createCursors([newer, key]).decode(list, cursor)).toEqual(["2026-01-01T00:00:00.000Z", 4711]);
    expect(createCursors([newer]).decode(list, cursor)).toBeUndefined();
    expect(createCursors([newer]).decode(list, createCursors([newer, key]).encode(list, [1]))).toEqual([1]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("cannot carry %s, which JSON would turn into null", (number) => {
    expect(() => cursors.encode(list, [number])).toThrow(TypeError);
  });
});

it("cannot be made without a key", () => {
  expect(() => createCursors([])).toThrow("At least one signing key is needed.");
});
