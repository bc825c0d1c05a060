/** Did you mean: the nearest known name to a mistyped one. */
import { expect, test } from "vitest";
import { nearest } from "../../src/kit/nearest.ts";

const names = ["location", "workspace", "dry-run", "refused", "map"];

test.each([
  ["loction", "location"],
  ["LOCATION", "location"],
  ["lcoation", "location"],
  ["workspaces", "workspace"],
  ["dry", "dry-run"],
  ["mpa", "map"],
  ["m", undefined],
  ["cap", "map"],
  ["top", undefined],
  ["colour", undefined],
  ["", undefined],
])("%j may have been meant to be %j", (word, meant) => {
  expect(nearest(word, names)).toBe(meant);
});

test("the beginning of several is none of them", () => {
  expect(nearest("contacts", ["contacts.readonly", "contacts.write"])).toBeUndefined();
});
