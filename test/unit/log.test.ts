/** A log line for people: a time, a level, a message and fields, on one line whatever is in them. */
import { expect, test } from "vitest";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { toJson, toPretty } from "../../terminal/output/log.ts";

const date = new Date("2026-03-01T12:00:00.123Z");
const failed = Object.assign(new Error("no\nway"), { name: "TypeError", stack: "TypeError: no\n  way\n    at here" });
const locked = new Unavailable(failed);

test.each<[string, unknown[], string]>([
  ["a message", ["stopping"], "stopping"],
  [
    "fields",
    ["started", { url: "http://h:1/a", port: 1, worker: true }],
    "started url=http://h:1/a port=1 worker=true",
  ],
  ["what is not there", ["answered", { key_id: null }], "answered key_id=-"],
  ["blanks and quotes", ["x", { name: 'My "own" file', empty: "" }], String.raw`x name="My \"own\" file" empty=""`],
  ["several lines", ["one\ntwo", { text: "a\r\nb" }], String.raw`one two text="a\r\nb"`],
  ["what moves the cursor", ["\u001B[2Jx", { name: "\u009B2J" }], ' [2Jx name=" 2J"'],
  ["an error", ["failed", { error: failed }], String.raw`failed error="TypeError: no\n  way\n    at here"`],
  ["an error alone", [failed], String.raw`no way error="TypeError: no\n  way\n    at here"`],
  ["a database that is locked", ["failed", { error: locked }], 'failed error="the database is unavailable: no\\nway"'],
  ["a list", ["x", { names: ["a", "b"] }], String.raw`x names="[\"a\",\"b\"]"`],
])("%s", (_what, args, line) => {
  expect(toPretty({ date, type: "info", args })).toBe(`2026-03-01T12:00:00.123Z info  ${line}`);
});

test.each<[string, unknown[], string]>([
  ["a message", ["stopping"], "stopping"],
  ["several words", ["went", "wrong", { id: 1 }], "went wrong"],
  ["an error alone", [failed], "no\nway"],
  ["an error as a field", [{ error: failed }], "no\nway"],
  ["a database that is locked", [{ error: locked }], "the database is unavailable: no\nway"],
  ["a field called message", ["said", { id: 1, message: "field" }], "said"],
  ["fields alone", [{ id: 1 }], ""],
])("as JSON %s has a message", (_what, args, message) => {
  expect(JSON.parse(toJson({ date, type: "warn", args }))).toMatchObject({ level: "warn", message });
});
