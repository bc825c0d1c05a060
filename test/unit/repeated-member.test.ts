/** JSON that names a member twice loses one of them when it is parsed: it is found before. */
import { expect, test } from "vitest";
import { findRepeatedMember } from "../../terminal/input/given/repeated-member.ts";

test.each<[text: string, repeated: [name: string, line: number] | undefined]>([
  ["{}", undefined],
  ['{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}', undefined],
  ['["a", "a"]', undefined],
  ['{"a": "a", "b": "a,\\"a\\":{"}', undefined],
  ['{"a": 1, "a": 2}', ["a", 1]],
  ['{"nodes": {\n  "greet": {},\n  "end": {},\n  "greet": {}\n}}', ["greet", 4]],
  ['{"a": [{"b": 1, "c": [1, 2],\n"b": 2}]}', ["b", 2]],
  ['{"\\u0061": 1, "a": 2}', ["a", 1]],
  ['{"__proto__": 1, "__proto__": 2}', ["__proto__", 1]],
  [`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`, undefined],
  [`{"a": "${"\\\\ x".repeat(100_000)}"}`, undefined],
])("%.40s", (text, repeated) => {
  const [name, line] = repeated ?? [];
  expect(findRepeatedMember(text)).toEqual(repeated && { name, line });
});
